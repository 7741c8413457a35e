#include "tools/history_of_command.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "compat_matrix/reports/cell_pattern.h"
#include "compat_matrix/reports/json_report.h"
#include "compat_matrix/reports/result_database.h"
#include "compat_matrix/result.h"
#include "nlohmann/json.hpp"
#include "tools/modules.h"
#include "tools/output.h"
#include "tools/output_paths.h"

namespace opcompat {
namespace {

using nlohmann::ordered_json;

struct HistoryOfOptions {
  OutputOptions output;
  std::string db;
  std::vector<std::string> cells;
};

constexpr char kFooter[] =
    R"(CELL is MODULE HISTORY WRITER->READER [TESTEE], each with `*` for any
characters and `?` for one; writers and readers may be lists, with commas. `!`
after READER: written for that version. AUTHOR=>TESTEE: written by that program.
Without TESTEE: all of them. Blanks and `>` mean something to the shell: put
each CELL in quotes.

Examples:
  opcompat history-of 'models/net.graph torch 2.6.0->1.7.1' --db=matrix.sqlite
  opcompat history-of '* torch *->1.7.1!' --db=matrix.sqlite --format=json

Tells, for each cell that matches, the runs in which its state, or what it says,
was another than before. A cell that changes nothing has one line. `did not
run`: the module ran, but not in this cell any more.
Exit status: 0 done; 1 a CELL that no stored cell matches; 2 usage, or a
database that is unreadable, damaged or locked.
)";

std::string NameOf(const CellHistory& cell) {
  return absl::StrCat(cell.module, " ", cell.history, " ", cell.writer, "->",
                      cell.reader, cell.for_target ? "!" : "", " ",
                      cell.author == "in-process"
                          ? cell.testee
                          : absl::StrCat(cell.author, "=>", cell.testee));
}

std::string ToText(const std::vector<CellHistory>& cells) {
  std::string text;
  for (const CellHistory& cell : cells) {
    absl::StrAppend(&text, text.empty() ? "" : "\n", NameOf(cell), "\n");
    for (const StoredChange& change : cell.changes) {
      const std::string time = TimeText(change.run.info.time);
      absl::StrAppend(
          &text, absl::StrFormat("  %s  %-11s", time, StateNameOf(change)),
          "  ",
          change.run.info.name == time ? absl::StrCat("run ", change.run.id)
                                       : change.run.info.name,
          change.outcome.empty() ? "" : "\n    ", change.outcome, "\n");
    }
  }
  return text;
}

ordered_json ToJson(const std::vector<CellHistory>& cells) {
  ordered_json json;
  json["cells"] = ordered_json::array();
  for (const CellHistory& cell : cells) {
    ordered_json item = {{"module", cell.module},
                         {"history", cell.history},
                         {"writer", cell.writer},
                         {"reader", cell.reader}};
    if (cell.for_target) item["target"] = cell.reader;
    item["testee"] = cell.testee;
    if (cell.author != "in-process") item["author"] = cell.author;
    item["changes"] = ordered_json::array();
    for (const StoredChange& change : cell.changes) {
      ordered_json entry = {{"run", change.run.info.name},
                            {"run_id", change.run.id},
                            {"time", TimeText(change.run.info.time)},
                            {"state", StateNameOf(change)}};
      if (!change.outcome.empty()) entry["outcome"] = change.outcome;
      item["changes"].push_back(std::move(entry));
    }
    json["cells"].push_back(std::move(item));
  }
  return json;
}

struct FoundCells {
  std::vector<CellHistory> cells;      // of each CELL in turn
  std::vector<std::string> unmatched;  // CELLs
};

absl::StatusOr<FoundCells> FindCells(const HistoryOfOptions& options) {
  OPCOMPAT_RETURN_IF_ERROR(
      CheckOutputPaths({{"the answer", options.output.path}}, {options.db}));
  std::vector<CellPattern> patterns;
  for (const std::string& cell : options.cells) {
    absl::StatusOr<CellPattern> pattern = ParseCellPattern(cell);
    if (!pattern.ok()) {
      // The shell has taken it apart, most likely.
      return absl::InvalidArgumentError(absl::StrCat(
          pattern.status().message(),
          options.cells.size() > 1 ? ". Each CELL is one argument, in quotes"
                                   : ""));
    }
    patterns.push_back(*std::move(pattern));
  }
  OPCOMPAT_ASSIGN_OR_RETURN(const std::unique_ptr<ResultDatabase> database,
                            ResultDatabase::OpenForReading(options.db));
  FoundCells found;
  for (size_t i = 0; i < patterns.size(); ++i) {
    OPCOMPAT_ASSIGN_OR_RETURN(std::vector<CellHistory> cells,
                              database->Find(patterns[i]));
    if (cells.empty()) found.unmatched.push_back(options.cells[i]);
    std::move(cells.begin(), cells.end(), std::back_inserter(found.cells));
  }
  return found;
}

int RunHistoryOf(const HistoryOfOptions& options) {
  const absl::StatusOr<FoundCells> found = FindCells(options);
  if (!found.ok()) {
    PrintFailure(found.status(), {});
    return kExitBadInput;
  }
  const int code = found->unmatched.empty() ? kExitDone : kExitRefused;
  for (const std::string& cell : found->unmatched) {
    PrintError(absl::StrCat("opcompat: ", options.db,
                            ": no cell that is stored matches `", OneLine(cell),
                            "`"));
  }
  if (options.output.json) {
    return Finish(options.output.path, JsonText(ToJson(found->cells)), code);
  }
  if (found->cells.empty()) return code;
  return Finish(options.output.path, ToText(found->cells), code);
}

}  // namespace

void AddHistoryOfCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "history-of", "When a cell of the matrix changed its state");
  auto options = std::make_shared<HistoryOfOptions>();
  command
      ->add_option("CELL", options->cells,
                   "'MODULE HISTORY WRITER->READER', with `*`; one or more")
      ->required()
      ->type_name("");
  command
      ->add_option("--db", options->db,
                   "What `opcompat matrix --db` has stored")
      ->required()
      ->type_name("FILE");
  AddOutputFlags(command, &options->output,
                 "Where the answer goes. Default: standard output");
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options] { return RunHistoryOf(*options); };
  });
}

}  // namespace opcompat
