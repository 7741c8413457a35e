// The compatibility matrix: every module x writer version x reader version
// (and target), each cell predicted, run through a testee, and judged.
//
// It proves, for the histories and modules given, that a file is accepted with
// the writer's meaning or refused with a reason, and never misread.
#ifndef OPCOMPAT_COMPAT_MATRIX_MATRIX_H_
#define OPCOMPAT_COMPAT_MATRIX_MATRIX_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/result.h"
#include "compat_matrix/testees/testee.h"
#include "schema/history.h"

namespace opcompat {

struct MatrixModule {
  std::string path;  // as reports name it
  std::string text;  // module text
};

struct MatrixOptions {
  // Each varies alone while the others are at their newest version.
  std::vector<std::shared_ptr<const OpsetHistory>> histories;
  // A module with `opset` lines is written at those versions only, one without
  // at every version where it verifies.
  std::vector<MatrixModule> modules;
  // Version ids to which writers (readers and targets) are limited; empty: all.
  std::vector<std::string> writers;
  std::vector<std::string> readers;
  // Not owned; at least one.
  std::vector<Testee*> testees;
  // Called after each module with the number of modules done; may be null.
  std::function<void(size_t done, size_t all)> progress;
};

// Runs the matrix. Returns InvalidArgument if a module does not parse at the
// versions that it names, or at none of the versions (nothing is skipped), if
// no module or no cell is left, or if `writers` or `readers` name a version
// that no history has.
absl::StatusOr<MatrixResult> RunMatrix(const MatrixOptions& options);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_MATRIX_H_
