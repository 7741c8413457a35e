#include "compat_matrix/oracle/expand_module.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compat_matrix/oracle/call.h"
#include "compat_matrix/oracle/call_shapes.h"
#include "compat_matrix/oracle/expand_instance.h"
#include "ir/module_builder.h"
#include "ir/verifier.h"

namespace opcompat {
namespace oracle {
namespace {

class Writer {
 public:
  Writer(const Module& original, const std::vector<GraphFacts>& facts,
         CallShapes* shapes, std::vector<RefusedCall>* refused)
      : original_(original),
        facts_(facts),
        shapes_(*shapes),
        refused_(refused) {}

  absl::optional<Module> Write() {
    CopyHeader();
    for (size_t i = 0; i < original_.functions.size(); ++i) {
      WriteFunction(original_.functions[i], facts_[i]);
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
  // How calls of one shape are written.
  struct Recipe {
    OperatorId op;
    // Of the expansion's arguments and varargs that are given.
    struct Given {
      uint32_t argument;
      absl::optional<size_t> operand;  // of the node; nullopt: `constant`
      ConstantId constant;
    };
    std::vector<Given> given;
    std::vector<ModuleBuilder::Definition> results;
  };

  void CopyHeader() {
    for (const OpsetVersion& opset : original_.opsets) {
      builder_.AddOpset(opset.name, opset.version);
    }
    for (const Metadata& item : original_.metadata) {
      builder_.AddMetadata(item.key, item.value);
    }
    for (const ModuleAttribute& attribute : original_.attributes) {
      builder_.AddAttribute(
          attribute.name, builder_.InternType(original_.type(attribute.type)),
          builder_.Constant(original_.constant(attribute.value)));
    }
    for (const ModuleTensor& tensor : original_.tensors) {
      builder_.AddTensor(tensor.name,
                         builder_.Constant(original_.constant(tensor.value)));
    }
  }

  void WriteFunction(const Function& function, const GraphFacts& facts) {
    const Graph& graph = function.graph;
    shapes_.BeginGraph(graph, facts);
    builder_.BeginFunction(function.name);
    Values values(graph.num_values());
    builder_.BeginBlock(DefinitionsOf(original_, graph.nodes[0]));
    MapResults(graph.nodes[0], original_.num_results(graph.nodes[0]),
               ValueId(0), &values);
    for (size_t n = 1; n + 1 < graph.nodes.size(); ++n) {
      const Node& node = graph.nodes[n];
      if (original_.op(node).entry == nullptr) {
        if (refused_->empty()) WriteIntrinsic(original_, graph, node, &values);
        continue;
      }
      // Reasons are looked for to the end; nothing more is written.
      const CallShape& shape = shapes_.Of(node);
      for (const Problem& problem : shape.problems) {
        refused_->push_back(
            {function.name, std::string(original_.op(node).name()), problem});
      }
      if (!refused_->empty()) continue;
      WriteShape(graph, node, shape, &values);
    }
    if (!refused_->empty()) return;
    builder_.EndBlock(Copied(original_, graph, graph.nodes.back(), values));
    std::vector<TypeId> result_types;
    for (const TypeId type : function.result_types) {
      result_types.push_back(builder_.InternType(original_.type(type)));
    }
    builder_.EndFunction(std::move(result_types));
  }

  void WriteShape(const Graph& graph, const Node& node, const CallShape& shape,
                  Values* values) {
    if (shape.expansion.body != nullptr) {
      // The values that the operands are.
      Values of_operands;
      for (const Operand operand : original_.operands(graph, node)) {
        of_operands.push_back(
            operand.is_value() ? (*values)[operand.value().index] : ValueId());
      }
      WriteBody(node, *shape.expansion.body, of_operands, values);
      return;
    }
    const Recipe& recipe = RecipeOf(shape);
    const absl::Span<const Operand> operands = original_.operands(graph, node);
    given_.clear();
    for (const Recipe::Given& given : recipe.given) {
      Operand operand(given.constant);
      if (given.operand.has_value()) {
        operand = Copied(operands[*given.operand], *values);
      }
      given_.push_back({given.argument, operand});
    }
    const ValueId first = builder_.AddNode(
        recipe.op, given_, CopiedAttributes(original_, graph, node),
        recipe.results, original_.form(node).num_blocks);
    // The call may have other results, but those that are used are the same.
    MapResults(
        node,
        std::min<size_t>(recipe.results.size(), original_.num_results(node)),
        first, values);
  }

  const Recipe& RecipeOf(const CallShape& shape) {
    if (shape.index >= recipes_.size()) recipes_.resize(shape.index + 1);
    std::unique_ptr<const Recipe>& place = recipes_[shape.index];
    if (place != nullptr) return *place;
    auto recipe = std::make_unique<Recipe>();
    const Call& call = *shape.expansion.call;
    recipe->op = builder_.Operator(call.entry);
    const auto give = [&](uint32_t argument, const Given& what,
                          absl::optional<size_t> operand) {
      if (what.kind == Given::Kind::kLeftOut) return;
      ConstantId constant;
      if (!operand.has_value()) constant = builder_.Constant(what.constant);
      recipe->given.push_back({argument, operand, constant});
    };
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      give(static_cast<uint32_t>(i), call.arguments[i], shape.operand_of[i]);
    }
    for (const Given& operand : call.varargs) {
      give(Slot::kVariadic, operand,
           operand.kind == Given::Kind::kGraphValue
               ? absl::make_optional<size_t>(operand.value.index)
               : absl::nullopt);
    }
    for (const CallResult& result : call.results) {
      recipe->results.push_back({builder_.InternType(result.type), ""});
    }
    place = std::move(recipe);
    return *place;
  }

  // The nodes of a body between its parameters and its return.
  void WriteNodes(const ExpandedBody& body, Values* values) {
    const Module& module = body.instance.module;
    const Graph& graph = body.instance.graph();
    for (size_t n = 1; n + 1 < graph.nodes.size(); ++n) {
      const Node& node = graph.nodes[n];
      const Expansion& expansion = body.nodes[n];
      if (module.op(node).entry == nullptr) {
        WriteIntrinsic(module, graph, node, values);
      } else if (expansion.call.has_value()) {
        WriteCall(module, graph, node, *expansion.call, values);
      } else {
        WriteBody(node, *expansion.body, *values, values);
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
    const ValueId first =
        builder_.AddNode(builder_.Operator(call.entry), given,
                         CopiedAttributes(module, graph, node), results,
                         module.form(node).num_blocks);
    // The call may have other results, but those that are used are the same.
    MapResults(node, std::min<size_t>(results.size(), module.num_results(node)),
               first, values);
  }

  // `given`: what the parameters' ids mean.
  void WriteBody(const Node& node, const ExpandedBody& body,
                 const Values& given, Values* around) {
    const Instance& instance = body.instance;
    const Graph& graph = instance.graph();
    Values values(graph.num_values());
    for (size_t i = 0; i < instance.parameters.size(); ++i) {
      values[i] = given[instance.parameters[i].index];
    }
    WriteNodes(body, &values);
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
        value = builder_.AddNode(builder_.Operator(Intrinsic::kConstant), {},
                                 {{"value", builder_.Constant(constant)}},
                                 {{builder_.InternType(type), ""}});
      }
      (*around)[node.results_begin + instance.results[i]] = value;
    }
  }

  // An operand of the original module.
  Operand Copied(Operand operand, const Values& values) {
    if (operand.is_value()) return Operand(values[operand.value().index]);
    constants_.resize(original_.constants.size());
    ConstantId& constant = constants_[operand.constant().index];
    if (!constant.valid()) {
      constant = builder_.Constant(original_.constant(operand.constant()));
    }
    return Operand(constant);
  }

  std::vector<Operand> Copied(const Module& module, const Graph& graph,
                              const Node& node, const Values& values) {
    std::vector<Operand> copied;
    const size_t num_slots = module.form(node).slots.size();
    for (const Operand operand :
         module.operands(graph, node).subspan(0, num_slots)) {
      copied.push_back(operand.is_value()
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
  const std::vector<GraphFacts>& facts_;  // by function
  CallShapes& shapes_;
  std::vector<RefusedCall>* const refused_;
  ModuleBuilder builder_;
  std::vector<std::unique_ptr<const Recipe>> recipes_;  // by shape
  std::vector<ConstantId> constants_;  // by constant of the original
  std::vector<ModuleBuilder::Given> given_;
};

}  // namespace

std::vector<GraphFacts> FactsOfFunctions(const Module& module) {
  std::vector<GraphFacts> facts;
  for (const Function& function : module.functions) {
    facts.push_back(FactsOf(module, function.graph));
  }
  return facts;
}

absl::optional<Module> ExpectedModule(const Module& original,
                                      const std::vector<GraphFacts>& facts,
                                      Expander* expander,
                                      std::vector<RefusedCall>* refused,
                                      bool each_call_alone) {
  CallShapes shapes(original, expander, each_call_alone);
  return Writer(original, facts, &shapes, refused).Write();
}

bool IsTheSameThere(const Module& original, Expander* expander) {
  return std::all_of(original.operators.begin(), original.operators.end(),
                     [&](const ModuleOperator& op) {
                       return op.entry == nullptr ||
                              expander->IsTheSameThere(op.entry,
                                                       original.opsets);
                     });
}

}  // namespace oracle
}  // namespace opcompat
