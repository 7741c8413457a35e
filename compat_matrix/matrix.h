// The compatibility matrix: every module x writer version x reader version
// (and target), each cell predicted, run through a testee, and judged.
//
// It proves, for the histories and modules given, that a file is accepted with
// the writer's meaning or refused with a reason, and never misread.
#ifndef OPCOMPAT_COMPAT_MATRIX_MATRIX_H_
#define OPCOMPAT_COMPAT_MATRIX_MATRIX_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/cell_runner.h"
#include "compat_matrix/result.h"
#include "compat_matrix/run_fingerprint.h"
#include "compat_matrix/run_units.h"
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
  // MatrixHistory::group of all of them; empty: their names.
  std::string group;
  // CellRunner::Options::execution.
  ExecutionJudge execution;
};

// One unit for each history and module, in that order. Its error is
// InvalidArgument if the module does not parse at the versions that it names,
// or at none of the versions of all the histories (nothing is skipped).
// Create returns InvalidArgument if `writers` or `readers` name a version that
// no history has.
class ModuleUnits : public UnitSource {
 public:
  static absl::StatusOr<std::unique_ptr<ModuleUnits>> Create(
      MatrixOptions options);
  ~ModuleUnits() override;

  size_t size() const override;
  // Of unit `i`.
  const std::string& module_of(size_t i) const;
  const std::string& history_of(size_t i) const;
  // All that decides about the cells.
  void AddTo(RunFingerprint* fingerprint) const;
  absl::StatusOr<std::vector<ModuleCells>> Run(size_t i,
                                               Worker& worker) const override;

 private:
  struct History;
  explicit ModuleUnits(MatrixOptions options);

  const MatrixOptions options_;
  std::vector<std::unique_ptr<const History>> histories_;
};

// All cells of a run that is small. As RunUnits; and InvalidArgument if no cell
// is left.
absl::StatusOr<MatrixResult> RunMatrix(const MatrixOptions& options,
                                       const RunOptions& run = {});

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_MATRIX_H_
