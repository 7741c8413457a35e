#include "compat_matrix/oracle/call_shapes.h"

#include <memory>
#include <utility>

#include "absl/types/span.h"
#include "schema/operator_entry.h"

namespace opcompat {
namespace oracle {
namespace {

constexpr uint32_t kPassedOn = 0xffffffff;

}  // namespace

uint32_t CallShapes::IdOf(const Type& type) {
  const auto [place, is_new] =
      type_ids_.try_emplace(type, static_cast<uint32_t>(types_.size()));
  if (is_new) types_.push_back(type);
  return place->second;
}

void CallShapes::BeginGraph(const Graph& graph, const GraphFacts& facts) {
  if (declared_ids_.empty()) {
    for (const Type& type : module_.types) declared_ids_.push_back(IdOf(type));
    passed_on_.resize(module_.forms.size());
  }
  graph_ = &graph;
  facts_ = &facts;
  value_types_ = DeclaredTypes(module_, graph);
  value_type_ids_.clear();
  for (const TypeId id : graph.value_types) {
    value_type_ids_.push_back(declared_ids_[id.index]);
  }
}

const std::vector<bool>& CallShapes::PassedOn(const Node& node) {
  absl::optional<std::vector<bool>>& passed_on = passed_on_[node.form.index];
  if (passed_on.has_value()) return *passed_on;
  const CallForm& form = module_.form(node);
  const OperatorEntryPtr& entry = module_.op(node).entry;
  passed_on.emplace(form.slots.size(), false);
  if (each_alone_) return *passed_on;
  const absl::optional<PassedArguments> arguments =
      expander_->ArgumentsPassedOn(entry);
  if (!arguments.has_value()) return *passed_on;
  for (size_t i = 0; i < form.slots.size(); ++i) {
    const uint32_t argument = form.slots[i].argument;
    (*passed_on)[i] = form.slots[i].is_constant &&
                      argument != Slot::kVariadic &&
                      (*arguments)[argument].has_value();
  }
  return *passed_on;
}

// By operand: the first one that is the same value.
const std::vector<uint32_t>& CallShapes::FirstSame(
    absl::Span<const Operand> operands) {
  first_same_.clear();
  place_of_.clear();
  for (const Operand operand : operands) {
    const auto place = static_cast<uint32_t>(first_same_.size());
    first_same_.push_back(
        operand.is_value()
            ? place_of_.try_emplace(operand.value().index, place).first->second
            : place);
  }
  return first_same_;
}

const CallShapes::Key& CallShapes::KeyOf(const Node& node) {
  key_.clear();
  key_.push_back(node.form.index);
  if (each_alone_) key_.push_back(node.operands_begin);
  if (each_alone_) key_.push_back(node.results_begin);
  const CallForm& form = module_.form(node);
  const absl::Span<const Operand> operands = module_.operands(*graph_, node);
  const std::vector<bool>& passed_on = PassedOn(node);
  const std::vector<uint32_t>& first_same = FirstSame(operands);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].is_value()) {
      const uint32_t value = operands[i].value().index;
      key_.push_back(first_same[i]);
      key_.push_back(value_type_ids_[value] * 2 +
                     (facts_->is_written[value] ? 1 : 0));
    } else {
      // Attributes' values come behind those of the slots.
      const bool is_passed_on = i < form.slots.size() && passed_on[i];
      key_.push_back(is_passed_on ? kPassedOn : operands[i].constant().index);
    }
  }
  for (uint32_t i = 0; i < module_.num_results(node); ++i) {
    const uint32_t value = node.results_begin + i;
    key_.push_back((facts_->is_used[value] ? 1 : 0) +
                   (facts_->is_written[value] ? 2 : 0));
  }
  return key_;
}

std::unique_ptr<CallShapes::Known> CallShapes::Derive(const Node& node) {
  auto known = std::make_unique<Known>();
  CallShape& shape = known->shape;
  shape.index = shapes_.size() - 1;
  const absl::Span<const Operand> operands = module_.operands(*graph_, node);
  Call call = CallOf(module_, *graph_, *facts_, value_types_, node);
  const CallForm& form = module_.form(node);
  const std::vector<uint32_t>& first_same = FirstSame(operands);
  size_t variadic = 0;
  for (size_t i = 0; i < form.slots.size(); ++i) {
    Given& given = form.slots[i].argument == Slot::kVariadic
                       ? call.varargs[variadic++]
                       : call.arguments[form.slots[i].argument];
    if (given.kind != Given::Kind::kGraphValue) continue;
    given.value = ValueId(first_same[i]);
  }
  std::vector<Type> result_types;
  shape.expansion = expander_->Expand(call, module_.opsets,
                                      AttributesOf(module_, *graph_, node),
                                      &result_types, &shape.problems);
  for (const Type& type : result_types) {
    known->result_types.push_back(IdOf(type));
  }
  if (!shape.expansion.call.has_value()) return known;

  const Call& expanded = *shape.expansion.call;
  shape.operand_of.resize(expanded.arguments.size());
  for (size_t j = 0; j < expanded.arguments.size(); ++j) {
    if (expanded.arguments[j].kind == Given::Kind::kGraphValue) {
      shape.operand_of[j] = expanded.arguments[j].value.index;
    }
  }
  const std::vector<bool>& passed_on = PassedOn(node);
  for (size_t i = 0; i < form.slots.size(); ++i) {
    if (!passed_on[i]) continue;
    const PassedArguments arguments = *expander_->ArgumentsPassedOn(call.entry);
    shape.operand_of[*arguments[form.slots[i].argument]] = i;
  }
  return known;
}

const CallShape& CallShapes::Of(const Node& node) {
  std::unique_ptr<Known>& known = shapes_[KeyOf(node)];
  if (known == nullptr) known = Derive(node);
  return Applied(node, *known);
}

const CallShape& CallShapes::Applied(const Node& node, const Known& known) {
  for (uint32_t i = 0;
       i < module_.num_results(node) && i < known.result_types.size(); ++i) {
    const uint32_t value = node.results_begin + i;
    if (value_type_ids_[value] == known.result_types[i]) continue;
    value_type_ids_[value] = known.result_types[i];
    value_types_[value] = types_[known.result_types[i]];
  }
  return known.shape;
}

}  // namespace oracle
}  // namespace opcompat
