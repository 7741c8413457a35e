// A step graph applied to one call: the body of an upgrader or downgrader with
// the call's operands in the place of its parameters, constants as constants,
// ready to be bound like any module.
#ifndef OPCOMPAT_BINDING_STEP_INSTANCE_H_
#define OPCOMPAT_BINDING_STEP_INSTANCE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "binding/call.h"
#include "ir/module.h"
#include "schema/value.h"

namespace opcompat {

struct StepInstance {
  // One function. Its parameters are the operands of the call that are graph
  // values; it returns the results that are used. Canonical and verified.
  Module module;
  // By parameter: the operand of the node (CallArgument::source), and whether
  // something around the call writes to it.
  std::vector<int> sources;
  std::vector<bool> written;
};

// A named constant attribute of the node that is replaced.
using NamedConstant = std::pair<std::string, Value>;

// `body` is a StepGraph's; `call` gives its parameters: one for each exposed
// argument of the call's entry; no variadic operands. `used_results` has a flag
// for each result that the body returns. The attributes go to the node that
// defines the first result.
// Returns FailedPrecondition if the graph cannot stand for the call: it does
// not type-check with these operands, or no node of it can carry the
// attributes. ResourceExhausted beyond the limits of modules.
absl::StatusOr<StepInstance> Instantiate(
    const Module& body, const Call& call, const std::vector<bool>& used_results,
    const std::vector<NamedConstant>& attributes);

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_STEP_INSTANCE_H_
