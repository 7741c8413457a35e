#include "ir/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "ir/canonicalize.h"
#include "ir/equality.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/module_builder.h"
#include "ir/testing.h"
#include "ir/text/module_parser.h"
#include "schema/opset.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;

// Statements of a function, and what the parser, which verifies, says.
struct Case {
  const char* name;
  std::vector<std::string> body;
  // Part of the message; empty: OK.
  const char* message;
};

std::ostream& operator<<(std::ostream& os, const Case& c) {
  return os << c.name;
}

class VerifierRulesTest : public ::testing::TestWithParam<Case> {};

TEST_P(VerifierRulesTest, AcceptsOrNamesTheFault) {
  std::string text =
      "opset t 1\n"
      "func g(%a : int, %b : float[]) -> (int):\n  return (%a)\n"
      "func f(%self : __torch__.N, %x : Tensor, %n : int, %f : float, "
      "%b : bool, %ts : Tensor[], %l : int[]) -> (Tensor):\n";
  for (const std::string& line : GetParam().body) {
    absl::StrAppend(&text, "  ", line, "\n");
  }
  absl::StrAppend(&text, "  return (%x)\n");
  const absl::StatusOr<Module> module =
      ParseModule(text, RuntimeOf(EntriesForTesting()));
  if (GetParam().message[0] == '\0') {
    EXPECT_THAT(module, IsOk());
  } else {
    EXPECT_THAT(module, StatusIs(absl::StatusCode::kInvalidArgument,
                                 HasSubstr(GetParam().message)));
  }
}

std::string NameOf(const ::testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    Calls, VerifierRulesTest,
    ::testing::Values(
        Case{"Subtypes",
             {"%y : Tensor = t::add.Tensor(%x, %x, alpha=%n)",
              "%z : Tensor = t::conv(%x, %x, %x, %l)"},
             ""},
        Case{"NoSubtype",
             {"%y : Tensor = t::add.Tensor(%x, %n)"},
             "argument other: found %n of type int, expected Tensor"},
        Case{"RequiredArgument", {"%y : Tensor = t::add.Tensor(%x)"}, "other"},
        Case{"ResultType",
             {"%y : int = t::relu(%x)"},
             "result 0 is declared int, expected Tensor"},
        Case{"AnyNumberOfResults",
             {"%y : Tensor, %z : int = t::unpack(%x)", " = t::unpack(%x)"},
             ""},
        Case{"FloatIsNoInt",
             {"%y : bool = t::gt.int(%n, %f)"},
             "argument b: found %f of type float, expected int"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Variables, VerifierRulesTest,
    ::testing::Values(
        Case{"OneTypeForTheCall",
             {"%y : int[] = t::append.t(%l, %f)"},
             "argument el: found %f of type float"},
        Case{"ResultsToo",
             {"%y : float = t::get.t(%l, 0)"},
             "result 0 is declared float, expected int"},
        Case{"NoneIsOfEveryOptional", {"%y : int = t::cast(None)"}, ""},
        Case{"ALiteralMayBeWider", {"%y : Scalar = t::cast(2)"}, ""},
        Case{"AValueMayNot",
             {"%y : Scalar = t::cast(%n)"},
             "result 0 is declared Scalar, expected int"},
        Case{"AWrittenListIsNotWidened",
             {"%s : Scalar = t::scalar(1)", "%y : int[] = t::append.t(%l, %s)"},
             "t::append.t"},
        Case{"NoTypeOfItsOwn", {"%y : int = t::len.t([])"}, "[]"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Covariance, VerifierRulesTest,
    ::testing::Values(
        Case{"WhereNothingWrites", {"%y : Tensor = t::index(%x, %ts)"}, ""},
        Case{"NotWhereItIsWritten",
             {"%y : Tensor = t::index(%x, %ts)",
              "%z : Tensor[] = t::append.t(%ts, %x)"},
             "it may be written"},
        Case{"NotWhereAnAliasIsWritten",
             {"%l1 : Tensor[] = t::append.t(%ts, %x)",
              "%y : Tensor = t::index(%x, %l1)"},
             "it may be written"},
        Case{"NotWhereABlockYieldsTheWrittenOne",
             {"%w : Tensor[] = prim::If(%b)", "  block0():", "    -> (%ts)",
              "  block1():", "    -> (%ts)",
              "%z : Tensor[] = t::append.t(%w, %x)",
              "%y : Tensor = t::index(%x, %ts)"},
             "it may be written"},
        Case{"TensorsThatAreWrittenDoNotMatter",
             {"%z : Tensor = t::add.out(%x, %x, out=%x)",
              "%w : Tensor[] = prim::ListConstruct(%x)",
              "%y : Tensor = t::index(%x, %w)"},
             ""},
        Case{"NotInConstructs",
             {"%y : Tensor?[][] = prim::ListConstruct(%ts)"},
             "only an argument of an operator"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Intrinsics, VerifierRulesTest,
    ::testing::Values(
        Case{"IfOnAnInt",
             {" = prim::If(%n)", "  block0():", "    -> ()",
              "  block1():", "    -> ()"},
             "expected bool"},
        Case{"IfYieldsAnotherType",
             {"%y : int = prim::If(%b)", "  block0():", "    -> (%x)",
              "  block1():", "    -> (1)"},
             "found %x of type Tensor, expected int"},
        Case{"IfWithParameters",
             {" = prim::If(%b)", "  block0(%p : int):", "    -> ()",
              "  block1():", "    -> ()"},
             "block0 has 1 parameters, expected 0"},
        Case{"Loop",
             {"%y : int = prim::Loop(%n, True, %n)",
              "  block0(%i : int, %c : int):", "    -> (%b, %i)"},
             ""},
        Case{"LoopWithoutACondition",
             {"%y : int = prim::Loop(%n, True, %n)",
              "  block0(%i : int, %c : int):", "    -> (%i, %i)"},
             "expected bool"},
        Case{"LoopCarriesAnotherType",
             {"%y : int = prim::Loop(%n, True, %n)",
              "  block0(%i : int, %c : float):", "    -> (True, %i)"},
             "parameter 1 of block0 is float, expected int"},
        Case{"LoopCarriesTooMuch",
             {"%y : int = prim::Loop(%n, True)",
              "  block0(%i : int, %c : int):", "    -> (True, %i)"},
             "an operand for each result"},
        Case{"ListOfAnotherType",
             {"%y : int[] = prim::ListConstruct(%n, %f)"},
             "operand 1: found %f of type float, expected int"},
        Case{"TupleOfAnotherLength",
             {"%y : (int, int) = prim::TupleConstruct(%n)"},
             "one part for each operand"},
        Case{"TupleOfAClass",
             {"%y : __torch__.T = prim::TupleConstruct(%n, %x)"},
             ""},
        Case{"DictWithoutAValue",
             {"%y : Dict(str, int) = prim::DictConstruct(\"a\")"},
             "keys and values in turn"},
        Case{"Unpack", {"%y : int, %z : int = prim::ListUnpack(%l)"}, ""},
        Case{"UnpackAnotherType",
             {"%y : float = prim::ListUnpack(%l)"},
             "expected float[]"},
        Case{"GetAttrWithoutName",
             {"%y : int = prim::GetAttr(%self)"},
             "expected an attribute `name`"},
        Case{"GetAttrOfNoClass",
             {"%y : int = prim::GetAttr[name=\"a\"](%x)"},
             "expected a value of a class"},
        Case{"SetAttr", {" = prim::SetAttr[name=\"a\"](%self, %n)"}, ""},
        Case{"CallMethod",
             {"%y : Tensor, %z : int = prim::CallMethod[name=\"m\"](%self, 1)"},
             ""},
        Case{"CallFunctionOfTheModule",
             {"%y : int = prim::CallFunction[name=\"g\"](%n, [1.0])"},
             ""},
        Case{"CallFunctionWithAnotherType",
             {"%y : int = prim::CallFunction[name=\"g\"](%f, [1.0])"},
             "expected int"},
        Case{"CallFunctionWithTooLittle",
             {"%y : int = prim::CallFunction[name=\"g\"](%n)"},
             "function g has 2 and 1"},
        Case{"CallFunctionOfElsewhere",
             {"%y : float = prim::CallFunction[name=\"h\"](%f)"},
             ""},
        Case{"ConstantOfAnotherType",
             {"%y : int = prim::Constant[value=\"a\"]()"},
             "expected int"},
        Case{"ConstantOfNothing",
             {"%y : int = prim::Constant[name=\"a\"]()"},
             "without a value"},
        Case{"TypeVariable",
             {"%y : t = prim::GetAttr[name=\"a\"](%self)"},
             "type variable"}),
    NameOf);

TEST(VerifierTest, APlaceIsGivenWithTheMessage) {
  ModuleBuilder b;
  const TypeId type = b.InternType(Type(TypeKind::kInt));
  for (const char* name : {"f", "g"}) {
    b.BeginFunction(name);
    const ValueId x = b.BeginBlock({{type, "x"}});
    if (name[0] == 'g') {
      b.AddNode(b.Operator(EntryOf("t::f(Tensor a) -> Tensor")),
                {{0, Operand(x)}}, {},
                {{b.InternType(Type(TypeKind::kTensor)), "y"}});
    }
    b.EndBlock({});
    b.EndFunction({});
  }
  const absl::StatusOr<Module> module = std::move(b).Build();
  ASSERT_THAT(module, IsOk());
  FaultPlace place;
  EXPECT_THAT(Verify(*module, {}, &place),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "g: %y: t::f: argument a: found %x of type int, "
                       "expected Tensor"));
  EXPECT_EQ(place.function, 1);
  EXPECT_EQ(place.node, NodeId(1));
  VerifyOptions structure;
  structure.check_types = false;
  EXPECT_THAT(Verify(*module, structure), IsOk());
}

// The parser counts these itself, so they are built by hand.
TEST(VerifierTest, NumbersOfResultsAreChecked) {
  const auto verify = [](size_t call, size_t yield, size_t returned) {
    ModuleBuilder b;
    const TypeId type = b.InternType(Type(TypeKind::kInt));
    const Operand one(b.Constant(Value::Int(1)));
    b.BeginFunction("f");
    b.BeginBlock({});
    b.AddNode(b.Operator(EntryOf("t::f() -> int")), {}, {},
              std::vector<ModuleBuilder::Definition>(call, {type, "y"}));
    b.AddNode(b.Operator(Intrinsic::kIf),
              {{Slot::kVariadic, Operand(b.Constant(Value::Bool(true)))}}, {},
              {{type, "z"}}, 2);
    for (int i = 0; i < 2; ++i) {
      b.BeginBlock({});
      b.EndBlock(std::vector<Operand>(yield, one));
    }
    b.EndBlock(std::vector<Operand>(returned, one));
    b.EndFunction({type});
    return Verify(*std::move(b).Build());
  };
  EXPECT_THAT(verify(1, 1, 1), IsOk());
  const auto fails = [](const char* message) {
    return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(message));
  };
  EXPECT_THAT(verify(0, 1, 1), fails("has 0 results, expected 1"));
  EXPECT_THAT(verify(2, 1, 1), fails("has 2 results, expected 1"));
  EXPECT_THAT(verify(1, 0, 1), fails("yields 0 values, expected 1"));
  EXPECT_THAT(verify(1, 2, 1), fails("yields 2 values, expected 1"));
  EXPECT_THAT(verify(1, 1, 0), fails("returns 0 values, expected 1"));
  EXPECT_THAT(verify(1, 1, 2), fails("returns 2 values, expected 1"));
}

TEST(VerifierTest, AConstantMustHaveTheFormOfItsPlace) {
  // 1 at float is 1.0, and n at int[2] is [n, n].
  const OperatorEntryPtr entry = EntryOf("t::f(float a=0., int[2] b=1) -> ()");
  const auto verify = [&](uint32_t argument, const Value& value) {
    ModuleBuilder b;
    b.BeginFunction("f");
    b.BeginBlock({});
    b.AddNode(b.Operator(entry), {{argument, Operand(b.Constant(value))}}, {},
              {});
    b.EndBlock({});
    b.EndFunction({});
    return Verify(*std::move(b).Build());
  };
  EXPECT_THAT(verify(0, Value::Float(1.0)), IsOk());
  EXPECT_FALSE(verify(0, Value::Int(1)).ok());
  EXPECT_THAT(verify(1, Value::List({Value::Int(3)})), IsOk());
  EXPECT_FALSE(verify(1, Value::Int(3)).ok());
}

TEST(VerifierTest, AValueIsSeenInItsBlockOnly) {
  ModuleBuilder b;
  const TypeId type = b.InternType(Type(TypeKind::kInt));
  b.BeginFunction("f");
  b.BeginBlock({});
  b.AddNode(b.Operator(Intrinsic::kIf),
            {{Slot::kVariadic, Operand(b.Constant(Value::Bool(true)))}}, {}, {},
            2);
  b.BeginBlock({});
  const ValueId inner =
      b.AddNode(b.Operator(Intrinsic::kConstant), {},
                {{"value", b.Constant(Value::Int(1))}}, {{type, "inner"}});
  b.EndBlock({});
  b.BeginBlock({});
  b.EndBlock({});
  b.EndBlock({Operand(inner)});
  b.EndFunction({type});
  const absl::StatusOr<Module> module = std::move(b).Build();
  ASSERT_THAT(module, IsOk());
  EXPECT_THAT(Verify(*module),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("%inner, which a block defines that has "
                                 "ended")));
}

// No part may recurse over blocks.
TEST(VerifierTest, BlocksNestDeeply) {
  constexpr int kDepth = 100000;
  ModuleBuilder b;
  const TypeId type = b.InternType(Type(TypeKind::kInt));
  b.BeginFunction("f");
  ValueId carried = b.BeginBlock({{type, ""}});
  std::vector<ValueId> results;
  for (int i = 0; i < kDepth; ++i) {
    results.push_back(
        b.AddNode(b.Operator(Intrinsic::kLoop),
                  {{Slot::kVariadic, Operand(carried)},
                   {Slot::kVariadic, Operand(b.Constant(Value::Bool(true)))},
                   {Slot::kVariadic, Operand(carried)}},
                  {}, {{type, ""}}, 1));
    carried = ValueId(b.BeginBlock({{type, ""}, {type, ""}}).index + 1);
  }
  const Operand go_on(b.Constant(Value::Bool(false)));
  Operand last(carried);
  for (int i = kDepth - 1; i >= 0; --i) {
    b.EndBlock({go_on, last});
    last = Operand(results[i]);
  }
  b.EndBlock({last});
  b.EndFunction({type});
  const absl::StatusOr<Module> module = std::move(b).Build();
  ASSERT_THAT(module, IsOk());
  EXPECT_THAT(Verify(*module), IsOk());
  EXPECT_EQ(module->functions[0].graph.blocks.size(), kDepth + 1);
  const absl::StatusOr<Module> canonical = Canonicalize(*module);
  ASSERT_THAT(canonical, IsOk());
  EXPECT_EQ(FirstDifference(*module, *canonical).value_or(""), "");
}

}  // namespace
}  // namespace opcompat
