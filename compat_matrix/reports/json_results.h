// Reads back what JsonReport (json_report.h) wrote: for what is done with the
// results of a run afterwards, such as putting shards together. docs/matrix.md
// has the schema.
//
// What a report does not have does not come back: what was done to calls where
// a cell is identical, and predicted reasons where it is good.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_JSON_RESULTS_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_JSON_RESULTS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/result.h"

namespace opcompat {

// Returns InvalidArgument if `json` is not the report of a run of `opcompat
// matrix`, saying where and what was expected; or if cells are missing: there
// are others than the summary and each module's first cell say.
absl::StatusOr<MatrixResult> ReadMatrixJson(absl::string_view json);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_JSON_RESULTS_H_
