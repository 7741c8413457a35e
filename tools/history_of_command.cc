#include "tools/history_of_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "compat_matrix/reports/cell_pattern.h"
#include "compat_matrix/reports/json_report.h"
#include "compat_matrix/reports/result_database.h"
#include "compat_matrix/result.h"
#include "nlohmann/json.hpp"
#include "tools/output.h"

namespace opcompat {
namespace {

using nlohmann::ordered_json;

struct HistoryOfOptions {
  OutputOptions output;
  std::string db;
  // The shell may have taken the cell apart.
  std::vector<std::string> cell;
};

constexpr char kFooter[] =
    R"(CELL is MODULE HISTORY WRITER->READER [TESTEE], each with `*` for any
characters and `?` for one; writers and readers may be lists, with commas. `!`
after READER: written for that version. AUTHOR=>TESTEE: written by that program.
Without TESTEE: all of them. `>` means something to the shell: put CELL in
quotes.

Examples:
  opcompat history-of 'models/net.graph torch 2.6.0->1.7.1' --db=matrix.sqlite
  opcompat history-of '* torch *->1.7.1!' --db=matrix.sqlite --format=json

Tells, for each cell that matches, the runs in which its state, or what it says,
was another than before. A cell that changes nothing has one line.
Exit status: 0 done; 1 no cell that is stored matches; 2 usage, or a database
that is unreadable, damaged or locked.
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
          &text,
          absl::StrFormat("  %s  %-10s", time, CellStateName(change.state)),
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
                            {"state", CellStateName(change.state)}};
      if (!change.outcome.empty()) entry["outcome"] = change.outcome;
      item["changes"].push_back(std::move(entry));
    }
    json["cells"].push_back(std::move(item));
  }
  return json;
}

absl::StatusOr<std::vector<CellHistory>> FindCells(
    const HistoryOfOptions& options) {
  OPCOMPAT_ASSIGN_OR_RETURN(const CellPattern pattern,
                            ParseCellPattern(absl::StrJoin(options.cell, " ")));
  OPCOMPAT_ASSIGN_OR_RETURN(const std::unique_ptr<ResultDatabase> database,
                            ResultDatabase::OpenForReading(options.db));
  return database->Find(pattern);
}

int RunHistoryOf(const HistoryOfOptions& options) {
  const absl::StatusOr<std::vector<CellHistory>> cells = FindCells(options);
  if (!cells.ok()) {
    PrintError(cells.status().message());
    return kExitBadInput;
  }
  const int code = cells->empty() ? kExitRefused : kExitDone;
  if (options.output.json) {
    return Finish(options.output.path, JsonText(ToJson(*cells)), code);
  }
  if (cells->empty()) {
    PrintError(absl::StrCat(options.db, ": no cell that is stored matches `",
                            absl::StrJoin(options.cell, " "), "`"));
    return code;
  }
  return Finish(options.output.path, ToText(*cells), code);
}

}  // namespace

void AddHistoryOfCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "history-of", "When a cell of the matrix changed its state");
  auto options = std::make_shared<HistoryOfOptions>();
  command
      ->add_option("CELL", options->cell,
                   "'MODULE HISTORY WRITER->READER', with `*`")
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
