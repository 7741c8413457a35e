// One unit of simulated work for the matrix: a history, modules of its
// versions, and a judge that executes them. Everything is made from the seed,
// on the thread that asks; nothing is shared.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_SIMULATED_CASE_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_SIMULATED_CASE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "ir/module.h"
#include "schema/history.h"

namespace opcompat {
namespace simulation {

// The group of all simulated histories in reports.
inline constexpr absl::string_view kSimulatedGroup = "simulated";

// Executes `original` at version `writer` and `result`, which was made of it,
// at version `reader`, with the simulated kernels of the history (kernels.h).
// The first difference in words, or nullopt: the same numbers. Safe to call
// from several threads.
using ExecutionJudge = std::function<absl::optional<std::string>(
    const Module& original, absl::string_view writer, const Module& result,
    absl::string_view reader)>;

struct SimulatedModule {
  std::string path;  // as reports name it: `sim-17/m0.graph`
  std::string text;  // with an `opset` line: it is written at that version
};

struct SimulatedCase {
  std::string name;  // `sim-17`
  std::shared_ptr<const SimulatedHistory> simulated;
  std::shared_ptr<const OpsetHistory> history;
  std::vector<SimulatedModule> modules;
  ExecutionJudge judge;
};

// The case of a seed. With `options.careless`, one whose history loads all the
// same. Returns Internal for our own bugs only.
absl::StatusOr<SimulatedCase> SimulateCase(
    uint64_t seed, const SimulationOptions& options = {});

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_SIMULATED_CASE_H_
