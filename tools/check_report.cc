#include "tools/check_report.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "check/finding.h"
#include "tools/output.h"

namespace opcompat {
namespace {

constexpr size_t kWidth = 80;

// Columns of a UTF-8 text, near enough: its code points.
size_t Columns(absl::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// The pieces of a line between spaces that do not stand inside of "...".
std::vector<absl::string_view> WordsOutsideQuotes(absl::string_view line) {
  std::vector<absl::string_view> words;
  size_t begin = 0;
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ' ' && !quoted) {
      if (i > begin) words.push_back(line.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  if (begin < line.size()) words.push_back(line.substr(begin));
  return words;
}

class TextReport {
 public:
  TextReport(const CheckReport& report, const CheckTextOptions& options)
      : report_(report), options_(options) {}

  std::string Print() {
    const Finding* before = nullptr;
    for (const CheckedFinding& checked : report_.findings) {
      if (checked.known && !options_.show_known) continue;
      PrintHeadings(before, checked.finding);
      PrintFinding(checked);
      before = &checked.finding;
    }
    PrintStale();
    if (!text_.empty()) text_ += "\n";
    PrintCounts();
    return text_;
  }

 private:
  std::string Colored(absl::string_view code, absl::string_view text) const {
    return options_.color ? absl::StrCat("\x1b[", code, "m", text, "\x1b[0m")
                          : std::string(text);
  }

  void PrintHeadings(const Finding* before, const Finding& finding) {
    const bool same_pair = before != nullptr &&
                           before->older == finding.older &&
                           before->newer == finding.newer;
    if (!same_pair) {
      const std::string versions =
          finding.older == finding.newer
              ? finding.newer
              : absl::StrCat(finding.older, " -> ", finding.newer);
      absl::StrAppend(
          &text_, text_.empty() ? "" : "\n",
          Colored("1", absl::StrCat(finding.history, " ", OneLine(versions))),
          "\n");
    }
    if ((!same_pair || before->op != finding.op) && !finding.op.empty()) {
      absl::StrAppend(&text_, "  ", Colored("1", OneLine(finding.op)), "\n");
    }
  }

  void PrintFinding(const CheckedFinding& checked) {
    const Finding& finding = checked.finding;
    absl::StrAppend(&text_, "    ",
                    Colored(ColorOf(checked), CategoryOf(finding)), " ",
                    finding.rule, checked.known ? " (known)" : "", "\n");
    absl::StrAppend(&text_,
                    WrapOutsideQuotes(OneLine(finding.message), kWidth, 6));
    PrintCall(OneLine(finding.counterexample));
    PrintLabelled("help", Advice(finding));
    PrintLabelled("why", checked.reason);
    if (!finding.place.file.empty()) {
      absl::StrAppend(&text_, "      at:   ", OneLine(finding.place.file));
      if (finding.place.line > 0) {
        absl::StrAppend(&text_, ":", finding.place.line);
      }
      text_ += "\n";
    }
  }

  // A call is text to be copied and stays whole; of a long line the comment
  // that says what its values are goes below.
  void PrintCall(absl::string_view call) {
    if (call.empty()) return;
    const size_t comment = call.rfind("  # ");
    if (comment == absl::string_view::npos || 12 + Columns(call) <= kWidth) {
      absl::StrAppend(&text_, "      call: ", call, "\n");
      return;
    }
    absl::StrAppend(&text_, "      call: ", call.substr(0, comment), "\n");
    const std::string lines =
        WrapOutsideQuotes(call.substr(comment + 4), kWidth - 14, 0);
    for (const absl::string_view line :
         absl::StrSplit(lines, '\n', absl::SkipEmpty())) {
      absl::StrAppend(&text_, std::string(12, ' '), "# ", line, "\n");
    }
  }

  static std::string CategoryOf(const Finding& finding) {
    return FindingCategoryName(finding.category);
  }
  static absl::string_view ColorOf(const CheckedFinding& checked) {
    if (checked.known) return "2";
    return checked.finding.category == FindingCategory::kSource ? "33" : "31";
  }

  // `      help: `, and the text beside it.
  void PrintLabelled(absl::string_view label, absl::string_view what) {
    if (what.empty()) return;
    std::string wrapped = WrapOutsideQuotes(what, kWidth, 12);
    const std::string head = absl::StrCat("      ", label, ":");
    wrapped.replace(0, head.size(), head);
    absl::StrAppend(&text_, wrapped);
  }

  void PrintStale() {
    if (report_.stale.empty()) return;
    absl::StrAppend(&text_, text_.empty() ? "" : "\n",
                    Colored("1", "No findings any more (stale)"), "\n");
    for (const StaleBreak& stale : report_.stale) {
      absl::StrAppend(&text_, "  ", report_.known_breaks_file, ":", stale.line,
                      "\n", WrapOutsideQuotes(OneLine(stale.text), kWidth, 4));
      if (!stale.hint.empty()) {
        absl::StrAppend(&text_,
                        WrapOutsideQuotes(OneLine(stale.hint), kWidth, 6));
      }
    }
  }

  void PrintCounts() {
    const size_t fresh = report_.CountNew();
    std::string line = absl::StrCat(report_.history, ": ", fresh,
                                    " new finding", fresh == 1 ? "" : "s");
    if (fresh > 0) {
      absl::StrAppend(&line, " (", report_.CountNew(FindingCategory::kBackward),
                      " backward, ",
                      report_.CountNew(FindingCategory::kForward), " forward, ",
                      report_.CountNew(FindingCategory::kSource), " source)");
    }
    absl::StrAppend(&line, ", ", report_.CountKnown(), " known, ",
                    report_.stale.size(), " stale");
    const bool good = fresh == 0 && report_.stale.empty();
    absl::StrAppend(&text_, Colored(good ? "32" : "31", line), "\n");
  }

  const CheckReport& report_;
  const CheckTextOptions& options_;
  std::string text_;
};

}  // namespace

size_t CheckReport::CountNew(FindingCategory category) const {
  return static_cast<size_t>(std::count_if(
      findings.begin(), findings.end(), [&](const CheckedFinding& checked) {
        return !checked.known && checked.finding.category == category;
      }));
}

size_t CheckReport::CountNew() const { return findings.size() - CountKnown(); }

size_t CheckReport::CountKnown() const {
  return static_cast<size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [](const CheckedFinding& c) { return c.known; }));
}

std::string WrapOutsideQuotes(absl::string_view text, size_t width,
                              size_t indent) {
  std::string wrapped;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    size_t used = 0;
    for (const absl::string_view word : WordsOutsideQuotes(line)) {
      const size_t columns = Columns(word);
      if (used > 0 && used + 1 + columns <= width) {
        absl::StrAppend(&wrapped, " ", word);
        used += 1 + columns;
        continue;
      }
      absl::StrAppend(&wrapped, used > 0 ? "\n" : "", std::string(indent, ' '),
                      word);
      used = indent + columns;
    }
    if (used > 0) wrapped += "\n";
  }
  return wrapped;
}

std::string CheckToText(const CheckReport& report,
                        const CheckTextOptions& options) {
  return TextReport(report, options).Print();
}

nlohmann::ordered_json CheckToJson(const CheckReport& report) {
  using nlohmann::ordered_json;
  ordered_json json;
  json["history"] = report.history;
  json["findings"] = ordered_json::array();
  for (const CheckedFinding& checked : report.findings) {
    const Finding& finding = checked.finding;
    ordered_json item;
    item["rule"] = finding.rule;
    item["category"] = FindingCategoryName(finding.category);
    item["history"] = finding.history;
    item["older"] = finding.older;
    item["newer"] = finding.newer;
    item["operator"] = finding.op;
    if (!finding.argument.empty()) item["argument"] = finding.argument;
    item["message"] = finding.message;
    item["counterexample"] = finding.counterexample;
    item["remedy"] = finding.remedy;
    if (!finding.place.file.empty()) item["file"] = finding.place.file;
    if (finding.place.line > 0) item["line"] = finding.place.line;
    if (finding.place.column > 0) item["column"] = finding.place.column;
    item["text"] = FindingLine(finding);
    item["known"] = checked.known;
    if (!checked.reason.empty()) item["reason"] = checked.reason;
    json["findings"].push_back(std::move(item));
  }
  json["stale"] = ordered_json::array();
  for (const StaleBreak& stale : report.stale) {
    ordered_json item;
    item["file"] = report.known_breaks_file;
    item["line"] = stale.line;
    item["text"] = stale.text;
    if (!stale.hint.empty()) item["hint"] = stale.hint;
    json["stale"].push_back(std::move(item));
  }
  ordered_json& summary = json["summary"];
  summary["new"] = report.CountNew();
  for (const FindingCategory category :
       {FindingCategory::kBackward, FindingCategory::kForward,
        FindingCategory::kSource}) {
    summary[FindingCategoryName(category)] = report.CountNew(category);
  }
  summary["known"] = report.CountKnown();
  summary["stale"] = report.stale.size();
  json["faults"] = FaultsToJson(report.faults);
  return json;
}

}  // namespace opcompat
