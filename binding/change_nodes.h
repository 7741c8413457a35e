// Binding in place: where every call becomes one call with the results of the
// old one, the columns of a graph change where they are.
#ifndef OPCOMPAT_BINDING_CHANGE_NODES_H_
#define OPCOMPAT_BINDING_CHANGE_NODES_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "binding/node_plan.h"
#include "ir/ids.h"
#include "ir/module.h"

namespace opcompat {

// Nodes that become others, by rising index. Their plans keep results.
using NodeChanges = std::vector<std::pair<uint32_t, const NodePlan*>>;

// Changes the nodes of `changes`, and gives the others their new forms.
// `passing`: by old form, the form of nodes that stay; `num_operands`: by old
// form. Memory is asked for only if operands do not fit where they are.
void ChangeNodes(const NodeChanges& changes, const std::vector<FormId>& passing,
                 const std::vector<uint32_t>& num_operands, Graph* graph);

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_CHANGE_NODES_H_
