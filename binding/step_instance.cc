#include "binding/step_instance.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/concat.h"
#include "base/status_macros.h"
#include "ir/canonicalize.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/module_builder.h"
#include "ir/verifier.h"
#include "schema/operator_entry.h"

namespace opcompat {
namespace {

class Instantiator {
 public:
  Instantiator(const Module& body, const Call& call,
               const std::vector<bool>& used_results,
               const std::vector<NamedConstant>& attributes)
      : body_(body),
        graph_(body.functions[0].graph),
        call_(call),
        used_results_(used_results),
        attributes_(attributes) {}

  absl::StatusOr<StepInstance> Run() {
    OPCOMPAT_RETURN_IF_ERROR(FindCarrier());
    for (const OpsetVersion& opset : body_.opsets) {
      builder_.AddOpset(opset.name, opset.version);
    }
    builder_.BeginFunction(body_.functions[0].name);
    values_.resize(graph_.num_values());
    AddParameters();
    for (uint32_t i = 1; i < graph_.nodes.size(); ++i) AddNode(NodeId(i));
    std::vector<TypeId> result_types;
    for (size_t i = 0; i < used_results_.size(); ++i) {
      if (used_results_[i]) {
        result_types.push_back(builder_.InternType(
            body_.type(body_.functions[0].result_types[i])));
      }
    }
    builder_.EndFunction(std::move(result_types));
    OPCOMPAT_ASSIGN_OR_RETURN(const Module module, std::move(builder_).Build());
    const absl::Status status = Verify(module);
    if (!status.ok()) {
      return absl::FailedPreconditionError(Concat(
          "does not type-check with these operands: ", status.message()));
    }
    OPCOMPAT_ASSIGN_OR_RETURN(instance_.module, Canonicalize(module));
    return std::move(instance_);
  }

 private:
  // The node that the attributes go to.
  absl::Status FindCarrier() {
    if (attributes_.empty()) return absl::OkStatus();
    const absl::Span<const Operand> returned =
        body_.operands(graph_, graph_.nodes.back());
    if (!returned.empty() && returned[0].is_value()) {
      carrier_ = graph_.value_nodes[returned[0].value().index];
    }
    const bool is_call =
        carrier_.valid() &&
        body_.op(graph_.nodes[carrier_.index]).entry != nullptr;
    if (!is_call) {
      return absl::FailedPreconditionError(Concat(
          "has no call that could carry the attribute ", attributes_[0].first));
    }
    const Node& node = graph_.nodes[carrier_.index];
    for (const NamedConstant& attribute : attributes_) {
      if (body_.attribute(graph_, node, attribute.first).valid()) {
        return absl::FailedPreconditionError(
            Concat("has an attribute ", attribute.first, " itself"));
      }
    }
    return absl::OkStatus();
  }

  ModuleBuilder::Definition Defined(ValueId value) {
    ModuleBuilder::Definition definition;
    definition.type =
        builder_.InternType(body_.type(graph_.value_types[value.index]));
    if (!graph_.value_names.empty() &&
        graph_.value_names[value.index].valid()) {
      definition.name = body_.string(graph_.value_names[value.index]);
    }
    return definition;
  }

  // Parameters for graph values, nodes for constants.
  void AddParameters() {
    std::vector<ModuleBuilder::Definition> parameters;
    for (uint32_t i = 0; i < call_.arguments.size(); ++i) {
      const CallArgument& given = call_.arguments[i];
      if (given.state != CallArgument::State::kValue) continue;
      ModuleBuilder::Definition parameter = Defined(ValueId(i));
      parameter.type = builder_.InternType(given.type);
      parameters.push_back(std::move(parameter));
      values_[i] = ValueId(static_cast<uint32_t>(parameters.size() - 1));
      instance_.sources.push_back(given.source);
      instance_.written.push_back(given.written);
    }
    builder_.BeginBlock(parameters);
    for (uint32_t i = 0; i < call_.arguments.size(); ++i) {
      const CallArgument& given = call_.arguments[i];
      if (given.state == CallArgument::State::kValue) continue;
      const EntryArgument& argument = call_.entry->arguments[i];
      // A required argument is never left out of a verified call.
      const Value& constant = given.state == CallArgument::State::kLeftOut
                                  ? *argument.default_value
                                  : given.constant;
      ModuleBuilder::Definition definition = Defined(ValueId(i));
      definition.type = builder_.InternType(argument.type);
      values_[i] = builder_.AddNode(builder_.Operator(Intrinsic::kConstant), {},
                                    {{"value", builder_.Constant(constant)}},
                                    {definition});
    }
  }

  Operand Mapped(Operand operand) {
    return operand.is_value()
               ? Operand(values_[operand.value().index])
               : Operand(builder_.Constant(body_.constant(operand.constant())));
  }

  void AddNode(NodeId id) {
    const Node& node = graph_.nodes[id.index];
    const CallForm& form = body_.form(node);
    const ModuleOperator& op = body_.op(form.op);
    const absl::Span<const Operand> operands = body_.operands(graph_, node);
    if (op.intrinsic == Intrinsic::kParam) {
      const ValueId first = builder_.BeginBlock(DefinedBy(node));
      MapResults(node, first);
      return;
    }
    if (op.intrinsic == Intrinsic::kReturn) {
      const bool is_last = id.index + 1 == graph_.nodes.size();
      std::vector<Operand> returned;
      for (size_t i = 0; i < operands.size(); ++i) {
        if (!is_last || used_results_[i]) {
          returned.push_back(Mapped(operands[i]));
        }
      }
      builder_.EndBlock(returned);
      return;
    }
    std::vector<ModuleBuilder::Given> given;
    for (size_t i = 0; i < form.slots.size(); ++i) {
      given.push_back({form.slots[i].argument, Mapped(operands[i])});
    }
    std::vector<ModuleBuilder::Attribute> attributes;
    for (size_t i = 0; i < form.attribute_names.size(); ++i) {
      attributes.push_back(
          {body_.string(form.attribute_names[i]),
           Mapped(operands[form.slots.size() + i]).constant()});
    }
    if (id == carrier_) {
      for (const NamedConstant& attribute : attributes_) {
        attributes.push_back(
            {attribute.first, builder_.Constant(attribute.second)});
      }
    }
    const ValueId first =
        builder_.AddNode(op.entry != nullptr ? builder_.Operator(op.entry)
                                             : builder_.Operator(op.intrinsic),
                         given, attributes, DefinedBy(node), form.num_blocks);
    MapResults(node, first);
  }

  std::vector<ModuleBuilder::Definition> DefinedBy(const Node& node) {
    std::vector<ModuleBuilder::Definition> definitions;
    for (uint32_t i = 0; i < body_.num_results(node); ++i) {
      definitions.push_back(Defined(ValueId(node.results_begin + i)));
    }
    return definitions;
  }

  void MapResults(const Node& node, ValueId first) {
    for (uint32_t i = 0; i < body_.num_results(node); ++i) {
      values_[node.results_begin + i] = ValueId(first.index + i);
    }
  }

  const Module& body_;
  const Graph& graph_;
  const Call& call_;
  const std::vector<bool>& used_results_;
  const std::vector<NamedConstant>& attributes_;
  NodeId carrier_;  // not valid: no attributes
  ModuleBuilder builder_;
  std::vector<ValueId> values_;  // by value of the body
  StepInstance instance_;
};

}  // namespace

absl::StatusOr<StepInstance> Instantiate(
    const Module& body, const Call& call, const std::vector<bool>& used_results,
    const std::vector<NamedConstant>& attributes) {
  return Instantiator(body, call, used_results, attributes).Run();
}

}  // namespace opcompat
