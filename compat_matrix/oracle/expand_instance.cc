#include "compat_matrix/oracle/expand_instance.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/canonicalize.h"
#include "ir/module_builder.h"
#include "ir/verifier.h"

namespace opcompat {
namespace oracle {
namespace {

class Instantiation {
 public:
  Instantiation(const Module& body, const Call& call,
                const NodeAttributes& attributes)
      : body_(body),
        graph_(body.functions[0].graph),
        call_(call),
        attributes_(attributes),
        values_(graph_.num_values()) {}

  absl::optional<Instance> Make() {
    FindTaker();
    if (!attributes_.empty() && !taker_.valid()) return absl::nullopt;
    for (const OpsetVersion& opset : body_.opsets) {
      builder_.AddOpset(opset.name, opset.version);
    }
    builder_.BeginFunction(body_.functions[0].name);
    AddParameters();
    for (uint32_t n = 1; n + 1 < graph_.num_nodes(); ++n) CopyNode(NodeId(n));
    AddReturn();

    absl::StatusOr<Module> module = std::move(builder_).Build();
    if (!module.ok() || !Verify(*module).ok()) return absl::nullopt;
    module = Canonicalize(*module);
    if (!module.ok()) return absl::nullopt;
    instance_.module = *std::move(module);
    FindFacts();
    return std::move(instance_);
  }

 private:
  // The node that the call's attributes go to.
  void FindTaker() {
    const Node& returned = graph_.nodes.back();
    const absl::Span<const Operand> operands =
        body_.operands(graph_, returned);
    if (operands.empty() || !operands[0].is_value()) return;
    const NodeId id = graph_.value_nodes[operands[0].value().index];
    const Node& node = graph_.nodes[id.index];
    if (body_.op(node).entry == nullptr) return;
    for (const auto& [name, value] : attributes_) {
      if (body_.attribute(graph_, node, name).valid()) return;
    }
    taker_ = id;
  }

  void AddParameters() {
    std::map<uint32_t, size_t> parameter_of;  // by value around the call
    std::vector<ModuleBuilder::Definition> definitions;
    for (const Given& given : call_.arguments) {
      if (given.kind != Given::Kind::kGraphValue) continue;
      if (parameter_of.emplace(given.value.index, definitions.size()).second) {
        definitions.push_back({builder_.InternType(given.type), ""});
        instance_.parameters.push_back(given.value);
        parameter_written_.push_back(given.is_written);
      }
    }
    const ValueId first = builder_.BeginBlock(definitions);
    for (size_t i = 0; i < call_.arguments.size(); ++i) {
      const Given& given = call_.arguments[i];
      if (given.kind == Given::Kind::kGraphValue) {
        const size_t parameter = parameter_of[given.value.index];
        values_[i] = ValueId(first.index + static_cast<uint32_t>(parameter));
      } else if (const auto constant = EffectiveConstant(call_, i)) {
        values_[i] = builder_.AddNode(
            builder_.Operator(Intrinsic::kConstant), {},
            {{"value", builder_.Constant(constant->value)}},
            {{builder_.InternType(constant->type), ""}});
      }
    }
  }

  Operand Copied(Operand operand) {
    if (operand.is_value()) return Operand(values_[operand.value().index]);
    return Operand(builder_.Constant(body_.constant(operand.constant())));
  }

  void CopyNode(NodeId id) {
    const Node& node = graph_.nodes[id.index];
    const CallForm& form = body_.form(node);
    const ModuleOperator& op = body_.op(node);
    const absl::Span<const Operand> operands = body_.operands(graph_, node);
    std::vector<ModuleBuilder::Given> given;
    for (size_t i = 0; i < form.slots.size(); ++i) {
      given.push_back({form.slots[i].argument, Copied(operands[i])});
    }
    std::vector<ModuleBuilder::Definition> results;
    for (const TypeId type : form.result_types) {
      results.push_back({builder_.InternType(body_.type(type)), ""});
    }
    ValueId first;
    if (op.intrinsic == Intrinsic::kReturn) {
      std::vector<Operand> yielded;
      for (const ModuleBuilder::Given& g : given) yielded.push_back(g.operand);
      builder_.EndBlock(yielded);
    } else if (op.intrinsic == Intrinsic::kParam) {
      first = builder_.BeginBlock(results);
    } else {
      NodeAttributes named = AttributesOf(body_, graph_, node);
      if (id == taker_) {
        named.insert(named.end(), attributes_.begin(), attributes_.end());
      }
      std::vector<ModuleBuilder::Attribute> attributes;
      for (const auto& [name, value] : named) {
        attributes.push_back({name, builder_.Constant(value)});
      }
      first = builder_.AddNode(op.entry != nullptr
                                   ? builder_.Operator(op.entry)
                                   : builder_.Operator(op.intrinsic),
                               given, attributes, results, form.num_blocks);
    }
    for (uint32_t i = 0; i < results.size(); ++i) {
      values_[node.results_begin + i] = ValueId(first.index + i);
    }
  }

  // A result that nobody looks at is not returned: that would be a use.
  void AddReturn() {
    const absl::Span<const Operand> operands =
        body_.operands(graph_, graph_.nodes.back());
    std::vector<Operand> returned;
    std::vector<TypeId> types;
    for (size_t i = 0; i < operands.size() && i < call_.results.size(); ++i) {
      if (!call_.results[i].is_used) continue;
      returned.push_back(Copied(operands[i]));
      types.push_back(builder_.InternType(
          body_.type(body_.functions[0].result_types[i])));
      instance_.results.push_back(i);
    }
    builder_.EndBlock(returned);
    builder_.EndFunction(std::move(types));
  }

  void FindFacts() {
    const Module& module = instance_.module;
    std::vector<ValueId> written;
    const Node& parameters = instance_.graph().nodes[0];
    for (uint32_t i = 0; i < parameter_written_.size(); ++i) {
      if (parameter_written_[i]) {
        written.push_back(ValueId(parameters.results_begin + i));
      }
    }
    const absl::Span<const Operand> returned =
        module.operands(instance_.graph(), instance_.returned());
    for (size_t i = 0; i < returned.size(); ++i) {
      if (returned[i].is_value() &&
          call_.results[instance_.results[i]].is_written) {
        written.push_back(returned[i].value());
      }
    }
    instance_.facts = FactsOf(module, instance_.graph(), written);
  }

  const Module& body_;
  const Graph& graph_;
  const Call& call_;
  const NodeAttributes& attributes_;
  NodeId taker_;
  ModuleBuilder builder_;
  std::vector<ValueId> values_;  // by value of the body
  std::vector<bool> parameter_written_;
  Instance instance_;
};

}  // namespace

NodeAttributes AttributesOf(const Module& module, const Graph& graph,
                            const Node& node) {
  NodeAttributes attributes;
  for (const StringId id : module.form(node).attribute_names) {
    const std::string& name = module.string(id);
    attributes.emplace_back(
        name, module.constant(module.attribute(graph, node, name)));
  }
  return attributes;
}

absl::optional<Instance> Instantiate(const Module& body, const Call& call,
                                     const NodeAttributes& attributes) {
  return Instantiation(body, call, attributes).Make();
}

}  // namespace oracle
}  // namespace opcompat
