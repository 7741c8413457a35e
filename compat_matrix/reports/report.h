// What all reports on a run of the matrix have in common.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_REPORT_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_REPORT_H_

#include "absl/status/status.h"
#include "compat_matrix/result.h"

namespace opcompat {

// Takes the run module by module and keeps no more of it than it has to say at
// the end. Not for several threads.
class MatrixReport : public ResultSink {
 public:
  // Once, after the last module. `summary` is that of the whole run. After an
  // error, or without Finish(), there is no report.
  virtual absl::Status Finish(const MatrixSummary& summary) = 0;
};

// Hands a result that is in memory to `report`, and finishes it.
absl::Status WriteReport(const MatrixResult& result, MatrixReport* report);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_REPORT_H_
