// What becomes of the nodes of one shape: worked out once, applied to each.
#ifndef OPCOMPAT_BINDING_NODE_PLAN_H_
#define OPCOMPAT_BINDING_NODE_PLAN_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "binding/call.h"
#include "binding/expansion.h"
#include "ir/ids.h"

namespace opcompat {

struct NodePlan {
  std::vector<Refusal> refusals;
  FormId form;
  // The operands of the new node: an operand of the old one (>= 0), or a
  // constant (~index).
  std::vector<int64_t> sources;
  // The results of the new node: a result of the old one (>= 0), or a new one.
  std::vector<std::pair<int, TypeId>> results;
  // Whether the operands and the results are those of the old node.
  bool keeps_operands = false;
  bool keeps_results = false;
  // Whether the call may be wrong in the reader for a reason that binding one
  // call does not see: types that are neither equal nor plain.
  bool needs_verifying = false;
  CallNotes notes;
  // Not null: this takes the node's place, and returns the used ones of its
  // results.
  std::unique_ptr<Expansion> expansion;
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_NODE_PLAN_H_
