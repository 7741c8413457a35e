// The matrix as a table for a terminal: writers down, readers across, summed
// over modules.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_GRID_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_GRID_H_

#include <string>

#include "compat_matrix/result.h"

namespace opcompat {

struct GridOptions {
  bool color = false;
};

// One table for each history (and testee, if several), then the summary, then
// every cell that is misread, crashed or unexpected, with its detail. A table's
// cell says how many modules were accepted of how many (`58/58`), with a mark
// if something is wrong: M misread, C crashed, U unexpected.
std::string GridText(const MatrixResult& result, const GridOptions& options);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_GRID_H_
