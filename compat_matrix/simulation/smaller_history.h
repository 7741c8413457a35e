// Smaller versions of a history's files. Used by the reducer.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_SMALLER_HISTORY_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_SMALLER_HISTORY_H_

#include <string>
#include <vector>

#include "compat_matrix/simulation/simulated_history.h"

namespace opcompat {
namespace simulation {

// Files with something less than `files`: a version that is not one of `kept`,
// an operator, an argument, a result, a declaration. Some may be no history.
// Empty if `history.textproto` cannot be read.
std::vector<HistoryFiles> SmallerHistories(
    const HistoryFiles& files, const std::vector<std::string>& kept);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_SMALLER_HISTORY_H_
