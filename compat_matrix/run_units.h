// Runs the units of a matrix on all cores and hands over their cells in order.
//
// A unit is what one thread does at a time: the cells of a module with the
// versions of a history (matrix.h), or of a simulated history. Threads meet
// once per unit, never within one; how many finished modules wait for one that
// takes longer is bounded. What comes out is the same with any number of
// threads.
#ifndef OPCOMPAT_COMPAT_MATRIX_RUN_UNITS_H_
#define OPCOMPAT_COMPAT_MATRIX_RUN_UNITS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compat_matrix/result.h"
#include "compat_matrix/worker.h"

namespace opcompat {

class UnitSource {
 public:
  virtual ~UnitSource() = default;
  virtual size_t size() const = 0;
  // Makes the cells of unit `i`, module by module; a module without cells is
  // not among them. An error ends the run. Called by several threads at once.
  virtual absl::StatusOr<std::vector<ModuleCells>> Run(
      size_t i, Worker& worker) const = 0;
};

// Which units of a run: those whose index, modulo `count`, is `index`.
struct Shard {
  uint32_t index = 0;
  uint32_t count = 1;  // > index
};

struct RunProgress {
  size_t units_done = 0;
  size_t units = 0;  // of the shard
  uint64_t cells = 0;
};

struct RunOptions {
  // At least one.
  std::vector<TesteeFactory> testees = {InProcessTesteeFactory()};
  // The first is this build.
  std::vector<AuthorFactory> authors = {InProcessAuthorFactory()};
  // 0: as many as there are cores.
  int threads = 0;
  Shard shard;
  // At most so many units are begun and not handed over yet. 0: a few for each
  // thread.
  size_t window = 0;
  // Called after each unit, by the calling thread; may be null.
  std::function<void(const RunProgress&)> progress;
};

// Of a run with these options; `run` as RunPart has it.
RunNames NamesOf(const RunOptions& options, std::string run = "");

// Runs the units of the shard, in the order of `sources`, and gives their
// modules to `sink` in that order, on the calling thread. The first error, in
// the order of the units, is returned: the unit's or the sink's; what came
// before has been handed over.
absl::StatusOr<MatrixSummary> RunUnits(
    const std::vector<const UnitSource*>& sources, const RunOptions& options,
    ResultSink* sink);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_RUN_UNITS_H_
