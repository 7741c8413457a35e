#include "ir/surely_canonical.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ir/constant_values.h"
#include "ir/ids.h"
#include "schema/value.h"

namespace opcompat {
namespace {

bool IsConstruct(Intrinsic intrinsic) {
  return intrinsic == Intrinsic::kListConstruct ||
         intrinsic == Intrinsic::kTupleConstruct ||
         intrinsic == Intrinsic::kDictConstruct;
}

class Checker {
 public:
  explicit Checker(const Module& module) : module_(module) {
    for (const Value& value : module.constants) {
      holds_tensor_.push_back(value.holds_tensor());
      any_tensor_ |= value.holds_tensor();
    }
    for (const CallForm& form : module.forms) {
      needs_look_.push_back(NeedsLook(form));
      any_needs_look_ |= needs_look_.back() != 0;
    }
  }

  bool Check(const Graph& graph) const {
    return !any_needs_look_ ||
           std::all_of(graph.nodes.begin(), graph.nodes.end(),
                       [&](const Node& node) {
                         return needs_look_[node.form.index] == 0 ||
                                CheckNode(graph, node);
                       });
  }

 private:
  // Whether a node of the form might not be canonical.
  bool NeedsLook(const CallForm& form) const {
    const Intrinsic intrinsic = module_.op(form.op).intrinsic;
    if (intrinsic == Intrinsic::kConstant) return true;
    if (IsConstruct(intrinsic) &&
        std::all_of(form.slots.begin(), form.slots.end(),
                    [](Slot slot) { return slot.is_constant; })) {
      return true;
    }
    for (size_t i = 0; i < form.slots.size(); ++i) {
      if (form.slots[i].is_constant &&
          (any_tensor_ || !OnlyReads(module_, form, i))) {
        return true;
      }
    }
    return false;
  }

  bool CheckNode(const Graph& graph, const Node& node) const {
    const CallForm& form = module_.form(node);
    const Intrinsic intrinsic = module_.op(form.op).intrinsic;
    const Operand* const operands = graph.operands.data() + node.operands_begin;
    if (intrinsic == Intrinsic::kConstant) {
      // Others than these may become operands.
      return form.attribute_names.size() != 1 ||
             module_.string(form.attribute_names[0]) != "value" ||
             holds_tensor_[operands[0].constant().index];
    }
    // A construct of constants may be one itself. Values are none: of the
    // nodes before this one, none gave a constant that could be an operand.
    if (IsConstruct(intrinsic) && form.attribute_names.empty() &&
        std::none_of(operands, operands + form.slots.size(),
                     [](Operand operand) { return operand.is_value(); })) {
      return false;
    }
    for (size_t i = 0; i < form.slots.size(); ++i) {
      if (!operands[i].is_constant()) continue;
      const uint32_t constant = operands[i].constant().index;
      if (holds_tensor_[constant] ||
          (IsContainer(module_.constants[constant]) &&
           !OnlyReads(module_, form, i))) {
        return false;
      }
    }
    return true;
  }

  const Module& module_;
  std::vector<uint8_t> holds_tensor_;  // by constant
  bool any_tensor_ = false;
  std::vector<uint8_t> needs_look_;  // by form
  bool any_needs_look_ = false;
};

}  // namespace

bool IsSurelyCanonical(const Module& module) {
  const Checker checker(module);
  return std::all_of(
      module.functions.begin(), module.functions.end(),
      [&](const Function& function) { return checker.Check(function.graph); });
}

}  // namespace opcompat
