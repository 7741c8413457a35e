#include "tools/check_annotations.h"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "check/finding.h"
#include "tools/fault_lines.h"
#include "tools/known_breaks.h"

namespace opcompat {
namespace {

using nlohmann::ordered_json;

constexpr char kStaleRule[] = "known-break-stale";
constexpr char kStaleSummary[] =
    "An entry of the file of known breaks is no finding any more.";

std::string CurrentDirectory() {
  char path[PATH_MAX];
  return getcwd(path, sizeof path) == nullptr ? "" : path;
}

std::string RelativeTo(absl::string_view path, absl::string_view directory) {
  if (!directory.empty()) {
    absl::ConsumePrefix(&path, absl::StrCat(directory, "/"));
  }
  while (absl::ConsumePrefix(&path, "./")) {
  }
  return std::string(path);
}

// `demo::f, 1.0 -> 1.1, backward: message`
std::string Sentence(const Finding& finding) {
  std::string text = absl::StrCat(
      finding.op, finding.op.empty() ? "" : ", ", finding.history, " ",
      finding.older == finding.newer
          ? finding.newer
          : absl::StrCat(finding.older, " -> ", finding.newer),
      ", ", FindingCategoryName(finding.category), ": ", finding.message);
  return text;
}

std::string LongText(const Finding& finding) {
  std::string text = Sentence(finding);
  if (!finding.counterexample.empty()) {
    absl::StrAppend(&text, "\nFor example: ", finding.counterexample);
  }
  if (!finding.remedy.empty()) {
    absl::StrAppend(&text, "\nWhat helps: ", Advice(finding));
  }
  return text;
}

std::string StaleText(const StaleBreak& stale) {
  std::string text = absl::StrCat("This is no finding any more: ", stale.text);
  if (!stale.hint.empty()) absl::StrAppend(&text, "\n", stale.hint);
  return text;
}

SourcePlace PlaceOf(const Finding& finding, const CheckReport& report) {
  if (!finding.place.file.empty()) return finding.place;
  return {report.history_file, 1};
}

std::string GithubCommand(absl::string_view level, const SourcePlace& place,
                          absl::string_view title, absl::string_view message,
                          const std::string& directory) {
  std::string command = absl::StrCat("::", level, " ");
  if (!place.file.empty()) {
    absl::StrAppend(
        &command,
        "file=", EscapeGithubProperty(RelativeTo(place.file, directory)), ",");
    if (place.line > 0) absl::StrAppend(&command, "line=", place.line, ",");
    if (place.column > 0) absl::StrAppend(&command, "col=", place.column, ",");
  }
  absl::StrAppend(&command, "title=", EscapeGithubProperty(title),
                  "::", EscapeGithubMessage(message), "\n");
  return command;
}

class SarifLog {
 public:
  SarifLog(const std::vector<CheckRuleText>& rules, std::string directory)
      : directory_(std::move(directory)) {
    for (const CheckRuleText& rule : rules) AddRule(rule);
  }

  // Returns its index; the first one of an id counts.
  size_t AddRule(const CheckRuleText& rule) {
    const auto inserted = index_.emplace(rule.id, index_.size());
    if (!inserted.second) return inserted.first->second;
    ordered_json json;
    json["id"] = rule.id;
    // GitHub asks for all three.
    for (const char* text : {"shortDescription", "fullDescription", "help"}) {
      json[text] = {{"text", rule.summary}};
    }
    if (!rule.categories.empty()) {
      const std::vector<std::string> tags =
          absl::StrSplit(rule.categories, ", ");
      json["properties"] = {{"tags", tags}};
    }
    rules_.push_back(std::move(json));
    return inserted.first->second;
  }

  void Add(const std::string& rule, const std::string& message,
           const SourcePlace& place, const std::string& op,
           const std::string& fingerprint, ordered_json properties) {
    ordered_json result;
    result["ruleId"] = rule;
    result["ruleIndex"] = AddRule({rule, "", rule});
    result["level"] = "error";
    result["message"] = {{"text", message}};
    ordered_json location;
    ordered_json& physical = location["physicalLocation"];
    physical["artifactLocation"] = {{"uri", PathToUri(place.file, directory_)}};
    physical["region"] = {{"startLine", std::max(place.line, 1)},
                          {"startColumn", std::max(place.column, 1)}};
    if (!op.empty()) {
      location["logicalLocations"] = ordered_json::array(
          {{{"fullyQualifiedName", op}, {"kind", "function"}}});
    }
    result["locations"] = ordered_json::array({std::move(location)});
    result["partialFingerprints"] = {{"opcompatFinding/v1", fingerprint}};
    if (!properties.is_null()) result["properties"] = std::move(properties);
    results_.push_back(std::move(result));
  }

  // The last one that was added is known.
  void SuppressLast(const std::string& reason) {
    ordered_json suppression = {{"kind", "external"}};
    if (!reason.empty()) suppression["justification"] = reason;
    results_.back()["suppressions"] =
        ordered_json::array({std::move(suppression)});
  }

  ordered_json Finish() {
    ordered_json run;
    run["tool"]["driver"] = {{"name", "opcompat"},
                             {"rules", std::move(rules_)}};
    run["columnKind"] = "unicodeCodePoints";
    run["results"] = std::move(results_);
    ordered_json log;
    log["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
    log["version"] = "2.1.0";
    log["runs"] = ordered_json::array({std::move(run)});
    return log;
  }

 private:
  std::string directory_;
  std::map<std::string, size_t> index_;
  ordered_json rules_ = ordered_json::array();
  ordered_json results_ = ordered_json::array();
};

}  // namespace

std::string EscapeGithubMessage(absl::string_view text) {
  return absl::StrReplaceAll(text,
                             {{"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}});
}

std::string EscapeGithubProperty(absl::string_view text) {
  return absl::StrReplaceAll(
      text,
      {{"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}, {":", "%3A"}, {",", "%2C"}});
}

std::string PathToUri(absl::string_view path, absl::string_view directory) {
  const std::string relative = RelativeTo(path, directory);
  std::string uri = absl::StartsWith(relative, "/") ? "file://" : "";
  for (const char c : relative) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
        absl::StrContains("/-._~!$&'()*+,;=@", c)) {
      uri += c;
    } else {
      absl::StrAppendFormat(&uri, "%%%02X", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

std::string CheckToGithub(const CheckReport& report, bool show_known) {
  const std::string directory = CurrentDirectory();
  std::string text;
  for (const FaultLine& fault : report.faults) {
    absl::StrAppend(
        &text, GithubCommand("error", {fault.file, fault.line, fault.column},
                             "fault", fault.message, directory));
  }
  for (const CheckedFinding& checked : report.findings) {
    if (checked.known && !show_known) continue;
    absl::StrAppend(&text, GithubCommand(checked.known ? "notice" : "error",
                                         PlaceOf(checked.finding, report),
                                         checked.finding.rule,
                                         LongText(checked.finding), directory));
  }
  for (const StaleBreak& stale : report.stale) {
    absl::StrAppend(
        &text, GithubCommand("error", {report.known_breaks_file, stale.line},
                             kStaleRule, StaleText(stale), directory));
  }
  return text;
}

ordered_json CheckToSarif(const CheckReport& report,
                          const std::vector<CheckRuleText>& rules,
                          bool show_known) {
  SarifLog log(rules, CurrentDirectory());
  for (const CheckedFinding& checked : report.findings) {
    if (checked.known && !show_known) continue;
    const Finding& finding = checked.finding;
    ordered_json properties = {
        {"category", FindingCategoryName(finding.category)},
        {"history", finding.history},
        {"older", finding.older},
        {"newer", finding.newer}};
    if (!finding.argument.empty()) properties["argument"] = finding.argument;
    log.Add(finding.rule, LongText(finding), PlaceOf(finding, report),
            finding.op, FindingLine(finding), std::move(properties));
    if (checked.known) log.SuppressLast(checked.reason);
  }
  if (!report.stale.empty()) log.AddRule({kStaleRule, "", kStaleSummary});
  for (const StaleBreak& stale : report.stale) {
    log.Add(kStaleRule, StaleText(stale),
            {report.known_breaks_file, stale.line}, "", stale.text, nullptr);
  }
  return log.Finish();
}

}  // namespace opcompat
