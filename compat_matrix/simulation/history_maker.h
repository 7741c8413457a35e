// Makes the files of a simulated history, version by version. Used by
// simulated_history.h only.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_HISTORY_MAKER_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_HISTORY_MAKER_H_

#include <cstdint>

#include "compat_matrix/simulation/simulated_history.h"

namespace opcompat {
namespace simulation {

// All of the result but `loaded`.
SimulatedHistory MakeHistory(uint64_t seed, const SimulationOptions& options);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_HISTORY_MAKER_H_
