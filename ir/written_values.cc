#include "ir/written_values.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "schema/operator_schema.h"

namespace opcompat {
namespace {

// The kind of the `place`-th node of the type in preorder; `*place` counts
// down. Returns false if the type has fewer nodes.
bool KindAt(const Type& type, uint32_t* place, TypeKind* kind) {
  if (*place == 0) {
    *kind = type.kind();
    return true;
  }
  for (const Type& child : type.children()) {
    --*place;
    if (KindAt(child, place, kind)) return true;
  }
  return false;
}

bool MarksContainer(const Type& type, const AliasAnnotation& annotation) {
  uint32_t place = annotation.place;
  TypeKind kind = TypeKind::kAny;
  // What cannot be placed is taken for a container.
  return !KindAt(type, &place, &kind) || kind != TypeKind::kTensor;
}

}  // namespace

bool MarksContainer(const Type& type, const AliasAnnotations& alias) {
  return std::any_of(alias.begin(), alias.end(),
                     [&type](const AliasAnnotation& annotation) {
                       return MarksContainer(type, annotation);
                     });
}

WrittenValues::WrittenValues(const Module& module, const Graph& graph)
    : parents_(graph.num_values()),
      is_written_(graph.num_values(), false),
      is_held_(graph.num_values(), false) {
  for (uint32_t v = 0; v < parents_.size(); ++v) parents_[v] = v;
  for (const Node& node : graph.nodes) {
    const ModuleOperator& op = module.op(node);
    if (op.entry != nullptr) {
      AddCall(module, graph, node, *op.entry);
    } else {
      AddIntrinsic(module, graph, node);
    }
  }
  // From values to their classes.
  for (uint32_t v = 0; v < parents_.size(); ++v) {
    const uint32_t top = Find(v);
    if (is_written_[v]) is_written_[top] = true;
    if (is_held_[v]) is_held_[top] = true;
  }
  for (uint32_t v = 0; v < parents_.size(); ++v) {
    held_is_written_ |= is_written_[v] && is_held_[Find(v)];
  }
}

bool WrittenValues::MayBeWritten(ValueId value) const {
  const uint32_t top = Find(value.index);
  return is_written_[top] || (is_held_[top] && held_is_written_);
}

uint32_t WrittenValues::Find(uint32_t value) const {
  while (parents_[value] != value) {
    parents_[value] = parents_[parents_[value]];
    value = parents_[value];
  }
  return value;
}

void WrittenValues::Unite(Operand a, ValueId b) {
  if (!a.is_value()) return;
  const uint32_t x = Find(a.value().index);
  const uint32_t y = Find(b.index);
  // The older value stands for the class: definitions come before uses.
  parents_[std::max(x, y)] = std::min(x, y);
}

void WrittenValues::Unite(Operand a, Operand b) {
  if (b.is_value()) Unite(a, b.value());
}

void WrittenValues::MarkHeld(Operand operand) {
  if (operand.is_value()) is_held_[operand.value().index] = true;
}

void WrittenValues::AddCall(const Module& module, const Graph& graph,
                            const Node& node, const OperatorEntry& entry) {
  const CallForm& form = module.form(node);
  for (uint32_t r = 0; r < form.result_types.size(); ++r) {
    // What results of `-> ...` are, nothing says.
    if (r >= entry.results.size() || MentionsWildcard(entry.results[r].alias)) {
      is_held_[node.results_begin + r] = true;
    }
  }
  for (size_t i = 0; i < form.slots.size(); ++i) {
    const Operand operand = graph.operands[node.operands_begin + i];
    const uint32_t a = form.slots[i].argument;
    if (!operand.is_value() || a == Slot::kVariadic) continue;
    const EntryArgument& argument = entry.arguments[a];
    if (argument.alias.empty()) continue;
    for (const AliasAnnotation& annotation : argument.alias) {
      if (annotation.write && MarksContainer(argument.type, annotation)) {
        is_written_[operand.value().index] = true;
      }
    }
    if (MentionsWildcard(argument.alias)) MarkHeld(operand);
    for (uint32_t r = 0; r < form.result_types.size(); ++r) {
      if (r < entry.results.size() &&
          ShareASet(argument.alias, entry.results[r].alias)) {
        Unite(operand, ValueId(node.results_begin + r));
      }
    }
  }
}

void WrittenValues::AddIntrinsic(const Module& module, const Graph& graph,
                                 const Node& node) {
  const CallForm& form = module.form(node);
  const Intrinsic intrinsic = module.op(form.op).intrinsic;
  const absl::Span<const Operand> operands = module.operands(graph, node);
  switch (intrinsic) {
    case Intrinsic::kIf:
    case Intrinsic::kLoop: {
      // A Loop yields its condition first.
      const size_t skipped = intrinsic == Intrinsic::kLoop ? 1 : 0;
      for (uint32_t b = 0; b < form.num_blocks; ++b) {
        const Block& block = graph.blocks[node.first_block.index + b];
        const Node& param = graph.nodes[block.param.index];
        const absl::Span<const Operand> yielded =
            module.operands(graph, graph.nodes[block.end.index]);
        for (uint32_t r = 0; r < form.result_types.size(); ++r) {
          const ValueId result(node.results_begin + r);
          if (r + skipped < yielded.size()) {
            Unite(yielded[r + skipped], result);
          }
          if (intrinsic != Intrinsic::kLoop) continue;
          if (r + 2 < operands.size()) Unite(operands[r + 2], result);
          if (r + 1 < module.num_results(param)) {
            Unite(Operand(result), ValueId(param.results_begin + r + 1));
          }
        }
      }
      break;
    }
    case Intrinsic::kCallMethod:
    case Intrinsic::kCallFunction:
      // May write what it is given.
      for (const Operand operand : operands) {
        if (operand.is_value()) is_written_[operand.value().index] = true;
      }
      ABSL_FALLTHROUGH_INTENDED;
    case Intrinsic::kListConstruct:
    case Intrinsic::kTupleConstruct:
    case Intrinsic::kDictConstruct:
    case Intrinsic::kListUnpack:
    case Intrinsic::kGetAttr:
    case Intrinsic::kSetAttr:
      for (const Operand operand : operands) MarkHeld(operand);
      for (uint32_t r = 0; r < form.result_types.size(); ++r) {
        // A construct is a new object; what comes out of one is not.
        if (intrinsic == Intrinsic::kListConstruct ||
            intrinsic == Intrinsic::kTupleConstruct ||
            intrinsic == Intrinsic::kDictConstruct) {
          break;
        }
        is_held_[node.results_begin + r] = true;
      }
      break;
    default:
      break;
  }
}

}  // namespace opcompat
