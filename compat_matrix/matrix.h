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
#include "binding/report.h"
#include "compat_matrix/testee.h"
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

enum class CellState : uint8_t {
  kAccepted,    // with the writer's meaning
  kRefused,     // as predicted, with reasons
  kUnexpected,  // accepted or refused, rightly or not, against the prediction
  kMisread,     // accepted with another meaning
  kCrashed,     // no answer
};

// `accepted`, `refused`, `unexpected`, `misread`, `crashed`.
absl::string_view CellStateName(CellState state);

struct Cell {
  std::string module;
  std::string history;  // the one that varies
  std::string writer;
  std::string reader;
  // The version for which it was written; empty: for nobody. Equal to `reader`.
  std::string target;
  std::string testee;
  bool predicted_accepted = false;
  // Of a predicted refusal: `CODE OPERATOR ARGUMENT`.
  std::vector<std::string> predicted_reasons;
  bool accepted = false;
  CellState state = CellState::kCrashed;
  std::vector<Reason> reasons;  // of a refusal
  // What is wrong, for the last three states.
  std::string detail;
};

struct MatrixSummary {
  uint64_t cells = 0;
  uint64_t accepted = 0;
  uint64_t refused = 0;
  uint64_t misread = 0;
  uint64_t crashed = 0;
  uint64_t unexpected = 0;

  bool good() const { return misread == 0 && crashed == 0 && unexpected == 0; }
};

struct MatrixResult {
  // By history, module, writer, reader, testee; a target's cell after the
  // plain one.
  std::vector<Cell> cells;
  MatrixSummary summary;
};

// Runs the matrix. Returns InvalidArgument if a module does not parse at the
// versions that it names, or at none of the versions (nothing is skipped), if
// no module or no cell is left, or if `writers` or `readers` name a version
// that no history has.
absl::StatusOr<MatrixResult> RunMatrix(const MatrixOptions& options);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_MATRIX_H_
