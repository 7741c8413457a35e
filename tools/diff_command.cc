#include "tools/diff_command.h"

#include <sys/stat.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "compat_matrix/reports/json_report.h"
#include "nlohmann/json.hpp"
#include "schema/differences/opset_difference.h"
#include "schema/operator_schema.h"
#include "schema/opset.h"
#include "tools/difference_lines.h"
#include "tools/histories.h"
#include "tools/loaded_history.h"
#include "tools/output.h"
#include "tools/schema_list.h"

namespace opcompat {
namespace {

struct DiffOptions {
  OutputOptions output;
  std::vector<std::string> histories;
  std::string older;
  std::string newer;
  bool summary = false;
  bool exit_code = false;
};

constexpr char kFooter[] = R"(Examples:
  opcompat diff torch@1.7.1 torch@2.6.0 --summary
  opcompat diff --history=my/history.textproto 1 2
  opcompat diff torch@2.6.0 torch-2.7.0.ops
  opcompat diff old.ops new.ops --exit-code

Operators and arguments of one history are matched over the renames that it
declares; all else is matched by name. Defaults are compared as values, not as
they are spelled. For modules, see `opcompat equal`; for what a difference
breaks, `opcompat check`.

Exit status: 0 done, whether there are differences or not; 1 with --exit-code,
if there are; 2 usage, or unreadable input.
)";

// One of the two.
struct Side {
  std::string label;  // `torch 2.6.0`, or the path
  // Of a version.
  HistoryPtr history;
  absl::optional<Opset> opset;
  // Of a file.
  std::vector<OperatorSchema> schemas;

  std::vector<ListedOperator> List(bool lines_only) const {
    if (!opset.has_value()) return ListOperators(schemas);
    return lines_only ? ListSchemas(*opset) : ListOperators(*opset);
  }
};

// Whether an operand is a file rather than a version. (A version may be called
// like a file that happens to be here; `./` before it makes it a file.)
bool NamesFile(const DiffOptions& options, const std::string& text) {
  if (text == "-" || absl::EndsWith(text, ".ops")) return true;
  if (absl::StrContains(text, '/') && !absl::StrContains(text, '@')) {
    return true;
  }
  struct stat info;
  return options.histories.empty() && !absl::StrContains(text, '@') &&
         stat(text.c_str(), &info) == 0;
}

absl::StatusOr<Side> ReadFileSide(const std::string& path) {
  OPCOMPAT_ASSIGN_OR_RETURN(SchemaList list, ReadSchemaList(path));
  if (!list.faults.empty()) return PlacedFaults(list.faults);
  Side side;
  side.label = path;
  side.schemas = std::move(list.schemas);
  return side;
}

absl::StatusOr<HistoryPtr> FindHistory(const DiffOptions& options,
                                       const VersionChoice& choice,
                                       Histories& histories) {
  std::vector<HistoryPtr> given;
  for (const std::string& name : options.histories) {
    OPCOMPAT_ASSIGN_OR_RETURN(HistoryPtr history, histories.Load(name));
    given.push_back(std::move(history));
  }
  if (choice.history.empty()) {
    if (given.size() == 1) return given[0];
    return absl::InvalidArgumentError(
        absl::StrCat("`", choice.id, "` is no file, and no version as long as ",
                     given.empty() ? "no history is" : "several histories are",
                     " in use; say which, as in torch@", choice.id,
                     given.empty() ? " or with --history=FILE" : ""));
  }
  for (const HistoryPtr& history : given) {
    if (history->HasName(choice.history)) return history;
  }
  return histories.LoadShipped(choice.history);
}

absl::StatusOr<Side> ReadSide(const DiffOptions& options,
                              const std::string& text, Histories& histories) {
  if (NamesFile(options, text)) return ReadFileSide(text);
  absl::StatusOr<VersionChoice> choice = ParseVersionChoice(text);
  if (!choice.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", text, "`: ", choice.status().message()));
  }
  Side side;
  OPCOMPAT_ASSIGN_OR_RETURN(side.history,
                            FindHistory(options, *choice, histories));
  OPCOMPAT_ASSIGN_OR_RETURN(side.opset, side.history->At(choice->id));
  side.label = absl::StrCat(side.history->name(), " ", side.opset->version());
  return side;
}

int Fail(const absl::Status& status) {
  // Faults have their places; anything else says who speaks.
  const bool placed = status.GetPayload(kHistoryFaultsPayload).has_value();
  PrintError(absl::StrCat(placed ? "" : "opcompat: ", status.message()));
  return kExitBadInput;
}

int RunDiff(const DiffOptions& options, Histories& histories) {
  if (options.older == "-" && options.newer == "-") {
    return Fail(
        absl::InvalidArgumentError("only one side can be standard input"));
  }
  const absl::StatusOr<Side> older =
      ReadSide(options, options.older, histories);
  if (!older.ok()) return Fail(older.status());
  const absl::StatusOr<Side> newer =
      ReadSide(options, options.newer, histories);
  if (!newer.ok()) return Fail(newer.status());
  const bool lines_only =
      older->history == nullptr || older->history != newer->history;
  const std::vector<Difference> differences =
      DiffOperatorLists(older->List(lines_only), newer->List(lines_only));
  const int code =
      options.exit_code && !differences.empty() ? kExitRefused : kExitDone;
  if (options.output.json) {
    nlohmann::ordered_json answer;
    answer["older"] = older->label;
    answer["newer"] = newer->label;
    answer["counts"] = DifferenceCountsToJson(differences);
    if (!options.summary) {
      answer["differences"] = DifferencesToJson(differences);
    }
    return Finish(options.output.path, JsonText(answer), code);
  }
  std::string text =
      absl::StrCat(OneLine(older->label), " -> ", OneLine(newer->label), "\n");
  if (differences.empty()) {
    text += "no differences\n";
  } else if (options.summary) {
    text += DifferenceCountsText(differences);
  } else {
    const bool to_file =
        !options.output.path.empty() && options.output.path != "-";
    const bool color = !to_file && ColorOnStandardOutput(options.output);
    text += DifferencesText(differences, color);
  }
  return Finish(options.output.path, text, code);
}

}  // namespace

void AddDiffCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "diff", "What differs between two versions, or two .ops files");
  auto options = std::make_shared<DiffOptions>();
  const std::string what =
      "A version [HISTORY@]ID, or a file of schemas; `-` is a file on standard "
      "input";
  command->add_option("A", options->older, absl::StrCat(what, ": the older"))
      ->required()
      ->type_name("");
  command->add_option("B", options->newer, "Likewise: the newer")
      ->required()
      ->type_name("");
  command->add_flag("--summary", options->summary,
                    "Only how many of each kind");
  command->add_flag("--exit-code", options->exit_code,
                    "Exit status 1 if there are differences");
  AddRepeatable(command, "--history", &options->histories,
                "A history.textproto, its directory, a compiled history, or a "
                "name that ships (torch, demo); repeatable. Default: the "
                "shipped one that A or "
                "B names")
      ->type_name("NAME|DIR|FILE")
      ->group("Histories");
  AddOutputFlags(command, &options->output,
                 "Where the differences go. Default: standard output");
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options, context] {
      return RunDiff(*options, context->histories);
    };
  });
}

}  // namespace opcompat
