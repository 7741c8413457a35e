// One table of a grid: writers down, readers across, cells summed over modules.
// Knows how to lay it out in a given width, and nothing of which tables there
// are.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_GRID_TABLE_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_GRID_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/result.h"

namespace opcompat {

struct GridSum {
  uint64_t cells = 0;
  uint64_t accepted = 0;  // with the writer's meaning, predicted or not
  uint64_t identical = 0;
  uint64_t misread = 0;
  uint64_t crashed = 0;
  uint64_t hung = 0;
  uint64_t unexpected = 0;

  void Add(const Cell& cell);
  bool good() const { return misread + crashed + hung + unexpected == 0; }
  // `58/58`, with ` M`, ` C`, ` H`, ` U` where something is wrong.
  std::string Counts() const;
  // One character: GridTable::kLegend.
  char Letter() const;
};

class GridTable {
 public:
  // What the letters mean, for those who print tables with letters.
  static constexpr absl::string_view kLegend =
      "A: all accepted (a: some, .: all, as they stand), R: refused, as "
      "predicted,\nM: misread, C: crashed, H: hung, U: unexpected, -: no cell";

  // `versions` in the order in which rows and columns are to stand; those
  // without cells are not printed, others follow.
  GridTable(std::string title, const std::vector<std::string>& versions);

  void Add(const ModuleCells& module, const Cell& cell);

  // The table with counts if no line is longer than `width`, else with letters
  // and numbered versions, in blocks of columns if need be: a line is never
  // longer (in characters, colours and the title apart) unless `width` is less
  // than 40. `letters` says which it was.
  std::string Text(size_t width, bool color, bool* letters) const;

 private:
  struct Shown {
    std::vector<size_t> rows;
    std::vector<size_t> columns;
  };

  size_t IndexOf(const std::string& version);
  GridSum At(size_t row, size_t column) const;
  // The versions with cells.
  Shown FindShown() const;
  // Empty: it is wider than `width`.
  std::string WithCounts(const Shown& shown, size_t width, bool color) const;
  std::string WithLetters(const Shown& shown, size_t width, bool color) const;

  std::string title_;
  std::vector<std::string> versions_;
  absl::flat_hash_map<std::string, size_t> indices_;
  std::vector<std::vector<GridSum>> sums_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_GRID_TABLE_H_
