#include "compat_matrix/reports/grid.h"

#include <array>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/reports/grid_table.h"
#include "compat_matrix/reports/plain_text.h"
#include "compat_matrix/reports/report.h"
#include "compat_matrix/result.h"

namespace opcompat {
namespace {

// A module's text may stand in a detail, of any length.
constexpr size_t kLongestMessage = 4000;

}  // namespace

std::string SummaryLine(const MatrixSummary& summary) {
  return absl::StrCat(summary.cells, " cells: ", summary.accepted,
                      " accepted, ", summary.refused, " refused, ",
                      summary.misread, " misread, ", summary.crashed,
                      " crashed, ", summary.unexpected, " unexpected");
}

std::string GridReport::Title(const ModuleCells& module,
                              const Cell& cell) const {
  return PlainLine(absl::StrCat(
      module.history->group,
      cell.for_target ? ": accepted when written for the reader's version"
                      : ": modules accepted",
      cell.author != 0
          ? absl::StrCat(", written by ", names_.authors[cell.author])
          : "",
      names_.testees.size() > 1
          ? absl::StrCat(", ", names_.testees[cell.testee])
          : ""));
}

GridTable& GridReport::TableOf(const ModuleCells& module, const Cell& cell) {
  const std::string title = Title(module, cell);
  const auto [it, is_new] = table_of_title_.try_emplace(title, tables_.size());
  if (is_new) tables_.emplace_back(title, module.history->versions);
  return tables_[it->second];
}

absl::Status GridReport::Add(const ModuleCells& module) {
  // A table is looked for once per kind of cell, not once per cell.
  absl::flat_hash_map<std::array<uint16_t, 3>, size_t> tables;
  for (const Cell& cell : module.cells) {
    const auto [it, is_new] = tables.try_emplace(
        {cell.testee, cell.author, static_cast<uint16_t>(cell.for_target)}, 0);
    if (is_new) {
      it->second = static_cast<size_t>(&TableOf(module, cell) - tables_.data());
    }
    tables_[it->second].Add(module, cell);
    if (!IsGood(cell.state)) AddBadCell(module, cell);
  }
  return absl::OkStatus();
}

void GridReport::AddBadCell(const ModuleCells& module, const Cell& cell) {
  if (++bad_ > options_.most_cells) return;
  const CellOutcome& outcome = module.outcome(cell);
  absl::StrAppend(&bad_cells_, CellStateName(cell.state), ": ",
                  CellName(names_, module, cell), ": ",
                  Shortened(PlainLine(outcome.detail), kLongestMessage), "\n");
  for (const Reason& reason : outcome.reasons) {
    absl::StrAppend(&bad_cells_, "  ",
                    Shortened(PlainLine(reason.message), kLongestMessage),
                    "\n");
  }
}

std::string GridReport::Tables() const {
  std::string text;
  bool letters = false;
  for (const GridTable& table : tables_) {
    absl::StrAppend(&text, table.Text(options_.width, options_.color, &letters),
                    "\n");
  }
  if (letters) absl::StrAppend(&text, GridTable::kLegend, "\n\n");
  return text;
}

std::string GridReport::BadCells() const {
  std::string text = bad_cells_;
  if (bad_ > options_.most_cells) {
    absl::StrAppend(&text, "and ", bad_ - options_.most_cells,
                    " more such cells\n");
  }
  return text;
}

absl::Status GridReport::Finish(const MatrixSummary& summary) {
  text_ = absl::StrCat(Tables(), SummaryLine(summary), "\n", BadCells());
  return absl::OkStatus();
}

std::string GridText(const MatrixResult& result, const GridOptions& options) {
  GridReport report(result.names, options);
  // Cannot fail: it goes nowhere.
  WriteReport(result, &report).IgnoreError();
  return report.text();
}

}  // namespace opcompat
