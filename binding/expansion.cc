#include "binding/expansion.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// Makes ids of the tables from those of a module; each once.
class Translation {
 public:
  Translation(const Module& module, OutputTables* tables)
      : module_(module),
        tables_(*tables),
        types_(module.types.size()),
        constants_(module.constants.size()),
        forms_(module.forms.size()) {}

  TypeId Type(TypeId id) {
    TypeId& known = types_[id.index];
    if (!known.valid()) known = tables_.InternType(module_.type(id));
    return known;
  }

  ConstantId Constant(ConstantId id) {
    ConstantId& known = constants_[id.index];
    if (!known.valid()) known = tables_.InternConstant(module_.constant(id));
    return known;
  }

  FormId Form(FormId id) {
    FormId& known = forms_[id.index];
    if (known.valid()) return known;
    const CallForm& form = module_.form(id);
    CallForm copy;
    copy.op = tables_.InternOperator(module_.op(form.op));
    copy.slots = form.slots;
    for (const StringId name : form.attribute_names) {
      copy.attribute_names.push_back(
          tables_.InternString(module_.string(name)));
    }
    for (const TypeId type : form.result_types) {
      copy.result_types.push_back(Type(type));
    }
    copy.num_blocks = form.num_blocks;
    known = tables_.InternForm(std::move(copy));
    return known;
  }

 private:
  const Module& module_;
  OutputTables& tables_;
  std::vector<TypeId> types_;
  std::vector<ConstantId> constants_;
  std::vector<FormId> forms_;
};

}  // namespace

Expansion::Expansion(const Module& module, const std::vector<int>& sources,
                     OutputTables* tables)
    : sources_(sources) {
  const Function& function = module.functions[0];
  const Graph& graph = function.graph;
  Translation translation(module, tables);
  const size_t num_parameters = sources.size();
  for (size_t i = num_parameters; i < graph.num_values(); ++i) {
    value_types_.push_back(translation.Type(graph.value_types[i]));
  }
  for (size_t i = 1; i + 1 < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const CallForm& form = module.form(node);
    nodes_.push_back({translation.Form(node.form), module.intrinsic(node),
                      form.num_operands(),
                      static_cast<uint32_t>(form.result_types.size()),
                      form.num_blocks});
    for (const Operand operand : module.operands(graph, node)) {
      operands_.push_back(operand.is_constant() ? Operand(translation.Constant(
                                                      operand.constant()))
                                                : operand);
    }
  }
  // What is returned becomes a value: a constant gets a node.
  const absl::Span<const Operand> returned =
      module.operands(graph, graph.nodes.back());
  for (size_t i = 0; i < returned.size(); ++i) {
    if (returned[i].is_value()) {
      results_.push_back(returned[i].value().index);
      continue;
    }
    CallForm form;
    form.op = tables->InternOperator({nullptr, Intrinsic::kConstant});
    form.attribute_names = {tables->InternString("value")};
    form.result_types = {translation.Type(function.result_types[i])};
    results_.push_back(
        static_cast<uint32_t>(num_parameters + value_types_.size()));
    value_types_.push_back(form.result_types[0]);
    operands_.push_back(Operand(translation.Constant(returned[i].constant())));
    nodes_.push_back(
        {tables->InternForm(std::move(form)), Intrinsic::kConstant, 1, 1, 0});
  }
}

const std::vector<ValueId>& Expansion::Append(
    absl::Span<const ValueId> operand_values, absl::Span<const StringId> names,
    StringId location, GraphWriter* writer) {
  values_.clear();
  for (const int source : sources_) {
    values_.push_back(operand_values[static_cast<size_t>(source)]);
  }
  size_t operand = 0;
  for (const ExpansionNode& node : nodes_) {
    writer->BeginNode(node.form, node.intrinsic, node.num_blocks, location);
    for (uint32_t i = 0; i < node.num_operands; ++i, ++operand) {
      const Operand given = operands_[operand];
      writer->AddOperand(
          given.is_value() ? Operand(values_[given.value().index]) : given);
    }
    for (uint32_t i = 0; i < node.num_results; ++i) {
      const size_t value = values_.size() - sources_.size();
      values_.push_back(writer->AddResult(
          value_types_[value], names.empty() ? StringId() : names[value]));
    }
  }
  result_values_.clear();
  for (const uint32_t result : results_) {
    result_values_.push_back(values_[result]);
  }
  return result_values_;
}

}  // namespace opcompat
