// Simulated histories of a run, as files that every other command takes.
#ifndef OPCOMPAT_TOOLS_SAVE_SIMULATED_H_
#define OPCOMPAT_TOOLS_SAVE_SIMULATED_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "compat_matrix/simulation/simulated_history.h"

namespace opcompat {

// Writes, for each of `size` seeds from `first_seed` on, what the matrix runs
// of it: DIRECTORY/sim-SEED/ with the history (`history.textproto` and what
// belongs to it), `modules/`, and `steps.txt`, the list of what happened.
// Directories are made where there are none. Returns AlreadyExists if there is
// a DIRECTORY/sim-SEED: nothing is overwritten.
absl::Status SaveSimulated(const std::string& directory, uint64_t first_seed,
                           size_t size,
                           const simulation::SimulationOptions& options);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_SAVE_SIMULATED_H_
