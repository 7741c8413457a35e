#include "ir/canonicalize.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "ir/equality.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/module_builder.h"
#include "ir/testing.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "ir/verifier.h"
#include "schema/opset.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// Parsing canonicalizes, so text shows what becomes what.
struct Case {
  const char* name;
  // Statements of a function with the parameters below, and what it returns.
  std::vector<std::string> body;
  std::vector<std::string> canonical;
};

std::ostream& operator<<(std::ostream& os, const Case& c) {
  return os << c.name;
}

std::string Text(const std::vector<std::string>& body) {
  std::string text =
      "opset t 1\n"
      "func f(%self : __torch__.N, %x : Tensor, %n : int, %b : bool) -> "
      "(int[]?):\n";
  for (const std::string& line : body) absl::StrAppend(&text, "  ", line, "\n");
  return text;
}

class CanonicalFormTest : public ::testing::TestWithParam<Case> {};

TEST_P(CanonicalFormTest, IsAsWrittenDown) {
  const Runtime runtime = RuntimeOf(EntriesForTesting());
  const absl::StatusOr<Module> module =
      ParseModule(Text(GetParam().body), runtime);
  ASSERT_THAT(module, IsOk());
  EXPECT_EQ(PrintModule(*module), Text(GetParam().canonical));
  const absl::StatusOr<Module> again =
      ParseModule(Text(GetParam().canonical), runtime);
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(PrintModule(*again), Text(GetParam().canonical));
}

INSTANTIATE_TEST_SUITE_P(
    Scalars, CanonicalFormTest,
    ::testing::Values(
        Case{"FoldWhereTheTypeIsFixed",
             {"%c : int = prim::Constant[value=2]()",
              "%y : Tensor = t::add.Tensor(%x, %x, alpha=%c)",
              "%l : Tensor[] = prim::ListConstruct(%x)",
              "%z : Tensor = t::cat(%l, %c)", "return (None)"},
             {"%y : Tensor = t::add.Tensor(%x, %x, alpha=2)",
              "%l : Tensor[] = prim::ListConstruct(%x)",
              "%z : Tensor = t::cat(%l, 2)", "return (None)"}},
        Case{"FoldAtAnyIfTheLiteralHasTheDeclaredType",
             {"%c : int = prim::Constant[value=2]()",
              "%d : int? = prim::Constant[value=2]()",
              "%e : Device = prim::Constant[value=\"cpu\"]()",
              "%s : str = t::type_of(%c)", "%u : str = t::type_of(%d)",
              "%v : str = t::type_of(%e)", "return (None)"},
             {"%d : int? = prim::Constant[value=2]()",
              "%e : Device = prim::Constant[value=\"cpu\"]()",
              "%s : str = t::type_of(2)", "%u : str = t::type_of(%d)",
              "%v : str = t::type_of(%e)", "return (None)"}},
        Case{"UnusedLiteralsAreGoneAndTensorsAndClassesStay",
             {"%c : int = prim::Constant[value=2]()",
              "%k : __torch__.F = prim::Constant[name=\"f\"]()",
              "%t : Tensor = prim::Constant[value=tensor(uint8, [1], "
              "hex\"07\")]()",
              "return (None)"},
             {"%k : __torch__.F = prim::Constant[name=\"f\"]()",
              "%t : Tensor = prim::Constant[value=tensor(uint8, [1], "
              "hex\"07\")]()",
              "return (None)"}},
        Case{"FoldInReturnsAndYields",
             {"%c : int = prim::Constant[value=2]()",
              "%d : None = prim::Constant[value=None]()",
              "%y : int? = prim::If(%b)", "  block0():", "    -> (%c)",
              "  block1():", "    -> (%d)", "return (%d)"},
             {"%y : int? = prim::If(%b)", "  block0():", "    -> (2)",
              "  block1():", "    -> (None)", "return (None)"}}),
    [](const ::testing::TestParamInfo<Case>& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Containers, CanonicalFormTest,
    ::testing::Values(
        Case{"OnlyReadIsALiteral",
             {"%l : int[] = prim::ListConstruct(2, 3)",
              "%m : int[] = prim::Constant[value=[4]]()",
              "%y : Tensor = t::zeros(%l)", "%z : Tensor = t::zeros(%m)",
              "return (None)"},
             {"%y : Tensor = t::zeros([2, 3])", "%z : Tensor = t::zeros([4])",
              "return (None)"}},
        Case{"OneWrittenUseKeepsTheNodeForAll",
             {"%l : int[] = prim::ListConstruct(2, 3)",
              "%m : int[] = t::append.t(%l, 4)", "%y : Tensor = t::zeros(%l)",
              "return (None)"},
             {"%l : int[] = prim::ListConstruct(2, 3)",
              "%m : int[] = t::append.t(%l, 4)", "%y : Tensor = t::zeros(%l)",
              "return (None)"}},
        Case{"AnAnnotationWithoutWritingKeepsTheNode",
             {"%i : int = t::get.t([7, 8], 0)", "return (None)"},
             {"%4 : int[] = prim::ListConstruct(7, 8)",
              "%i : int = t::get.t(%4, 0)", "return (None)"}},
        Case{"ReturnedIsAConstruct",
             {"%m : int[] = prim::Constant[value=[4, 5]]()", "return (%m)"},
             {"%m : int[] = prim::ListConstruct(4, 5)", "return (%m)"}},
        Case{"NestedOnesFoldAsAWhole",
             {"%a : int[] = prim::ListConstruct(1)",
              "%l : int[][] = prim::ListConstruct(%a, %a)",
              "%p : (int, float) = prim::TupleConstruct(1, 2.0)",
              "%d : Dict(str, float) = prim::DictConstruct(\"k\", 0.5)",
              "%y : Tensor = t::nested(%l, %p, %d)", "return (None)"},
             {"%y : Tensor = t::nested([[1], [1]], (1, 2.0), {\"k\": 0.5})",
              "return (None)"}},
        Case{"APartThatIsWrittenKeepsTheWhole",
             {"%a : int[] = prim::ListConstruct(1)",
              "%c : int[] = prim::ListConstruct(2)",
              "%l : int[][] = prim::ListConstruct(%a, %c)",
              "%m : int[] = t::append.t(%a, 4)",
              "%p : (int, float) = prim::TupleConstruct(1, 2.0)",
              "%y : Tensor = t::nested(%l, %p, {})", "return (None)"},
             {"%a : int[] = prim::ListConstruct(1)",
              "%c : int[] = prim::ListConstruct(2)",
              "%l : int[][] = prim::ListConstruct(%a, %c)",
              "%m : int[] = t::append.t(%a, 4)",
              "%y : Tensor = t::nested(%l, (1, 2.0), {})", "return (None)"}},
        Case{"APartOfWhatIsNoConstantStays",
             {"%a : int[] = prim::ListConstruct(1)",
              "%c : int[] = prim::ListConstruct(%n)",
              "%l : int[][] = prim::ListConstruct(%a, %c)",
              "%y : Tensor = t::nested(%l, (1, 2.0), {})", "return (None)"},
             {"%a : int[] = prim::ListConstruct(1)",
              "%c : int[] = prim::ListConstruct(%n)",
              "%l : int[][] = prim::ListConstruct(%a, %c)",
              "%y : Tensor = t::nested(%l, (1, 2.0), {})", "return (None)"}},
        Case{"AtAnyAndDotsByTheTypeOfTheLiteral",
             {"%l : int[] = prim::ListConstruct(2)",
              "%e : int[] = prim::ListConstruct()",
              "%s : str = t::format(\"{}\", %l, %e)", "return (None)"},
             {"%e : int[] = prim::Constant[value=[]]()",
              "%s : str = t::format(\"{}\", [2], %e)", "return (None)"}},
        Case{"GivenToAnObjectItMayBeWritten",
             {"%l : int[] = prim::ListConstruct(2)",
              " = prim::SetAttr[name=\"l\"](%self, %l)", "return (None)"},
             {"%l : int[] = prim::ListConstruct(2)",
              " = prim::SetAttr[name=\"l\"](%self, %l)", "return (None)"}}),
    [](const ::testing::TestParamInfo<Case>& info) { return info.param.name; });

// What each type of container may be, whatever its elements: written, it is
// constructs, and only read, a literal; the spelling makes no difference.
TEST(CanonicalizeTest, AConstantAndItsConstructAreOneForEveryElementType) {
  const struct {
    const char* type;
    const char* literal;
    const char* construct;
  } kCases[] = {
      {"int[]", "[]", "ListConstruct()"},
      {"int[]", "[1]", "ListConstruct(1)"},
      {"int?[]", "[None, 1]", "ListConstruct(None, 1)"},
      {"float[]", "[]", "ListConstruct()"},
      {"bool[]", "[]", "ListConstruct()"},
      {"complex[]", "[]", "ListConstruct()"},
      {"str[]", "[]", "ListConstruct()"},
      {"Device[]", "[]", "ListConstruct()"},
      {"Scalar[]", "[]", "ListConstruct()"},
      {"Scalar[]", "[1, 2.5]", "ListConstruct(1, 2.5)"},
      {"ScalarType[]", "[]", "ListConstruct()"},
      {"Any[]", "[]", "ListConstruct()"},
      {"Any[]", "[1, \"a\", None]", "ListConstruct(1, \"a\", None)"},
      {"Tensor[]", "[]", "ListConstruct()"},
      {"Tensor?[]", "[]", "ListConstruct()"},
      {"Tensor?[]", "[None, None]", "ListConstruct(None, None)"},
      {"Generator[]", "[]", "ListConstruct()"},
      {"Generator?[]", "[None]", "ListConstruct(None)"},
      {"Stream[]", "[]", "ListConstruct()"},
      {"Storage[]", "[]", "ListConstruct()"},
      {"Future(Tensor)[]", "[]", "ListConstruct()"},
      {"RRef(int)[]", "[]", "ListConstruct()"},
      {"__torch__.N[]", "[]", "ListConstruct()"},
      {"(Tensor, int)[]", "[]", "ListConstruct()"},
      {"Dict(str, Tensor)", "{}", "DictConstruct()"},
      {"Dict(str, Tensor?)", "{\"k\": None}", "DictConstruct(\"k\", None)"},
      {"(Tensor?, int)", "(None, 1)", "TupleConstruct(None, 1)"},
  };
  const Runtime runtime = RuntimeOf(EntriesForTesting());
  for (const auto& c : kCases) {
    const std::string header = absl::StrCat(
        "opset t 1\nfunc f(%self : ", "__torch__.N) -> (", c.type, "):\n");
    const std::string constant = absl::StrCat(
        "  %l : ", c.type, " = prim::Constant[value=", c.literal, "]()\n");
    const std::string construct =
        absl::StrCat("  %l : ", c.type, " = prim::", c.construct, "\n");
    const std::string set = "   = prim::SetAttr[name=\"l\"](%self, %l)\n";
    const std::string canonical =
        absl::StrCat(header, construct, set, "  return (%l)\n");
    for (const std::string& definition : {constant, construct}) {
      const absl::StatusOr<Module> module = ParseModule(
          absl::StrCat(header, definition, set, "  return (%l)\n"), runtime);
      ASSERT_THAT(module, IsOk()) << definition;
      EXPECT_EQ(PrintModule(*module), canonical);
    }
    // Any does not say of which type a literal is.
    if (absl::StartsWith(c.type, "Any")) continue;
    const absl::StatusOr<Module> returned = ParseModule(
        absl::StrCat(header, "  return (", c.literal, ")\n"), runtime);
    ASSERT_THAT(returned, IsOk()) << c.type;
    const absl::StatusOr<Module> made = ParseModule(
        absl::StrCat(header, construct, "  return (%l)\n"), runtime);
    ASSERT_THAT(made, IsOk()) << c.type;
    EXPECT_EQ(FirstDifference(*returned, *made), absl::nullopt) << c.type;
  }
}

// Sixty levels of pairs: 2^60 leaves, were the parts copied.
TEST(CanonicalizeTest, SharedContainersDoNotMultiply) {
  ModuleBuilder b;
  b.BeginFunction("f");
  b.BeginBlock({});
  Type type = Type::List(Type(TypeKind::kInt));
  Operand part(
      b.AddNode(b.Operator(Intrinsic::kListConstruct),
                {{Slot::kVariadic, Operand(b.Constant(Value::Int(1)))}}, {},
                {{b.InternType(type), ""}}));
  for (int i = 0; i < 60; ++i) {
    type = Type::List(type);
    part = Operand(b.AddNode(b.Operator(Intrinsic::kListConstruct),
                             {{Slot::kVariadic, part}, {Slot::kVariadic, part}},
                             {}, {{b.InternType(type), ""}}));
  }
  b.AddNode(b.Operator(EntryOf("t::print(...) -> ()")),
            {{Slot::kVariadic, part}}, {}, {});
  b.EndBlock({});
  b.EndFunction({});
  const absl::StatusOr<Module> module = std::move(b).Build();
  ASSERT_THAT(module, IsOk());
  ASSERT_THAT(Verify(*module), IsOk());
  const absl::StatusOr<Module> canonical = Canonicalize(*module);
  ASSERT_THAT(canonical, IsOk());
  EXPECT_THAT(Verify(*canonical), IsOk());
  EXPECT_LE(canonical->functions[0].graph.num_nodes(),
            module->functions[0].graph.num_nodes());
  for (const Value& value : canonical->constants) EXPECT_LE(value.depth(), 8);
}

TEST(CanonicalizeTest, TablesHoldWhatIsUsedInOrderOfFirstUse) {
  ModuleBuilder b;
  b.InternType(Type(TypeKind::kStorage));
  b.String("unused");
  const ConstantId two = b.Constant(Value::Int(2));
  const ConstantId one = b.Constant(Value::Int(1));
  b.Constant(Value::Int(3));
  b.Operator(EntryOf("t::unused() -> ()"));
  const OperatorId op = b.Operator(EntryOf("t::f(int a, int b) -> ()"));
  b.BeginFunction("f");
  b.BeginBlock({});
  b.AddNode(op, {{0, Operand(one)}, {1, Operand(two)}}, {}, {});
  b.EndBlock({});
  b.EndFunction({});
  const absl::StatusOr<Module> module = std::move(b).Build();
  ASSERT_THAT(module, IsOk());
  const absl::StatusOr<Module> canonical = Canonicalize(*module);
  ASSERT_THAT(canonical, IsOk());
  EXPECT_TRUE(canonical->strings.empty());
  EXPECT_TRUE(canonical->types.empty());
  EXPECT_EQ(canonical->constants,
            (std::vector<Value>{Value::Int(1), Value::Int(2)}));
  ASSERT_EQ(canonical->operators.size(), 3);
  EXPECT_EQ(canonical->operators[0].intrinsic, Intrinsic::kParam);
  EXPECT_EQ(canonical->operators[1].name(), "t::f");
  EXPECT_EQ(canonical->operators[2].intrinsic, Intrinsic::kReturn);
}

}  // namespace
}  // namespace opcompat
