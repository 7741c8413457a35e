// The module that a reader, or a target, must end up with.
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_EXPAND_MODULE_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_EXPAND_MODULE_H_

#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "compat_matrix/oracle/expand.h"
#include "compat_matrix/oracle/identity.h"
#include "ir/module.h"

namespace opcompat {
namespace oracle {

// A call that is refused, and why. Without an operator: the module as a whole
// does not type-check for the reader.
struct RefusedCall {
  std::string function;
  std::string op;
  Problem problem;
};

// Every call of `original` expanded, in the order of the nodes; nullopt if one
// is refused: then all reasons are in `refused`, call by call. Not canonical;
// without debug information. Linear in what comes out.
// Precondition: `original` verifies.
absl::optional<Module> ExpectedModule(const Module& original,
                                      Expander* expander,
                                      std::vector<RefusedCall>* refused);

}  // namespace oracle
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_EXPAND_MODULE_H_
