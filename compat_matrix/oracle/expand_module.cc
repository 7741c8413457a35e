#include "compat_matrix/oracle/expand_module.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compat_matrix/oracle/call.h"
#include "compat_matrix/oracle/expand_instance.h"
#include "ir/module_builder.h"
#include "ir/verifier.h"

namespace opcompat {
namespace oracle {
namespace {

class Writer {
 public:
  Writer(const Module& original, Expander* expander,
         std::vector<RefusedCall>* refused)
      : original_(original), expander_(expander), refused_(refused) {}

  absl::optional<Module> Write() {
    CopyHeader();
    for (const Function& function : original_.functions) {
      WriteFunction(function);
    }
    if (!refused_->empty()) return absl::nullopt;
    absl::StatusOr<Module> module = std::move(builder_).Build();
    if (!module.ok()) return absl::nullopt;
    if (!Verify(*module).ok()) {
      refused_->push_back({"", "", {"type_mismatch", ""}});
      return absl::nullopt;
    }
    return *std::move(module);
  }

 private:
  using Values = std::vector<ValueId>;  // by value of the graph at hand
  // What becomes of node `n` of the graph at hand.
  using ExpansionOf = std::function<Expansion(size_t n)>;

  void CopyHeader() {
    for (const OpsetVersion& opset : original_.opsets) {
      builder_.AddOpset(opset.name, opset.version);
    }
    for (const Metadata& item : original_.metadata) {
      builder_.AddMetadata(item.key, item.value);
    }
    for (const ModuleAttribute& attribute : original_.attributes) {
      builder_.AddAttribute(
          attribute.name,
          builder_.InternType(original_.type(attribute.type)),
          builder_.Constant(original_.constant(attribute.value)));
    }
    for (const ModuleTensor& tensor : original_.tensors) {
      builder_.AddTensor(tensor.name,
                         builder_.Constant(original_.constant(tensor.value)));
    }
  }

  void WriteFunction(const Function& function) {
    const Graph& graph = function.graph;
    const GraphFacts facts = FactsOf(original_, graph);
    ValueTypes types = DeclaredTypes(original_, graph);
    builder_.BeginFunction(function.name);
    Values values(graph.num_values());
    builder_.BeginBlock(DefinitionsOf(original_, graph.nodes[0]));
    MapResults(graph.nodes[0], original_.num_results(graph.nodes[0]),
               ValueId(0), &values);
    WriteNodes(original_, graph, &values, [&](size_t n) {
      std::vector<Problem> problems;
      const Node& node = graph.nodes[n];
      Expansion expansion =
          expander_->Expand(original_, graph, facts, node, &types, &problems);
      for (Problem& problem : problems) {
        refused_->push_back({function.name,
                             std::string(original_.op(node).name()),
                             std::move(problem)});
      }
      return expansion;
    });
    if (!refused_->empty()) return;
    builder_.EndBlock(Copied(original_, graph, graph.nodes.back(), values));
    std::vector<TypeId> result_types;
    for (const TypeId type : function.result_types) {
      result_types.push_back(builder_.InternType(original_.type(type)));
    }
    builder_.EndFunction(std::move(result_types));
  }

  // The nodes between the parameters and the return.
  void WriteNodes(const Module& module, const Graph& graph, Values* values,
                  const ExpansionOf& expansion_of) {
    for (size_t n = 1; n + 1 < graph.nodes.size(); ++n) {
      const Node& node = graph.nodes[n];
      if (module.op(node).entry == nullptr) {
        if (refused_->empty()) WriteIntrinsic(module, graph, node, values);
        continue;
      }
      // Reasons are looked for to the end; nothing more is written.
      const Expansion expansion = expansion_of(n);
      if (!refused_->empty()) continue;
      if (expansion.call.has_value()) {
        WriteCall(module, graph, node, *expansion.call, values);
      } else {
        WriteBody(node, *expansion.body, values);
      }
    }
  }

  void WriteIntrinsic(const Module& module, const Graph& graph,
                      const Node& node, Values* values) {
    const Intrinsic intrinsic = module.intrinsic(node);
    const std::vector<Operand> operands = Copied(module, graph, node, *values);
    const std::vector<ModuleBuilder::Definition> results =
        DefinitionsOf(module, node);
    ValueId first;
    if (intrinsic == Intrinsic::kReturn) {
      builder_.EndBlock(operands);
    } else if (intrinsic == Intrinsic::kParam) {
      first = builder_.BeginBlock(results);
    } else {
      std::vector<ModuleBuilder::Given> given;
      for (const Operand operand : operands) {
        given.push_back({Slot::kVariadic, operand});
      }
      first = builder_.AddNode(builder_.Operator(intrinsic), given,
                               CopiedAttributes(module, graph, node), results,
                               module.form(node).num_blocks);
    }
    MapResults(node, results.size(), first, values);
  }

  void WriteCall(const Module& module, const Graph& graph, const Node& node,
                 const Call& call, Values* values) {
    std::vector<ModuleBuilder::Given> given;
    const auto give = [&](uint32_t argument, const Given& what) {
      if (what.kind == Given::Kind::kConstant) {
        given.push_back({argument, Operand(builder_.Constant(what.constant))});
      } else if (what.kind == Given::Kind::kGraphValue) {
        given.push_back({argument, Operand((*values)[what.value.index])});
      }
    };
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      give(static_cast<uint32_t>(i), call.arguments[i]);
    }
    for (const Given& operand : call.varargs) give(Slot::kVariadic, operand);
    std::vector<ModuleBuilder::Definition> results;
    for (const CallResult& result : call.results) {
      results.push_back({builder_.InternType(result.type), ""});
    }
    const ValueId first = builder_.AddNode(
        builder_.Operator(call.entry), given,
        CopiedAttributes(module, graph, node), results,
        module.form(node).num_blocks);
    // The call may have other results, but those that are used are the same.
    MapResults(node,
               std::min<size_t>(results.size(), module.num_results(node)),
               first, values);
  }

  void WriteBody(const Node& node, const ExpandedBody& body, Values* around) {
    const Instance& instance = body.instance;
    const Graph& graph = instance.graph();
    Values values(graph.num_values());
    for (size_t i = 0; i < instance.parameters.size(); ++i) {
      values[i] = (*around)[instance.parameters[i].index];
    }
    WriteNodes(instance.module, graph, &values,
               [&](size_t n) { return body.nodes[n]; });
    const absl::Span<const Operand> returned =
        instance.module.operands(graph, instance.returned());
    for (size_t i = 0; i < returned.size(); ++i) {
      ValueId value;
      if (returned[i].is_value()) {
        value = values[returned[i].value().index];
      } else {
        const Value& constant =
            instance.module.constant(returned[i].constant());
        const Type& type =
            instance.module.type(instance.module.functions[0].result_types[i]);
        value = builder_.AddNode(
            builder_.Operator(Intrinsic::kConstant), {},
            {{"value", builder_.Constant(constant)}},
            {{builder_.InternType(type), ""}});
      }
      (*around)[node.results_begin + instance.results[i]] = value;
    }
  }

  std::vector<Operand> Copied(const Module& module, const Graph& graph,
                              const Node& node, const Values& values) {
    std::vector<Operand> copied;
    const size_t num_slots = module.form(node).slots.size();
    for (const Operand operand :
         module.operands(graph, node).subspan(0, num_slots)) {
      copied.push_back(
          operand.is_value()
              ? Operand(values[operand.value().index])
              : Operand(builder_.Constant(
                    module.constant(operand.constant()))));
    }
    return copied;
  }

  std::vector<ModuleBuilder::Attribute> CopiedAttributes(const Module& module,
                                                         const Graph& graph,
                                                         const Node& node) {
    std::vector<ModuleBuilder::Attribute> attributes;
    for (auto& [name, value] : AttributesOf(module, graph, node)) {
      attributes.push_back({name, builder_.Constant(value)});
    }
    return attributes;
  }

  std::vector<ModuleBuilder::Definition> DefinitionsOf(const Module& module,
                                                       const Node& node) {
    std::vector<ModuleBuilder::Definition> definitions;
    for (const TypeId type : module.form(node).result_types) {
      definitions.push_back({builder_.InternType(module.type(type)), ""});
    }
    return definitions;
  }

  static void MapResults(const Node& node, size_t num_results, ValueId first,
                         Values* values) {
    for (uint32_t i = 0; i < num_results; ++i) {
      (*values)[node.results_begin + i] = ValueId(first.index + i);
    }
  }

  const Module& original_;
  Expander* const expander_;
  std::vector<RefusedCall>* const refused_;
  ModuleBuilder builder_;
};

}  // namespace

absl::optional<Module> ExpectedModule(const Module& original,
                                      Expander* expander,
                                      std::vector<RefusedCall>* refused) {
  return Writer(original, expander, refused).Write();
}

}  // namespace oracle
}  // namespace opcompat
