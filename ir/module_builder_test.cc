#include "ir/module_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "ir/equality.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/testing.h"
#include "ir/verifier.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ModuleBuilderTest, EqualThingsHaveOneId) {
  ModuleBuilder b;
  EXPECT_EQ(b.String("a"), b.String("a"));
  EXPECT_NE(b.String("a"), b.String("b"));
  EXPECT_EQ(b.InternType(Type::List(Type(TypeKind::kInt))),
            b.InternType(Type::List(Type(TypeKind::kInt))));
  EXPECT_NE(b.Constant(Value::Float(0.0)), b.Constant(Value::Float(-0.0)));
  EXPECT_NE(b.Constant(Value::Int(1)), b.Constant(Value::Bool(true)));
  EXPECT_EQ(b.Operator(Intrinsic::kIf), b.Operator(Intrinsic::kIf));

  const OperatorId f = b.Operator(EntryOf("t::f(int a) -> ()"));
  EXPECT_EQ(b.Operator(EntryOf("t::f(int a) -> ()")), f);
  EXPECT_NE(b.Operator(EntryOf("t::f(int b) -> ()")), f);
  auto next = std::make_shared<OperatorEntry>(*EntryOf("t::f(int a) -> ()"));
  next->revision = 2;
  EXPECT_NE(b.Operator(next), f);
  EXPECT_EQ(b.module().operators.size(), 4);
}

TEST(ModuleBuilderTest, OperandsComeInOrderWhateverOrderTheyAreGivenIn) {
  ModuleBuilder b;
  const TypeId type = b.InternType(Type(TypeKind::kInt));
  const OperatorId op = b.Operator(EntryOf("t::f(int a, int b=1, ...) -> ()"));
  b.BeginFunction("f");
  const ValueId x = b.BeginBlock({{type, "x"}, {type, "y"}});
  const ValueId y(x.index + 1);
  const Operand one(b.Constant(Value::Int(1)));
  b.AddNode(
      op,
      {{Slot::kVariadic, Operand(y)},
       {1, Operand()},
       {Slot::kVariadic, one},
       {0, Operand(x)}},
      {{"z", b.Constant(Value::Int(5))}, {"a", b.Constant(Value::Int(6))}}, {});
  b.SetLocation("here");
  b.EndBlock({});
  b.EndFunction({});
  const absl::StatusOr<Module> module = std::move(b).Build();
  ASSERT_THAT(module, IsOk());
  ASSERT_THAT(Verify(*module), IsOk());
  const Graph& graph = module->functions[0].graph;
  const Node& node = graph.nodes[1];
  EXPECT_EQ(module->operand(graph, node, 0), Operand(x));
  EXPECT_TRUE(module->operand(graph, node, 1).is_default());
  EXPECT_EQ(module->operands(graph, node)[1], Operand(y));
  EXPECT_EQ(module->operands(graph, node)[2], one);
  EXPECT_EQ(module->constant(module->attribute(graph, node, "a")),
            Value::Int(6));
  EXPECT_FALSE(module->attribute(graph, node, "b").valid());
  EXPECT_EQ(module->value_name(graph, y), "y");
  EXPECT_EQ(graph.node_locations.size(), graph.num_nodes());
  EXPECT_EQ(module->string(graph.node_locations[1]), "here");
}

TEST(ModuleBuilderTest, BlocksOfANodeAreNumberedTogether) {
  ModuleBuilder b;
  const Operand yes(b.Constant(Value::Bool(true)));
  const auto add_if = [&] {
    b.AddNode(b.Operator(Intrinsic::kIf), {{Slot::kVariadic, yes}}, {}, {}, 2);
  };
  const auto empty_block = [&] {
    b.BeginBlock({});
    b.EndBlock({});
  };
  b.BeginFunction("f");
  b.BeginBlock({});
  add_if();
  b.BeginBlock({});
  add_if();
  empty_block();
  empty_block();
  b.EndBlock({});
  empty_block();
  b.EndBlock({});
  b.EndFunction({});
  const absl::StatusOr<Module> module = std::move(b).Build();
  ASSERT_THAT(module, IsOk());
  ASSERT_THAT(Verify(*module), IsOk());
  const Graph& graph = module->functions[0].graph;
  std::vector<uint32_t> params;
  for (const Block& block : graph.blocks) params.push_back(block.param.index);
  // Function; outer if: 1 and 2; inner if: 3 and 4.
  EXPECT_THAT(params, ElementsAre(0, 2, 9, 4, 6));
  EXPECT_EQ(module->next_sibling(graph, NodeId(1)), NodeId(11));
  EXPECT_EQ(module->next_sibling(graph, NodeId(3)), NodeId(8));
}

TEST(ModuleBuilderTest, UsesAreComplete) {
  ModuleBuilder b;
  const TypeId type = b.InternType(Type(TypeKind::kInt));
  const OperatorId op = b.Operator(EntryOf("t::f(int a, int b) -> int"));
  b.BeginFunction("f");
  const ValueId x = b.BeginBlock({{type, ""}, {type, ""}});
  const ValueId y =
      b.AddNode(op, {{0, Operand(x)}, {1, Operand(x)}}, {}, {{type, ""}});
  b.EndBlock({Operand(y), Operand(x)});
  b.EndFunction({type, type});
  const absl::StatusOr<Module> module = std::move(b).Build();
  ASSERT_THAT(module, IsOk());
  const Graph& graph = module->functions[0].graph;
  const UseLists uses = ComputeUses(graph);
  EXPECT_THAT(uses.begin, ElementsAre(0, 3, 3, 4));
  EXPECT_THAT(uses.uses, ElementsAre(0, 1, 3, 2));
  std::vector<NodeId> owners;
  for (const uint32_t use : {0, 1, 2, 3}) {
    owners.push_back(NodeOfOperand(graph, use));
  }
  EXPECT_THAT(owners, ElementsAre(NodeId(1), NodeId(1), NodeId(2), NodeId(2)));
}

TEST(ModuleBuilderTest, CallsInAnOrderThatMakesNoModuleAreErrors) {
  using Step = void (*)(ModuleBuilder&);
  for (const Step step : std::vector<Step>{
           [](ModuleBuilder& b) { b.EndFunction({}); },
           [](ModuleBuilder& b) { b.BeginBlock({}); },
           [](ModuleBuilder& b) { b.EndBlock({}); },
           [](ModuleBuilder& b) { b.BeginFunction("f"); },
           [](ModuleBuilder& b) {
             b.BeginFunction("f");
             b.BeginFunction("g");
           },
           [](ModuleBuilder& b) {
             b.BeginFunction("f");
             b.EndFunction({});
           },
           [](ModuleBuilder& b) {
             b.AddNode(b.Operator(Intrinsic::kIf), {}, {}, {}, 2);
           },
           [](ModuleBuilder& b) { b.SetLocation("nowhere"); },
           [](ModuleBuilder& b) {
             b.BeginFunction("f");
             b.BeginBlock({});
             b.BeginBlock({});
           },
           [](ModuleBuilder& b) {
             b.BeginFunction("f");
             b.BeginBlock({});
             b.AddNode(b.Operator(Intrinsic::kIf), {}, {}, {}, 2);
             b.EndBlock({});
           },
           [](ModuleBuilder& b) {
             b.BeginFunction("f");
             b.BeginBlock({});
             b.EndBlock({});
             b.BeginBlock({});
           },
       }) {
    ModuleBuilder b;
    step(b);
    // Further calls do nothing.
    const ValueId none = b.BeginBlock({});
    b.AddNode(b.Operator(Intrinsic::kIf), {{0, Operand(none)}}, {}, {});
    EXPECT_THAT(std::move(b).Build(),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

TEST(EqualityTest, NamesTheFirstDifference) {
  const auto make = [](int alpha, bool given, const char* op, TypeKind kind) {
    ModuleBuilder b;
    const TypeId type = b.InternType(Type(TypeKind::kTensor));
    b.BeginFunction("forward");
    const ValueId x = b.BeginBlock({{type, "x"}});
    std::vector<ModuleBuilder::Given> operands = {{0, Operand(x)}};
    if (given) operands.push_back({1, Operand(b.Constant(Value::Int(alpha)))});
    const ValueId y =
        b.AddNode(b.Operator(EntryOf(std::string(op) +
                                     "(Tensor a, Scalar alpha=1) -> Any")),
                  operands, {}, {{b.InternType(Type(kind)), "y"}});
    b.EndBlock({Operand(y)});
    b.EndFunction({b.InternType(Type(kind))});
    return *std::move(b).Build();
  };
  const Module module = make(1, true, "t::f", TypeKind::kTensor);
  EXPECT_EQ(FirstDifference(module, module), absl::nullopt);
  const auto difference = [&](const Module& other) {
    return FirstDifference(module, other).value_or("none");
  };
  EXPECT_EQ(difference(make(2, true, "t::f", TypeKind::kTensor)),
            "forward: node #1 (%y): t::f argument alpha: 1 / 2");
  EXPECT_THAT(difference(make(1, false, "t::f", TypeKind::kTensor)),
              HasSubstr("argument alpha, a constant / none"));
  EXPECT_EQ(difference(make(1, true, "t::g", TypeKind::kTensor)),
            "forward: node #1 (%y): operator: t::f revision 1 / t::g revision "
            "1");
  EXPECT_THAT(difference(make(1, true, "t::f", TypeKind::kInt)),
              HasSubstr("type of result 0: Tensor / int"));
  Module other = module;
  other.metadata.push_back({"k", "v"});
  EXPECT_EQ(difference(other), "meta 0: none / \"k\" = \"v\"");
  other = module;
  other.functions[0].name = "backward";
  EXPECT_EQ(difference(other), "function 0: \"forward\" / \"backward\"");
}

}  // namespace
}  // namespace opcompat
