// The judgement proper: whether a module that came out means what the module
// that must come out means, node by node.
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_JUDGEMENT_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_JUDGEMENT_H_

#include <string>

#include "absl/types/optional.h"
#include "ir/module.h"

namespace opcompat {
namespace oracle {

// Nullopt if the two mean the same, else the first difference in words. Both
// have the reader's entries; names of values do not count. Linear in the
// modules. Precondition: both verify and are canonical.
absl::optional<std::string> ModulesDiffer(const Module& expected,
                                          const Module& result);

}  // namespace oracle
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_JUDGEMENT_H_
