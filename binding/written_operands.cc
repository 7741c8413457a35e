#include "binding/written_operands.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/ids.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/type.h"

namespace opcompat {

namespace {

// Whether everything that a node of the form is given may be written later.
bool LetsEscape(Intrinsic intrinsic) {
  switch (intrinsic) {
    case Intrinsic::kSetAttr:
    case Intrinsic::kCallMethod:
    case Intrinsic::kCallFunction:
    case Intrinsic::kLoop:
    case Intrinsic::kListConstruct:
    case Intrinsic::kTupleConstruct:
    case Intrinsic::kDictConstruct:
    // The function's own end is looked at apart.
    case Intrinsic::kReturn:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool MayBeContainer(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kOptional:
      return MayBeContainer(type.child());
    case TypeKind::kAny:
    case TypeKind::kVariable:
    case TypeKind::kNamed:
      return true;
    default:
      return !type.children().empty();
  }
}

std::vector<bool> WrittenValues(const Module& module, const Graph& graph,
                                const WrittenAround& around) {
  std::vector<bool> written(graph.num_values(), false);
  std::vector<bool> may_be_container;
  for (const Type& type : module.types) {
    may_be_container.push_back(MayBeContainer(type));
  }
  const auto write = [&](Operand operand) {
    if (!operand.is_value()) return;
    const uint32_t value = operand.value().index;
    if (may_be_container[graph.value_types[value].index]) written[value] = true;
  };
  for (size_t i = 0; i < around.parameters.size(); ++i) {
    if (around.parameters[i]) {
      write(Operand(ValueId(static_cast<uint32_t>(i))));
    }
  }
  // The slots of each form that what they are given may be written at.
  std::vector<std::vector<uint32_t>> slots_of(module.forms.size());
  for (size_t f = 0; f < module.forms.size(); ++f) {
    const CallForm& form = module.forms[f];
    const ModuleOperator& op = module.op(form.op);
    for (uint32_t i = 0; i < form.slots.size(); ++i) {
      const uint32_t argument = form.slots[i].argument;
      if (!form.slots[i].is_constant &&
          (op.entry == nullptr
               ? LetsEscape(op.intrinsic)
               : argument != Slot::kVariadic &&
                     op.entry->arguments[argument].is_written())) {
        slots_of[f].push_back(i);
      }
    }
  }
  const Operand* const operands = graph.operands.data();
  for (size_t n = 0; n + 1 < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    for (const uint32_t slot : slots_of[node.form.index]) {
      write(operands[node.operands_begin + slot]);
    }
  }
  const Node& last = graph.nodes.back();
  for (size_t i = 0; i < around.results.size(); ++i) {
    if (around.results[i]) write(operands[last.operands_begin + i]);
  }
  return written;
}

}  // namespace opcompat
