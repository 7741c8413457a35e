#include "compat_matrix/reports/report.h"

#include "absl/status/status.h"
#include "base/status_macros.h"
#include "compat_matrix/result.h"

namespace opcompat {

absl::Status WriteReport(const MatrixResult& result, MatrixReport* report) {
  for (const ModuleCells& module : result.modules) {
    OPCOMPAT_RETURN_IF_ERROR(report->Add(module));
  }
  return report->Finish(result.summary);
}

}  // namespace opcompat
