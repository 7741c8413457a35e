// Smaller versions of a module text. Used by the reducer.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_SMALLER_MODULE_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_SMALLER_MODULE_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace opcompat {
namespace simulation {

// A text that is made when it is asked for: a large module has thousands, and
// few are tried. nullopt: there is none, after all.
using SmallerText = std::function<absl::optional<std::string>()>;

// Texts with something less than `text`, which is canonical (a statement a
// line, blocks indented), largest savings first; some may be no module.
// What nodes that are gone made becomes a parameter of the function, or,
// without `may_change_parameters` (step graphs), another value of that type.
std::vector<SmallerText> SmallerModules(absl::string_view text,
                                        bool may_change_parameters);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_SMALLER_MODULE_H_
