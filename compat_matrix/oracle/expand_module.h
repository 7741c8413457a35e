// The module that a reader, or a target, must end up with.
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_EXPAND_MODULE_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_EXPAND_MODULE_H_

#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "compat_matrix/oracle/call.h"
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

// By function of a module.
std::vector<GraphFacts> FactsOfFunctions(const Module& module);

// Every call of `original` expanded, in the order of the nodes; nullopt if one
// is refused: then all reasons are in `refused`, call by call. Not canonical;
// without debug information. Linear in what comes out. `facts` are
// FactsOfFunctions(original). `each_call_alone`: without taking calls of one
// shape together (call_shapes.h); makes no difference but in time.
// Precondition: `original` verifies.
absl::optional<Module> ExpectedModule(const Module& original,
                                      const std::vector<GraphFacts>& facts,
                                      Expander* expander,
                                      std::vector<RefusedCall>* refused,
                                      bool each_call_alone = false);

// Whether every operator is the same at the reader, so that the module is what
// must come out ("Equal entries: the identity" in docs/compatibility.md).
bool IsTheSameThere(const Module& original, Expander* expander);

}  // namespace oracle
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_EXPAND_MODULE_H_
