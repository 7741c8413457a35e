// The matrix as tables for a terminal: writers down, readers across, summed
// over modules.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_GRID_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_GRID_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "compat_matrix/reports/grid_table.h"
#include "compat_matrix/reports/report.h"
#include "compat_matrix/result.h"

namespace opcompat {

struct GridOptions {
  bool color = false;
  // Of the tables; messages of bad cells are as long as they are.
  size_t width = 80;
  // Of the bad cells the first that are told one by one.
  size_t most_cells = 100;
};

// One table for each group of histories (and testee and author, if several;
// and for targets), then the summary, then the cells that are misread, crashed
// or unexpected, with their details. A table's field says how many modules were
// accepted of how many (`58/58`), with a mark if something is wrong: M misread,
// C crashed, H hung, U unexpected. Where that is too wide, a field is a letter.
// Keeps sums and the text of the first bad cells only.
class GridReport : public MatrixReport {
 public:
  GridReport(RunNames names, const GridOptions& options)
      : names_(std::move(names)), options_(options) {}

  absl::Status Add(const ModuleCells& module) override;
  absl::Status Finish(const MatrixSummary& summary) override;

  // The whole; after Finish().
  const std::string& text() const { return text_; }
  // Parts of it: the tables, and the bad cells.
  std::string Tables() const;
  std::string BadCells() const;

 private:
  std::string Title(const ModuleCells& module, const Cell& cell) const;
  // The table of a cell; tables are made in the order of the cells.
  GridTable& TableOf(const ModuleCells& module, const Cell& cell);
  void AddBadCell(const ModuleCells& module, const Cell& cell);

  RunNames names_;
  GridOptions options_;
  std::vector<GridTable> tables_;
  absl::flat_hash_map<std::string, size_t> table_of_title_;
  std::string bad_cells_;
  uint64_t bad_ = 0;
  std::string text_;
};

// Of a result that is in memory.
std::string GridText(const MatrixResult& result, const GridOptions& options);

// `40 cells: 34 accepted, 6 refused, 0 misread, 0 crashed, 0 unexpected`
std::string SummaryLine(const MatrixSummary& summary);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_GRID_H_
