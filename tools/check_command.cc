#include "tools/check_command.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/Validators.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "check/check.h"
#include "check/finding.h"
#include "check/rules_table.h"
#include "compat_matrix/reports/json_report.h"
#include "tools/check_annotations.h"
#include "tools/check_inputs.h"
#include "tools/check_report.h"
#include "tools/check_undeclared.h"
#include "tools/fault_lines.h"
#include "tools/inputs.h"
#include "tools/known_breaks.h"
#include "tools/output.h"

namespace opcompat {
namespace {

enum class CheckFormat { kText, kJson, kGithub, kSarif };

struct CheckCommandOptions {
  OutputOptions output;
  CheckFormat format = CheckFormat::kText;
  std::vector<std::string> inputs;
  std::string against;
  bool has_against = false;
  bool all = false;
  bool gap = false;
  std::string newer;
  std::vector<std::string> categories;  // empty: all
  std::string known_breaks;
  bool show_known = false;
  bool update = false;
  bool rules = false;
};

constexpr char kFooter[] = R"(Examples:
  opcompat check torch
  opcompat check my/history.textproto --against=origin/main --format=github
  opcompat check old.ops new.ops
  opcompat check my --update

Every version is compared with every earlier one. A finding has a category:
  backward  the newer version refuses calls that the older one wrote
  forward   the older version refuses calls that the newer one wrote
  source    files keep their meaning; program text that calls the operator may
            not, or the history does not say what it must
and tells a call that shows it and the declaration that makes the change safe,
if it is true.

With --against=REV, versions that git has at REV are published: a change of one
is a finding (published-version-changed, which cannot be known), and other
findings are told of new versions only.

Known breaks are accepted findings, one a line in a text file, each with a
reason after ` # `; comments and blank lines are kept. An entry that is no
finding any more is stale and fails. --update drops stale entries, takes over
changed messages and adds what is new.

Two .ops files declare nothing: a change between them that breaks a rule of
histories (int became str) is a finding, and the declaration is what helps. In a
HISTORY it is a fault, as `opcompat history` tells it.

Exit status: 0 nothing new and nothing stale; 1 findings or stale entries; 2
usage, an unreadable file, or a history that has faults.
)";

// Where `id` stands in the history, or past all others.
size_t IndexOf(const DeclaredHistory& declared, absl::string_view id) {
  size_t i = 0;
  while (i < declared.versions.size() && declared.versions[i].id != id) ++i;
  return i;
}

std::vector<CheckRuleText> AllRules() {
  std::vector<CheckRuleText> rules;
  for (const Rule& rule : Rules()) {
    rules.push_back({std::string(rule.id), std::string(rule.categories),
                     std::string(rule.summary)});
  }
  rules.push_back({std::string(kPublishedVersionChanged), "source",
                   "a version that --against has is another one now, is gone, "
                   "or stands after a new one"});
  std::sort(rules.begin(), rules.end(),
            [](const CheckRuleText& a, const CheckRuleText& b) {
              return a.id < b.id;
            });
  return rules;
}

std::vector<std::string> CategoriesOf(const CheckRuleText& rule) {
  return absl::StrSplit(rule.categories, ", ");
}

int PrintRules(const CheckCommandOptions& options) {
  std::string text;
  if (options.format == CheckFormat::kJson) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const CheckRuleText& rule : AllRules()) {
      json.push_back({{"id", rule.id},
                      {"categories", CategoriesOf(rule)},
                      {"summary", rule.summary}});
    }
    text = JsonText(json);
  } else {
    for (const CheckRuleText& rule : AllRules()) {
      absl::StrAppend(&text, rule.id, " (", rule.categories, ")\n",
                      WrapOutsideQuotes(rule.summary, 80, 4));
    }
  }
  return Finish(options.output.path, text, kExitDone);
}

// What is wrong with the command line, or empty.
std::string UsageFault(const CheckCommandOptions& options) {
  const size_t inputs = options.inputs.size();
  if (options.rules) {
    return inputs == 0 ? "" : "--rules lists the rules and takes no history";
  }
  if (inputs == 0) return "HISTORY, or OLD.ops and NEW.ops, is required";
  if (inputs > 2) return "a history or two files of schemas are expected";
  if (inputs == 2) {
    if (options.has_against) return "--against is for one history";
    if (options.inputs[0] == "-" && options.inputs[1] == "-") {
      return "only one of OLD.ops and NEW.ops can be standard input";
    }
    if (options.update && options.known_breaks.empty()) {
      return "--update needs --known-breaks=FILE for two files of schemas";
    }
  } else if (options.gap) {
    return "--gap is for two files of schemas; a history declares its gaps";
  }
  if (options.all && !options.has_against) {
    return "--all only makes a difference with --against";
  }
  return "";
}

class CheckRun {
 public:
  CheckRun(const CheckCommandOptions& options, Histories& histories)
      : options_(options), histories_(histories) {}

  int Run() {
    const absl::Status status = Check();
    if (!status.ok()) {
      PrintError(absl::StrCat("opcompat check: ", status.message()));
      return kExitBadInput;
    }
    return Print();
  }

 private:
  absl::StatusOr<CheckInput> Read() const {
    if (options_.inputs.size() == 2) {
      return ReadTwoFiles(options_.inputs[0], options_.inputs[1], options_.gap);
    }
    if (options_.has_against) {
      return ReadHistoryAgainst(options_.inputs[0], options_.against,
                                histories_);
    }
    return ReadHistoryInput(options_.inputs[0], histories_);
  }

  // Fills report_.
  absl::Status Check() {
    OPCOMPAT_ASSIGN_OR_RETURN(input_, Read());
    report_.history = input_.declared.name;
    report_.history_file = input_.declared.place.file;
    report_.faults = input_.faults;
    if (!report_.faults.empty()) return absl::OkStatus();
    if (!options_.newer.empty()) {
      const absl::StatusOr<Opset> opset = input_.history->At(options_.newer);
      if (!opset.ok()) {
        return absl::Status(opset.status().code(),
                            absl::StrCat("--newer=", options_.newer, ": ",
                                         opset.status().message()));
      }
      if (!options_.all &&
          input_.published_versions.count(options_.newer) > 0) {
        return absl::InvalidArgumentError(absl::StrCat(
            "--newer=", options_.newer, ": ", options_.against,
            " has this version already; --all tells its findings too"));
      }
    }
    findings_ = WithUndeclared(input_.undeclared_findings,
                               CheckHistory(*input_.history, &input_.declared));
    findings_.insert(findings_.end(), input_.published_findings.begin(),
                     input_.published_findings.end());
    Sort();
    return MatchBreaks();
  }

  // By newer and older version; what is published first.
  void Sort() {
    std::map<std::string, size_t> index;
    for (const Finding& finding : findings_) {
      for (const std::string* id : {&finding.older, &finding.newer}) {
        index.emplace(*id, IndexOf(input_.declared, *id));
      }
    }
    std::stable_sort(findings_.begin(), findings_.end(),
                     [&](const Finding& a, const Finding& b) {
                       return std::make_pair(index[a.newer], index[a.older]) <
                              std::make_pair(index[b.newer], index[b.older]);
                     });
  }

  bool InScope(absl::string_view newer, absl::string_view category) const {
    const std::vector<std::string>& categories = options_.categories;
    return (options_.newer.empty() || newer == options_.newer) &&
           (categories.empty() ||
            std::find(categories.begin(), categories.end(), category) !=
                categories.end());
  }
  bool IsAskedFor(absl::string_view newer, absl::string_view category) const {
    return InScope(newer, category) &&
           (options_.all ||
            input_.published_versions.count(std::string(newer)) == 0);
  }

  // The text of the file of known breaks; there may be none.
  absl::StatusOr<std::string> ReadBreaks(const std::string& path) const {
    if (path.empty()) return std::string();
    absl::StatusOr<std::string> text = ReadInput(path);
    const bool may_be_missing =
        options_.known_breaks.empty() || options_.update;
    if (absl::IsNotFound(text.status()) && may_be_missing) return std::string();
    return text;
  }

  absl::Status MatchBreaks() {
    const std::string& path = options_.known_breaks.empty()
                                  ? input_.known_breaks
                                  : options_.known_breaks;
    report_.known_breaks_file = path;
    OPCOMPAT_ASSIGN_OR_RETURN(std::string text, ReadBreaks(path));
    const BreaksScope scope = [this](absl::string_view newer,
                                     absl::string_view category) {
      return IsAskedFor(newer, category);
    };
    KnownBreaks breaks = MatchKnownBreaks(text, findings_, scope);
    for (const MalformedBreak& malformed : breaks.malformed) {
      report_.faults.push_back(
          {path, malformed.line, malformed.column, malformed.message});
    }
    if (!report_.faults.empty()) return absl::OkStatus();
    if (options_.update) {
      const KnownBreaksUpdate update =
          UpdateKnownBreaks(text, findings_, scope);
      OPCOMPAT_RETURN_IF_ERROR(Write(path, text, update));
      breaks = MatchKnownBreaks(update.text, findings_, scope);
    }
    for (size_t i = 0; i < findings_.size(); ++i) {
      const Finding& finding = findings_[i];
      const char* category = FindingCategoryName(finding.category);
      const bool is_told = finding.rule == kPublishedVersionChanged
                               ? InScope(finding.newer, category)
                               : IsAskedFor(finding.newer, category);
      if (!is_told) continue;
      const KnownBreaks::OfFinding& known = breaks.findings[i];
      report_.findings.push_back({finding, known.line > 0, known.reason});
    }
    report_.stale = std::move(breaks.stale);
    return absl::OkStatus();
  }

  absl::Status Write(const std::string& path, const std::string& text,
                     const KnownBreaksUpdate& update) const {
    if (update.text == text) {
      PrintNote(options_.output, absl::StrCat(path, ": nothing to update"));
      return absl::OkStatus();
    }
    OPCOMPAT_RETURN_IF_ERROR(WriteOutput(path, update.text));
    PrintNote(options_.output,
              absl::StrCat(path, ": ", update.added.size(), " added, ",
                           update.changed.size(), " changed, ",
                           update.dropped.size(), " dropped"));
    for (const std::string& line : update.dropped) {
      PrintNote(options_.output, absl::StrCat("- ", OneLine(line)));
    }
    for (const auto& change : update.changed) {
      PrintNote(options_.output, absl::StrCat("- ", OneLine(change.first)));
      PrintNote(options_.output, absl::StrCat("+ ", OneLine(change.second)));
    }
    for (const std::string& line : update.added) {
      PrintNote(options_.output, absl::StrCat("+ ", OneLine(line)));
    }
    return absl::OkStatus();
  }

  int Print() const {
    const std::string& path = options_.output.path;
    const bool has_faults = !report_.faults.empty();
    const int code = has_faults ? kExitBadInput
                     : report_.CountNew() > 0 || !report_.stale.empty()
                         ? kExitRefused
                         : kExitDone;
    switch (options_.format) {
      case CheckFormat::kJson:
        return Finish(path, JsonText(CheckToJson(report_)), code);
      case CheckFormat::kGithub:
        return Finish(path, CheckToGithub(report_, options_.show_known), code);
      case CheckFormat::kText:
      case CheckFormat::kSarif:
        break;
    }
    if (has_faults) {
      PrintFaults(report_.faults);
      return code;
    }
    if (options_.format == CheckFormat::kSarif) {
      return Finish(
          path,
          JsonText(CheckToSarif(report_, AllRules(), options_.show_known)),
          code);
    }
    CheckTextOptions text;
    text.color = path.empty() || path == "-" ||
                 options_.output.color == ColorChoice::kAlways;
    text.color = text.color && ColorOnStandardOutput(options_.output);
    text.show_known = options_.show_known;
    return Finish(path, CheckToText(report_, text), code);
  }

  const CheckCommandOptions& options_;
  Histories& histories_;
  CheckInput input_;
  std::vector<Finding> findings_;
  CheckReport report_;
};

int RunCheck(const CheckCommandOptions& options, Histories& histories) {
  const std::string fault = UsageFault(options);
  if (!fault.empty()) {
    PrintError(absl::StrCat("opcompat check: ", fault,
                            "\nRun `opcompat check --help` for what is "
                            "expected."));
    return kExitBadInput;
  }
  if (options.rules) return PrintRules(options);
  return CheckRun(options, histories).Run();
}

void AddWhatFlags(CLI::App* command, CheckCommandOptions* options) {
  command
      ->add_option("INPUT", options->inputs,
                   "A history (a history.textproto, its directory, or the name "
                   "of one that ships), or two .ops files, the older first; "
                   "`-` is standard input for one of these")
      ->type_name("");
  command
      ->add_option_function<std::string>(
          "--against",
          [options](const std::string& revision) {
            options->against = revision;
            options->has_against = true;
          },
          "A git revision that has the history too: what is there is published")
      ->type_name("REV");
  command->add_flag("--all", options->all,
                    "With --against, findings of published versions too");
  command->add_flag("--gap", options->gap,
                    "Released versions between the two .ops files are missing");
  command->add_flag("--rules", options->rules, "List the rules and exit");
}

void AddFilterFlags(CLI::App* command, CheckCommandOptions* options) {
  command
      ->add_option("--newer", options->newer,
                   "Only findings whose newer version is this one")
      ->type_name("ID")
      ->group("Findings");
  command
      ->add_option("--category", options->categories,
                   "Only findings of these categories")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"backward", "forward", "source"}).description(""))
      ->type_name("backward,forward,source")
      ->group("Findings");
  command
      ->add_option("--known-breaks", options->known_breaks,
                   "The file of known breaks. Default: known_breaks.txt beside "
                   "the history.textproto, if it is there")
      ->type_name("FILE")
      ->group("Findings");
  command
      ->add_flag("--show-known", options->show_known,
                 "Known findings too (JSON always has them)")
      ->group("Findings");
  command
      ->add_flag("--update", options->update,
                 "Rewrite the file of known breaks; what changes goes to "
                 "standard error")
      ->group("Findings");
}

}  // namespace

void AddCheckCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "check", "Which changes of a history break calls, and what helps");
  auto options = std::make_shared<CheckCommandOptions>();
  AddWhatFlags(command, options.get());
  AddFilterFlags(command, options.get());
  command
      ->add_option_function<std::string>(
          "--format",
          [options](const std::string& format) {
            options->format = format == "json"     ? CheckFormat::kJson
                              : format == "github" ? CheckFormat::kGithub
                              : format == "sarif"  ? CheckFormat::kSarif
                                                   : CheckFormat::kText;
          },
          "How the answer is printed; github: workflow commands")
      ->type_name("text|json|github|sarif")
      ->check(
          CLI::IsMember({"text", "json", "github", "sarif"}).description(""))
      ->group("Output");
  AddPlaceAndColorFlags(command, &options->output,
                        "Where the answer goes. Default: standard output");
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options, context] {
      return RunCheck(*options, context->histories);
    };
  });
}

}  // namespace opcompat
