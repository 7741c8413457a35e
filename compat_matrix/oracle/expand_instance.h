// A step graph with a call's operands put into it ("The call's operands are put
// into a body before it is bound" in docs/compatibility.md).
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_EXPAND_INSTANCE_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_EXPAND_INSTANCE_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "compat_matrix/oracle/call.h"
#include "ir/module.h"
#include "schema/value.h"

namespace opcompat {
namespace oracle {

// The body as the call has it: a small file of the version that the body is
// written at.
struct Instance {
  // Canonical; one function. Its parameters are the graph values that the call
  // gives, each once, with their own types; what the call gives as a constant,
  // or leaves out, is a constant. It returns the results that are used.
  Module module;
  // By parameter: the value around the call.
  std::vector<ValueId> parameters;
  // By returned value: which result of the call it is.
  std::vector<size_t> results;
  // What is used and written, inside or outside.
  GraphFacts facts;

  const Graph& graph() const { return module.functions[0].graph; }
  const Node& returned() const { return graph().nodes.back(); }
};

// A node's attributes, by name.
using NodeAttributes = std::vector<std::pair<std::string, Value>>;
NodeAttributes AttributesOf(const Module& module, const Graph& graph,
                            const Node& node);

// `body` in the place of `call`, whose attributes go to the node that defines
// the first value which the body returns. Nullopt: that is none that can take
// them (and nothing may be lost), or the body does not verify with what the
// call gives.
// Precondition: the body's parameters are the arguments that the call's entry
// exposes (StepGraph::body of a step at that entry).
absl::optional<Instance> Instantiate(const Module& body, const Call& call,
                                     const NodeAttributes& attributes);

}  // namespace oracle
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_EXPAND_INSTANCE_H_
