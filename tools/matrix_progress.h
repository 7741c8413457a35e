// How far a run of the matrix is, how fast, and how long it takes still: a bar
// on a terminal; in a log a plain line now and then.
#ifndef OPCOMPAT_TOOLS_MATRIX_PROGRESS_H_
#define OPCOMPAT_TOOLS_MATRIX_PROGRESS_H_

#include <cstdio>
#include <functional>
#include <string>

#include "absl/types/optional.h"
#include "compat_matrix/run_units.h"
#include "tools/output.h"
#include "tools/progress.h"

namespace opcompat {

// On standard error, and not with --quiet. Not for several threads.
class MatrixProgress {
 public:
  explicit MatrixProgress(const OutputOptions& options);
  // Shown on `out` as on a terminal, or as in a log. `now` gives seconds. For
  // tests.
  MatrixProgress(std::FILE* out, bool is_terminal, std::function<double()> now);

  // The first lines of a log come when a run takes long.
  void Show(const RunProgress& progress);

  // `5320 cells/s, 1 min 20 s left`
  static std::string Rate(const RunProgress& progress, double seconds);

 private:
  std::FILE* out_;
  absl::optional<ProgressLine> bar_;
  std::function<double()> now_;
  double begin_;
  double last_line_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_MATRIX_PROGRESS_H_
