#include "ir/constant_values.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/typing.h"

namespace opcompat {
namespace {

// Fills in what walking the value tells.
void Measure(const Value& value, ConstantValues::Literal* literal) {
  literal->has_word |= value.kind() == ValueKind::kWord;
  literal->has_tensor |= value.kind() == ValueKind::kTensor;
  if (!IsContainer(value)) return;
  literal->leaves += value.elements().size();
  for (const Value& element : value.elements()) Measure(element, literal);
}

}  // namespace

bool OnlyReads(const Module& module, const CallForm& form, size_t slot) {
  const OperatorEntry* const entry = module.op(form.op).entry.get();
  const uint32_t argument = form.slots[slot].argument;
  return entry != nullptr && (argument == Slot::kVariadic ||
                              entry->arguments[argument].alias.empty());
}

ConstantValues::ConstantValues(const Module& module, TypeRelations* relations,
                               const PlaceTypes& places)
    : module_(module),
      relations_(*relations),
      places_(places),
      literal_of_constant_(module.constants.size(), kNoLiteral) {}

bool ConstantValues::IsConstruct(const Node& node) const {
  const Intrinsic intrinsic = module_.intrinsic(node);
  return intrinsic == Intrinsic::kListConstruct ||
         intrinsic == Intrinsic::kTupleConstruct ||
         intrinsic == Intrinsic::kDictConstruct;
}

void ConstantValues::Analyze(const Graph& graph) {
  graph_ = &graph;
  literal_of_.assign(graph.num_values(), kNoLiteral);
  is_shared_.assign(graph.num_values(), false);
  std::vector<bool> is_used(graph.num_values(), false);
  for (const Node& node : graph.nodes) {
    if (!IsConstruct(node)) continue;
    for (const Operand operand : module_.operands(graph, node)) {
      if (!operand.is_value()) continue;
      const uint32_t v = operand.value().index;
      if (is_used[v]) is_shared_[v] = true;
      is_used[v] = true;
    }
  }
  bool has_containers = false;
  for (const Node& node : graph.nodes) {
    const uint32_t literal = LiteralOfNode(graph, node);
    if (literal == kNoLiteral) continue;
    literal_of_[node.results_begin] = literal;
    has_containers |= IsContainer(literals_[literal].value);
  }
  if (has_containers) RemoveWritten(graph);
}

uint32_t ConstantValues::LiteralOfNode(const Graph& graph, const Node& node) {
  const CallForm& form = module_.form(node);
  if (module_.op(form.op).intrinsic == Intrinsic::kConstant) {
    if (form.attribute_names.size() != 1 ||
        module_.string(form.attribute_names[0]) != "value") {
      return kNoLiteral;
    }
    const uint32_t literal =
        LiteralOfConstant(graph.operands[node.operands_begin].constant());
    return literals_[literal].has_tensor ? kNoLiteral : literal;
  }
  return IsConstruct(node) ? LiteralOfConstruct(graph, node) : kNoLiteral;
}

uint32_t ConstantValues::LiteralOfConstant(ConstantId constant) {
  uint32_t& known = literal_of_constant_[constant.index];
  if (known == kNoLiteral) {
    known = static_cast<uint32_t>(literals_.size());
    Literal literal;
    literal.value = module_.constant(constant);
    literal.depth = literal.value.depth();
    Measure(literal.value, &literal);
    literals_.push_back(std::move(literal));
  }
  return known;
}

uint32_t ConstantValues::LiteralOfConstruct(const Graph& graph,
                                            const Node& node) {
  const CallForm& form = module_.form(node);
  if (!form.attribute_names.empty()) return kNoLiteral;
  // A named tuple by its class name only: what its fields are is not known.
  if (module_.type(form.result_types[0]).kind() == TypeKind::kNamed) {
    return kNoLiteral;
  }
  const absl::Span<const Operand> operands = module_.operands(graph, node);
  // The parts before their values: most constructs have a part that is no
  // constant.
  Literal made;
  for (size_t i = 0; i < operands.size(); ++i) {
    uint32_t part;
    if (operands[i].is_constant()) {
      part = LiteralOfConstant(operands[i].constant());
      if (literals_[part].has_tensor) return kNoLiteral;
    } else {
      const ValueId value = operands[i].value();
      part = literal_of_[value.index];
      if (part == kNoLiteral || !FitsAt(value, places_.OfSlot(node.form, i)) ||
          (is_shared_[value.index] &&
           literals_[part].leaves > kMaxCopiedLeaves)) {
        return kNoLiteral;
      }
    }
    made.leaves += literals_[part].leaves;
    made.depth = std::max(made.depth, literals_[part].depth + 1);
    made.has_word |= literals_[part].has_word;
  }
  if (made.depth > kMaxValueDepth) return kNoLiteral;

  std::vector<Value> elements;
  elements.reserve(operands.size());
  for (const Operand operand : operands) {
    elements.push_back(
        operand.is_constant()
            ? module_.constant(operand.constant())
            : literals_[literal_of_[operand.value().index]].value);
  }
  switch (module_.op(form.op).intrinsic) {
    case Intrinsic::kListConstruct:
      made.value = Value::List(std::move(elements));
      break;
    case Intrinsic::kTupleConstruct:
      made.value = Value::Tuple(std::move(elements));
      break;
    default:
      made.value = Value::Dict(std::move(elements));
      break;
  }
  literals_.push_back(std::move(made));
  return static_cast<uint32_t>(literals_.size() - 1);
}

void ConstantValues::RemoveWritten(const Graph& graph) {
  std::vector<ValueId> removed;
  const auto remove = [&](ValueId value) {
    if (!IsConstant(value) || !IsContainer(literal(value).value)) return;
    literal_of_[value.index] = kNoLiteral;
    removed.push_back(value);
  };
  for (const Node& node : graph.nodes) {
    const CallForm& form = module_.form(node);
    // A construct that counts: its parts stay for now.
    if (IsConstruct(node) && IsConstant(ValueId(node.results_begin))) continue;
    for (size_t i = 0; i < form.slots.size(); ++i) {
      const Operand operand = graph.operands[node.operands_begin + i];
      if (operand.is_value() && !OnlyReads(module_, form, i)) {
        remove(operand.value());
      }
    }
  }
  if (removed.empty()) return;

  // A container that does not count takes its parts with it, and the
  // constructs that it is a part of.
  const UseLists uses = ComputeUses(graph);
  while (!removed.empty()) {
    const ValueId value = removed.back();
    removed.pop_back();
    const Node& node = graph.nodes[graph.value_nodes[value.index].index];
    for (const Operand operand : module_.operands(graph, node)) {
      if (operand.is_value()) remove(operand.value());
    }
    for (uint32_t i = uses.begin[value.index]; i < uses.begin[value.index + 1];
         ++i) {
      const Node& user = graph.nodes[NodeOfOperand(graph, uses.uses[i]).index];
      if (IsConstruct(user)) remove(ValueId(user.results_begin));
    }
  }
}

bool ConstantValues::FitsAt(ValueId value, uint32_t place) {
  Literal& literal = this->literal(value);
  const uint32_t declared = places_.OfType(graph_->value_types[value.index]);
  if (relations_.FixesLiterals(place)) {
    // A word means something at its own type only.
    return literal.has_word
               ? relations_.AreAlike(declared, place) &&
                     relations_.type(declared) == relations_.type(place)
               : relations_.IsSubtype(declared, place);
  }
  const absl::optional<uint32_t> own_type = OwnType(literal);
  return own_type.has_value() && relations_.AreAlike(*own_type, declared);
}

absl::optional<uint32_t> ConstantValues::OwnType(Literal& literal) {
  if (!literal.own_type.has_value()) {
    literal.own_type.emplace(absl::nullopt);
    const absl::StatusOr<Type> type = TypeOfLiteral(literal.value);
    if (type.ok()) literal.own_type->emplace(relations_.Intern(*type));
  }
  return *literal.own_type;
}

}  // namespace opcompat
