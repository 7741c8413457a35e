#include "ir/written_values.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/hash_map.h"
#include "schema/operator_schema.h"

namespace opcompat {
namespace {

// The `place`-th node of the type in preorder; null if it has fewer.
const Type* NodeAt(const Type& type, int64_t place) {
  const Type* node = &type;
  while (place > 0) {
    --place;
    const Type* next = nullptr;
    for (const Type& child : node->children()) {
      if (place < child.num_parts()) {
        next = &child;
        break;
      }
      place -= child.num_parts();
    }
    if (next == nullptr) return nullptr;
    node = next;
  }
  return node;
}

bool MarksContainer(const Type& type, const AliasAnnotation& annotation) {
  const Type* const node = NodeAt(type, annotation.place);
  // What cannot be placed is taken for a container.
  return node == nullptr || node->kind() != TypeKind::kTensor;
}

}  // namespace

bool MarksContainer(const Type& type, const AliasAnnotations& alias) {
  return std::any_of(alias.begin(), alias.end(),
                     [&type](const AliasAnnotation& annotation) {
                       return MarksContainer(type, annotation);
                     });
}

struct WrittenValues::FormEffects {
  // Slots that take values, and results.
  std::vector<uint32_t> written_slots;
  std::vector<uint32_t> held_slots;
  std::vector<uint32_t> held_results;
  // Slot and result that are one object.
  std::vector<std::pair<uint32_t, uint32_t>> united;
};

WrittenValues::WrittenValues(const Module& module, const Graph& graph)
    : parents_(graph.num_values()),
      is_written_(graph.num_values(), false),
      is_held_(graph.num_values(), false) {
  for (uint32_t v = 0; v < parents_.size(); ++v) parents_[v] = v;
  HashMap<uint32_t, FormEffects> effects;
  for (const Node& node : graph.nodes) {
    const ModuleOperator& op = module.op(node);
    if (op.entry == nullptr) {
      AddIntrinsic(module, graph, node);
      continue;
    }
    const auto [it, is_new] = effects.try_emplace(node.form.index);
    if (is_new) it->second = EffectsOf(module.form(node), *op.entry);
    AddCall(graph, node, it->second);
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

WrittenValues::FormEffects WrittenValues::EffectsOf(
    const CallForm& form, const OperatorEntry& entry) {
  FormEffects effects;
  for (uint32_t r = 0; r < form.result_types.size(); ++r) {
    // What results of `-> ...` are, nothing says.
    if (r >= entry.results.size() || MentionsWildcard(entry.results[r].alias)) {
      effects.held_results.push_back(r);
    }
  }
  // By alias set: the slots and the results that are in it.
  HashMap<absl::string_view,
          std::pair<std::vector<uint32_t>, std::vector<uint32_t>>>
      sets;
  for (uint32_t i = 0; i < form.slots.size(); ++i) {
    const uint32_t a = form.slots[i].argument;
    if (form.slots[i].is_constant || a == Slot::kVariadic) continue;
    const EntryArgument& argument = entry.arguments[a];
    if (argument.alias.empty()) continue;
    for (const AliasAnnotation& annotation : argument.alias) {
      if (annotation.write && MarksContainer(argument.type, annotation)) {
        effects.written_slots.push_back(i);
        break;
      }
    }
    if (MentionsWildcard(argument.alias)) effects.held_slots.push_back(i);
    for (const AliasAnnotation& annotation : argument.alias) {
      for (const std::string& set : annotation.before) {
        sets[set].first.push_back(i);
      }
      for (const std::string& set : annotation.after) {
        sets[set].first.push_back(i);
      }
    }
  }
  if (sets.empty()) return effects;
  const size_t num_results =
      std::min(form.result_types.size(), entry.results.size());
  for (uint32_t r = 0; r < num_results; ++r) {
    for (const AliasAnnotation& annotation : entry.results[r].alias) {
      for (const auto* names : {&annotation.before, &annotation.after}) {
        for (const std::string& set : *names) {
          const auto it = sets.find(set);
          if (it != sets.end()) it->second.second.push_back(r);
        }
      }
    }
  }
  // Every slot of a set with every result of it is the same as each with the
  // first of the others: being one object is transitive.
  for (const auto& [set, members] : sets) {
    const auto& [slots, results] = members;
    if (results.empty()) continue;
    for (const uint32_t slot : slots) {
      effects.united.emplace_back(slot, results[0]);
    }
    for (const uint32_t result : results) {
      effects.united.emplace_back(slots[0], result);
    }
  }
  return effects;
}

void WrittenValues::AddCall(const Graph& graph, const Node& node,
                            const FormEffects& effects) {
  const Operand* const operands = graph.operands.data() + node.operands_begin;
  for (const uint32_t r : effects.held_results) {
    is_held_[node.results_begin + r] = true;
  }
  for (const uint32_t i : effects.written_slots) {
    is_written_[operands[i].value().index] = true;
  }
  for (const uint32_t i : effects.held_slots) MarkHeld(operands[i]);
  for (const auto& [slot, result] : effects.united) {
    Unite(operands[slot], ValueId(node.results_begin + result));
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
