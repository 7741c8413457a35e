// Whether a module can be a step graph: what stands for a call of an operator
// at another revision or version. Wherever a graph comes from, binding relies
// on this.
#ifndef OPCOMPAT_IR_STEP_GRAPH_CHECK_H_
#define OPCOMPAT_IR_STEP_GRAPH_CHECK_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ir/module.h"
#include "schema/operator_entry.h"

namespace opcompat {

// InvalidArgument unless `module`
//   * has one function and nothing beside it but `opset` and `meta` lines;
//   * has one parameter for each argument that `entry` exposes, in order, of
//     that type or a supertype;
//   * returns as many results as `entry` has, each of that type or a subtype;
//   * does not use prim::GetAttr, SetAttr, CallMethod or CallFunction: it has
//   no
//     module around it.
// Whether its effects are those of `entry`, graph_effects.h says. `kind` is
// "upgrader" or "downgrader", for the message. Precondition: `module` verifies.
absl::Status CheckStepGraph(const Module& module, const OperatorEntry& entry,
                            absl::string_view kind);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_STEP_GRAPH_CHECK_H_
