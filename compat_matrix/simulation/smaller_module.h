// Smaller versions of a module text. Used by the reducer.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_SMALLER_MODULE_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_SMALLER_MODULE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace opcompat {
namespace simulation {

// Texts with something less than `text`, which is canonical (a statement a
// line, blocks indented), largest savings first; some may be no module.
// What nodes that are gone made becomes a parameter of the function, or,
// without `may_change_parameters` (step graphs), another value of that type.
std::vector<std::string> SmallerModules(absl::string_view text,
                                        bool may_change_parameters);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_SMALLER_MODULE_H_
