// A case of text, loaded and parsed: what it takes to try laws on it.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_LOADED_CASE_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_LOADED_CASE_H_

#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/laws.h"
#include "compat_matrix/simulation/reduce.h"
#include "compat_matrix/simulation/truth.h"
#include "ir/module.h"
#include "ir/text/history_loader.h"

namespace opcompat {
namespace simulation {

struct LoadedCase {
  LoadedHistory loaded;
  absl::optional<Truth> truth;  // always there
  LawTally tally;
  std::unique_ptr<Laws> laws;  // look at the above
  Module module;
  size_t writer = 0;  // by place
  size_t reader = 0;
};

// Kernels do what the case's own history declares, and its secrets. `options`:
// undoes_itself and testee; the rest is not used.
// Returns InvalidArgument if it is no case: the history has faults, one of the
// versions is not there, or the module cannot be parsed.
absl::StatusOr<std::unique_ptr<LoadedCase>> LoadCase(
    const ReducibleCase& the_case, const LawOptions& options = {});

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_LOADED_CASE_H_
