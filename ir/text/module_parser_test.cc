#include "ir/text/module_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "base/status_matchers.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "ir/text/module_printer.h"
#include "ir/text/opset_for_testing.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

constexpr char kTorch[] = R"(opset torch 2.6.0
aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
aten::gt.int(int a, int b) -> bool
aten::sqrt.float(float a) -> float
aten::warn(str message, int stacklevel=2) -> ()
aten::format(str self, ...) -> str
aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0) -> Tensor
aten::to.dtype(Tensor self, ScalarType dtype, bool non_blocking=False, *, MemoryFormat? memory_format=None) -> Tensor
aten::zeros(int[] size, *, ScalarType? dtype=None, Device? device=None) -> Tensor
aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)
aten::len.t(t[] a) -> int
aten::mse_loss(Tensor self, Tensor target, int reduction=Mean, *, int? again=None) -> Tensor
aten::join(str a="", str b="", *, str sep=",", ...) -> str
prim::type(Any x) -> str
prim::unpack(Any x) -> ...
prim::With(...) -> ...
static::clamp(Tensor x, int min, int min) -> Tensor
)";

constexpr char kMine[] = R"(opset mine 3
mine::scale(Tensor x, str mode="mean") -> Tensor
)";

Runtime TestRuntime() { return *RuntimeForTesting({kTorch, kMine}); }

// The example of the grammar, as it is printed.
constexpr char kExample[] = R"(opset torch 2.6.0
opset mine 3
attr scale : float = 0.5
tensor w : float32[2, 2] = hex"0000803f000000000000000000008040"
meta "producer" = "example"
func forward(%self : __torch__.Net, %x : Tensor, %n : int) -> (Tensor, int[]):
  %w : Tensor = prim::GetAttr[name="w"](%self)
  %y : Tensor = aten::add.Tensor(%x, %w, alpha=2)
  %l : int[] = prim::ListConstruct(%n, 3)
  %b : bool = aten::gt.int(%n, 0)
  %z : Tensor = prim::If(%b)
    block0():
      %t : Tensor = mine::scale(%y, "sum")
      -> (%t)
    block1():
      -> (%y)
   = aten::warn("done", 2)
  return (%z, %l)
)";

// A function around statements; `%x : Tensor, %n : int, %d : float, %b : bool,
// %l : int[]` are its parameters.
std::string FunctionOf(absl::string_view statements) {
  return absl::StrCat(
      "func f(%x : Tensor, %n : int, %d : float, %b : bool, %l : int[]) -> "
      "():\n",
      statements, "\n  return ()\n");
}

TEST(ModuleParserTest, TheExamplePrintsAsItIsWritten) {
  const absl::StatusOr<Module> module = ParseModule(kExample, TestRuntime());
  ASSERT_THAT(module, IsOk());
  EXPECT_EQ(PrintModule(*module), kExample);
}

TEST(ModuleParserTest, NamesOfPositionalArgumentsAreNotPrinted) {
  const std::string by_name = absl::StrReplaceAll(
      kExample, {{"\"sum\"", "mode=\"sum\""}, {", 2)", ", stacklevel=2)"}});
  ASSERT_NE(by_name, kExample);
  const absl::StatusOr<Module> module = ParseModule(by_name, TestRuntime());
  ASSERT_THAT(module, IsOk());
  EXPECT_EQ(PrintModule(*module), kExample);
}

TEST(ModuleParserTest, SpacesCommentsAndLineEndsDoNotMatter) {
  const absl::StatusOr<Module> expected = ParseModule(kExample, TestRuntime());
  ASSERT_THAT(expected, IsOk());
  for (const auto& replacements :
       std::vector<std::vector<std::pair<std::string, std::string>>>{
           {{"\n", "\r\n"}},
           {{"\n", "\n\n \n"}},
           {{"\n", "  # a \"comment\n# another\n"}},
           {{"  ", ""}},
           {{"  ", "\t \t"}},
           {{", ", " ,  "}, {"(%", "( %"}, {"=", " = "}, {"2.6.0", "2.6.0\t"}},
       }) {
    const std::string text = absl::StrReplaceAll(kExample, replacements);
    const absl::StatusOr<Module> module = ParseModule(text, TestRuntime());
    ASSERT_THAT(module, IsOk()) << text;
    EXPECT_EQ(FirstDifference(*module, *expected), absl::nullopt) << text;
    EXPECT_EQ(PrintModule(*module), kExample) << text;
  }
}

// Statements, and what is printed of each; empty: the same.
struct StatementCase {
  const char* statement;
  const char* printed;
};

TEST(ModuleParserTest, StatementsPrintCanonically) {
  constexpr StatementCase kCases[] = {
      // Arguments by place and by name, in any order.
      {"%r : Tensor = aten::conv2d(%x, %x, None, [2, 2])", ""},
      {"%r : Tensor = aten::conv2d(%x, %x, padding=[1, 2])", ""},
      {"%r : Tensor = aten::conv2d(%x, %x, stride=[2, 2], bias=%x)",
       "%r : Tensor = aten::conv2d(%x, %x, %x, [2, 2])"},
      {"%r : Tensor = aten::conv2d(padding=[1, 2], weight=%x, input=%x)",
       "%r : Tensor = aten::conv2d(%x, %x, padding=[1, 2])"},
      {"%r : Tensor = aten::add.out(%x, %x, out=%x)", ""},
      {"%r : Tensor = aten::add.out(%x, out=%x, other=%x, alpha=2)",
       "%r : Tensor = aten::add.out(%x, %x, alpha=2, out=%x)"},
      // A written default stays written.
      {"%r : Tensor = aten::add.Tensor(%x, %x, alpha=1)", ""},
      {"%r : Tensor = aten::conv2d(%x, %x, None, [1, 1], [0, 0])", ""},
      // Literals take the form of the argument's type.
      {"%r : Tensor = aten::conv2d(%x, %x, stride=2)",
       "%r : Tensor = aten::conv2d(%x, %x, stride=[2, 2])"},
      {"%r : Tensor = aten::conv2d(%x, %x, stride=[2])", ""},
      {"%r : float = aten::sqrt.float(2)",
       "%r : float = aten::sqrt.float(2.0)"},
      {"%r : float = aten::sqrt.float(-0.0)", ""},
      {"%r : float = aten::sqrt.float(nan(0x7ff8000000000001))", ""},
      {"%r : float = aten::sqrt.float(1e-5)",
       "%r : float = aten::sqrt.float(1e-05)"},
      {"%r : Tensor = aten::add.Tensor(%x, %x, alpha=2.0)", ""},
      {"%r : Tensor = aten::to.dtype(%x, long)",
       "%r : Tensor = aten::to.dtype(%x, 4)"},
      {"%r : Tensor = aten::to.dtype(%x, 6, memory_format=channels_last)",
       "%r : Tensor = aten::to.dtype(%x, 6, memory_format=2)"},
      {"%r : Tensor = aten::mse_loss(%x, %x, reduction=Sum, again=Mean)",
       "%r : Tensor = aten::mse_loss(%x, %x, 2, again=1)"},
      {"%r : Tensor = aten::zeros([1, 2], device='cpu')",
       "%r : Tensor = aten::zeros([1, 2], device=\"cpu\")"},
      {R"( = aten::warn("a\"b\\\n\t\r\x00\xff#é"))",
       R"( = aten::warn("a\"b\\\n\t\r\x00\xff#é"))"},
      {"%r : bool = aten::gt.int(-9223372036854775808, 9223372036854775807)",
       ""},
      // Where no type is expected the literal has its own.
      {"%r : str = prim::type([1, 2])", ""},
      {"%r : str = prim::type(1.0+2.0j)", ""},
      {"%r : str = prim::type((1, (\"a\",)))", ""},
      {"%r : int = aten::len.t([1.0, 2.0])", ""},
      // Constants and lists of constants become operands.
      {"%c : int = prim::Constant[value=3]()\n  %r : bool = aten::gt.int(%n, "
       "%c)",
       "%r : bool = aten::gt.int(%n, 3)"},
      {"%s : int[] = prim::ListConstruct(2, 2)\n"
       "  %r : Tensor = aten::conv2d(%x, %x, stride=%s)",
       "%r : Tensor = aten::conv2d(%x, %x, stride=[2, 2])"},
      {"%c : int[] = prim::Constant[value=[]]()\n  %r : str = prim::type(%c)",
       ""},
      // Variadic operands, before and after arguments by name.
      {"%r : str = aten::format(\"{} {}\", 1, %x)", ""},
      {"%r : str = aten::format(\"\")", ""},
      {"%r : str = aten::join(\"a\", \"b\", 1, sep=\" \")", ""},
      {"%r : str = aten::join(\"a\", \"b\", ..., 1)",
       "%r : str = aten::join(\"a\", \"b\", 1)"},
      {"%r : str = aten::join(b=\"b\", ..., 1, %n, sep=\" \")", ""},
      {"%r : str = aten::join(..., %n)", ""},
      {"%r : str = aten::join(sep=\" \", ..., 1, a=\"a\", 2)",
       "%r : str = aten::join(\"a\", ..., 1, 2, sep=\" \")"},
      // Results.
      {"%v : Tensor, %i : Tensor = aten::max.dim(%x, 0)", ""},
      {" = aten::warn(\"\")", ""},
      {" = prim::unpack(%x)", ""},
      {"%p : int, %q : Tensor = prim::unpack(%x)", ""},
      // Types.
      {"%r : (int,) = prim::TupleConstruct(%n)", ""},
      {"%r : NamedTuple(a : int, b : Tensor) = prim::TupleConstruct(%n, %x)",
       ""},
      {"%r : Dict(str, int) = prim::DictConstruct(\"a\", %n)", ""},
      {"%r : Tensor?[] = prim::ListConstruct(%x, None)", ""},
      {"%r : float[] = prim::ListConstruct(%d, 1)",
       "%r : float[] = prim::ListConstruct(%d, 1.0)"},
      // Attributes.
      {" = aten::warn[b=2, a=\"x\"](\"\")",
       " = aten::warn[a=\"x\", b=2](\"\")"},
      {" = aten::warn[\"not a word\"=[1, 2]](\"\")", ""},
      {"%c : __torch__.f = prim::Constant[name=\"f\"]()\n"
       "  %r : str = prim::type(%c)",
       ""},
      {"%a.b_1.2 : int, %i.1 : int = prim::unpack(%l)", ""},
      // Operators with any number of blocks.
      {" = prim::With()\n"
       "    block0():\n"
       "      %a : int, %c : str = prim::With(%x)\n"
       "        block0(%p : int):\n"
       "          -> (1, \"a\")\n"
       "        block1():\n"
       "          -> ()\n"
       "        block2():\n"
       "           = prim::With(%n)\n"
       "          -> (%x)\n"
       "      -> ()\n"
       "   = prim::With()\n"
       "    block0():\n"
       "      -> ()\n"
       "    block1():\n"
       "      -> ()",
       ""},
      // Loops: what is carried is at the results' types.
      {"%r : float = prim::Loop(10, True, 1)\n"
       "    block0(%i : int, %a : float):\n"
       "      -> (True, 2)",
       "%r : float = prim::Loop(10, True, 1.0)\n"
       "    block0(%i : int, %a : float):\n"
       "      -> (True, 2.0)"},
  };
  const Runtime runtime = TestRuntime();
  for (const StatementCase& c : kCases) {
    const absl::string_view printed =
        *c.printed == '\0' ? c.statement : c.printed;
    const absl::StatusOr<Module> module =
        ParseModule(FunctionOf(absl::StrCat("  ", c.statement)), runtime);
    ASSERT_THAT(module, IsOk()) << c.statement;
    const std::string text = PrintModule(*module);
    EXPECT_EQ(text,
              absl::StrCat(module->opsets.empty() ? "" : "opset torch 2.6.0\n",
                           FunctionOf(absl::StrCat("  ", printed))))
        << c.statement;
    const absl::StatusOr<Module> again = ParseModule(text, runtime);
    ASSERT_THAT(again, IsOk()) << text;
    EXPECT_EQ(FirstDifference(*module, *again), absl::nullopt) << text;
  }
}

TEST(ModuleParserTest, HeadersPrintCanonically) {
  constexpr char kText[] = R"(
    meta "k \"1\"" = "v\n"
    tensor layer.0.weight : byte[3] = hex"00fFAb"
    attr "0.scale" : float? = None   # a comment
    attr words : ScalarType[] = [long, 7]
    tensor scalar : complex128[] = hex"00000000000000000000000000000001"
    opset torch 2.6.0 # another
    tensor none : qint32[2, 0, 9223372036854775807] = hex""
    meta "" = ""
    attr t : Tensor = tensor(float32, [1], hex"0000803f")
  )";
  constexpr char kPrinted[] = R"(opset torch 2.6.0
attr "0.scale" : float? = None
attr words : ScalarType[] = [4, 7]
attr t : Tensor = tensor(float32, [1], hex"0000803f")
tensor layer.0.weight : uint8[3] = hex"00ffab"
tensor scalar : complex128[] = hex"00000000000000000000000000000001"
tensor none : qint32[2, 0, 9223372036854775807] = hex""
meta "k \"1\"" = "v\n"
meta "" = ""
)";
  const absl::StatusOr<Module> module = ParseModule(kText, TestRuntime());
  ASSERT_THAT(module, IsOk());
  EXPECT_EQ(PrintModule(*module), kPrinted);
}

// As in a file.
TEST(ModuleParserTest, MetadataAreAListInWhichAKeyMayRepeat) {
  constexpr char kText[] = "meta \"a\" = \"2\"\nmeta \"a\" = \"1\"\n";
  const absl::StatusOr<Module> module = ParseModule(kText, TestRuntime());
  ASSERT_THAT(module, IsOk());
  EXPECT_EQ(PrintModule(*module), kText);
}

TEST(ModuleParserTest, ModulesHaveAnyNumberOfFunctionsOfAnyName) {
  constexpr char kText[] =
      "func a.b_1() -> ():\n"
      "  return ()\n"
      "func \"two words\"(%x : Tensor) -> ((Tensor,)):\n"
      "  %x.1 : (Tensor,) = prim::TupleConstruct(%x)\n"
      "  return (%x.1)\n"
      "func c() -> (float, ScalarType?):\n"
      "  return (1.0, 6)\n";
  const absl::StatusOr<Module> module = ParseModule(kText, TestRuntime());
  ASSERT_THAT(module, IsOk());
  EXPECT_EQ(PrintModule(*module), kText);
  ASSERT_THAT(ParseModule("", TestRuntime()), IsOk());
  EXPECT_EQ(PrintModule(*ParseModule("", TestRuntime())), "");
}

TEST(ModuleParserTest, OpsetsAreThoseNamedAndThoseUsed) {
  const Runtime runtime = TestRuntime();
  const auto opsets_of = [&](const std::string& text) {
    const absl::StatusOr<Module> module = ParseModule(text, runtime);
    EXPECT_THAT(module, IsOk()) << text;
    return module.ok() ? module->opsets : std::vector<OpsetVersion>();
  };
  const OpsetVersion torch{"torch", "2.6.0"};
  const OpsetVersion mine{"mine", "3"};
  const std::string uses_both = FunctionOf(
      "%m : Tensor = mine::scale(%x)\n"
      "%s : Tensor = aten::add.Tensor(%m, %m)");
  EXPECT_THAT(opsets_of(""), IsEmpty());
  EXPECT_THAT(opsets_of(FunctionOf("")), IsEmpty());
  EXPECT_THAT(opsets_of("opset mine 3"), ElementsAre(mine));
  EXPECT_THAT(opsets_of("opset mine 3\nopset torch 2.6.0"),
              ElementsAre(mine, torch));
  EXPECT_THAT(opsets_of(uses_both), ElementsAre(torch, mine));
  EXPECT_THAT(opsets_of("opset mine 3\n" + uses_both),
              ElementsAre(mine, torch));
}

TEST(ModuleParserTest, AnOpsetMayGoByItsAlias) {
  const absl::StatusOr<Opset> opset = OpsetForTesting(kMine, {"ours"});
  ASSERT_THAT(opset, IsOk());
  const absl::StatusOr<Runtime> runtime = Runtime::Create({*opset});
  ASSERT_THAT(runtime, IsOk());
  const absl::StatusOr<Module> module = ParseModule("opset ours 3", *runtime);
  ASSERT_THAT(module, IsOk());
  EXPECT_THAT(module->opsets, ElementsAre(OpsetVersion{"mine", "3"}));
}

TEST(ReadOpsetLinesTest, StopsWhereTheHeaderEnds) {
  EXPECT_THAT(
      ReadOpsetLines(kExample),
      ElementsAre(OpsetVersion{"torch", "2.6.0"}, OpsetVersion{"mine", "3"}));
  EXPECT_THAT(
      ReadOpsetLines("# opset a 1\r\n\n  opset b 1.0-rc1 # c\r\n"
                     "attr x : str = \"opset c 1\"\n"
                     "opset d\nopset e 2\nfunc\nopset f 3\n"),
      ElementsAre(OpsetVersion{"b", "1.0-rc1"}, OpsetVersion{"e", "2"}));
  EXPECT_THAT(ReadOpsetLines(""), IsEmpty());
  EXPECT_THAT(ReadOpsetLines("opset a 1"), ElementsAre(OpsetVersion{"a", "1"}));
}

struct ErrorCase {
  const char* text;
  const char* message;
};

void ExpectErrors(absl::Span<const ErrorCase> cases,
                  std::string (*make_text)(absl::string_view)) {
  const Runtime runtime = TestRuntime();
  for (const ErrorCase& c : cases) {
    EXPECT_THAT(ParseModule(make_text(c.text), runtime),
                StatusIs(AnyOf(absl::StatusCode::kInvalidArgument,
                               absl::StatusCode::kNotFound),
                         c.message))
        << c.text;
  }
}

TEST(ModuleParserTest, BadHeadersAreErrorsWithTheirPlace) {
  constexpr ErrorCase kCases[] = {
      {"opset", "1:1: expected 'opset NAME VERSION', found 'opset'"},
      {"\n  opset a b c",
       "2:3: expected 'opset NAME VERSION', found 'opset a b c'"},
      {"opset jax 1",
       "1:7: unknown opset 'jax'; the opsets at hand are: torch, mine"},
      {"opset torch 1.7.1",
       "1:13: the text is written with torch 1.7.1, but is read as torch "
       "2.6.0"},
      {"opset mine 3\nopset mine 3", "2:7: opset 'mine' is named twice"},
      {"option x",
       "1:1: expected 'opset', 'attr', 'tensor', 'meta' or 'func', found "
       "'option'"},
      {"attr x : int = 1.5", "1:16: expected int, found 1.5"},
      {"attr x = 1", "1:8: expected ':', found '='"},
      {"attr 1 : int = 1",
       "1:6: expected the name of the attribute, found '1'"},
      {"attr x : int = 1 2", "1:18: expected the end of the line, found '2'"},
      {"attr x : int =", "1:15: expected a literal, found the end"},
      {"attr x : int = 1\nattr x : int = 1",
       "2:6: attribute 'x' is given twice"},
      {"attr x : Tensor(a!) = 1",
       "1:16: an alias annotation has no meaning here"},
      {"tensor w : float31[1] = hex\"00\"",
       "1:12: expected a dtype such as float32, found 'float31'"},
      {"tensor w : float32[1] = hex\"000000\"",
       "1:25: expected 4 bytes of two digits, found 6 digits"},
      {"tensor w : complex64[1] = hex\"00000000\"",
       "1:27: expected 8 bytes of two digits, found 8 digits"},
      {"tensor w : qint32[2] = hex\"00\"",
       "1:24: expected 8 bytes of two digits, found 2 digits"},
      {"tensor w : float32[] = hex\"\"",
       "1:24: expected 4 bytes of two digits, found 0 digits"},
      {"tensor w : int8[1] = hex\"0x\"", "1:27: expected a hexadecimal digit"},
      {"tensor w : int8[-1] = hex\"\"",
       "1:17: expected a size, 0 or more, found '-1'"},
      {"tensor w : int8[4294967296, 4294967296] = hex\"\"",
       "1:29: the tensor is too large"},
      {"tensor w : int8[1] = \"00\"",
       "1:22: expected the bytes, hex\"...\", found \"00\""},
      {"tensor w : int8[0] = hex\"\"\ntensor w : int8[0] = hex\"\"",
       "2:8: tensor 'w' is given twice"},
      {"meta x = \"\"", "1:6: expected a string, the key, found 'x'"},
      {"meta \"a\" = 1", "1:12: expected a string, the value, found '1'"},
      {"meta \"a\" = \"b",
       "1:12: expected a string, the value, found a string that does not "
       "end: \"b"},
      {"func f() -> ():\n  return ()\nmeta \"a\" = \"\"",
       "3:1: 'meta' lines come before all functions, not after one"},
      {"func f() -> ():\n  return ()\nreturn",
       "3:1: expected 'func' or the end of the text, found 'return'"},
  };
  ExpectErrors(kCases,
               [](absl::string_view text) { return std::string(text); });
}

TEST(ModuleParserTest, BadFunctionsAreErrorsWithTheirPlace) {
  constexpr ErrorCase kCases[] = {
      {"func (", "1:6: expected the name of the function, found '('"},
      {"func f(x : int)", "1:8: expected a value such as %x, found 'x'"},
      {"func f(% : int)", "1:8: expected a value such as %x, found '%'"},
      {"func f(%x)", "1:10: expected ':', found ')'"},
      {"func f(%x : 1)", "1:13: expected a type, found '1'"},
      {"func f(%x : int, %x : int)", "1:18: %x is defined already, at 1:8"},
      {"func f() -> int:", "1:13: expected '(', found 'int'"},
      {"func f() -> ()\n", "1:15: expected ':', found the end of the line"},
      {"func f() -> (): return ()",
       "1:17: expected the end of the line, found 'return'"},
      {"func f() -> ():\n",
       "2:1: expected a statement or 'return', found the end"},
      {"func f() -> ():\n  -> ()",
       "2:3: expected a statement or 'return', found '->'"},
      {"func f() -> ():\n  block0():",
       "2:3: expected a statement or 'return', found 'block0'"},
      {"func f() -> (int):\n  return ()", "2:3: expected 1 value, found none"},
      {"func f() -> (int):\n  return (1, 2)",
       "2:14: expected 1 value, found one more"},
      {"func f() -> (int, int):\n  return (1)",
       "2:12: expected 2 values, found 1"},
      {"func f() -> ():\n  return (1)",
       "2:11: expected 0 values, found one more"},
      {"func f() -> (int):\n  return (1.5)", "2:11: expected int, found 1.5"},
      {"func f() -> (int):\n  return (%y)", "2:11: %y is not defined"},
      {"func f() -> (int):\n  return (1) x",
       "2:14: expected the end of the line, found 'x'"},
      {"func f() -> ():\n  return ()\nfunc f() -> ():\n  return ()",
       "3:6: function 'f' is defined already, at 1:1"},
  };
  ExpectErrors(kCases,
               [](absl::string_view text) { return std::string(text); });
}

TEST(ModuleParserTest, BadStatementsAreErrorsWithTheirPlace) {
  constexpr ErrorCase kCases[] = {
      {"%r = prim::type(1)", "2:4: expected ':', found '='"},
      {"%r : str prim::type(1)", "2:10: expected '=', found 'prim'"},
      {"%r : str =\nprim::type(1)",
       "2:11: expected an operator such as aten::add.Tensor, found the end of "
       "the line"},
      {"%r : str = type(1)",
       "2:12: expected an operator such as aten::add.Tensor, found 'type'"},
      {"%r : str = aten::tipe(1)",
       "2:12: unknown operator aten::tipe in torch 2.6.0, mine 3"},
      {"%r : Tensor = aten::add(%x, %x)",
       "2:15: unknown operator aten::add in torch 2.6.0, mine 3; there are "
       "aten::add.Tensor, aten::add.out"},
      {"%r : Tensor = aten::zeros.out([1])",
       "2:15: unknown operator aten::zeros.out in torch 2.6.0, mine 3; there "
       "is aten::zeros"},
      {"%r : Tensor = static::clamp(%x, 1, 2)",
       "2:15: static::clamp of torch 2.6.0 cannot be called: an argument name "
       "stands twice in its schema"},
      {"%r : Tensor = prim::param()",
       "2:15: unknown operator prim::param in torch 2.6.0, mine 3"},
      // Results.
      {" = aten::gt.int(1, 2)", "2:2: aten::gt.int has 1 result, found 0"},
      {"%v : Tensor = aten::max.dim(%x, 0)",
       "2:1: aten::max.dim has 2 results, found 1"},
      {"%v : int = aten::warn(\"\")", "2:1: aten::warn has 0 results, found 1"},
      {"%x : str = prim::type(1)", "2:1: %x is defined already, at 1:8"},
      {"%r : int, %r : int = prim::unpack(%x)",
       "2:11: %r is defined already, at 2:1"},
      // Arguments.
      {"%r : bool = aten::gt.int(1)",
       "2:27: required argument 'b' of aten::gt.int is missing"},
      {"%r : bool = aten::gt.int()",
       "2:26: required argument 'a' of aten::gt.int is missing"},
      {"%r : Tensor = aten::add.out(%x, %x)",
       "2:35: required argument 'out' of aten::add.out is missing"},
      {"%r : bool = aten::gt.int(1, 2, 3)",
       "2:32: aten::gt.int takes 2 operands without a name"},
      {"%r : Tensor = aten::add.Tensor(%x, %x, 1)",
       "2:40: aten::add.Tensor takes 2 operands without a name, what follows "
       "goes by name: 'alpha='"},
      {"%r : bool = aten::gt.int(1, c=2)",
       "2:29: aten::gt.int has no argument 'c'; it has a, b"},
      {"%r : Tensor = aten::add.Tensor(%x, %x, beta=2)",
       "2:40: aten::add.Tensor has no argument 'beta'; it has self, other, *, "
       "alpha"},
      {"%r : bool = aten::gt.int(1, a=2)",
       "2:29: argument 'a' of aten::gt.int is given twice"},
      {"%r : bool = aten::gt.int(b=1, b=2)",
       "2:31: argument 'b' of aten::gt.int is given twice"},
      {"%r : bool = aten::gt.int(a=1, 2)",
       "2:31: an operand without a name after one with a name; aten::gt.int "
       "has a, b"},
      {"%r : str = aten::join(a=\"\", 1)",
       "2:29: an operand without a name after one with a name (further ones "
       "come after '...'); aten::join has a, b, *, sep, ..."},
      {"%r : bool = aten::gt.int(1, ..., 2)",
       "2:29: expected an operand, found '...'"},
      {"%r : str = aten::join(..., ..., 1)",
       "2:28: expected an operand, found '...'"},
      {"%r : int[] = prim::ListConstruct(a=1)",
       "2:34: prim::ListConstruct takes no arguments by name"},
      {"%r : bool = aten::gt.int(1, )",
       "2:29: expected a literal, found ')' (argument 'b' of aten::gt.int)"},
      {"%r : bool = aten::gt.int(1 2)", "2:28: expected ',' or ')', found '2'"},
      {"%r : bool = aten::gt.int(1, 2",
       "2:30: expected ',' or ')', found the end of the line"},
      {"%r : bool = aten::gt.int(1, 2) 3",
       "2:32: expected the end of the line, found '3'"},
      {"%r : bool = aten::gt.int(%n, %m)", "2:30: %m is not defined"},
      {"%r : bool = aten::gt.int(%n, %r)", "2:30: %r is not defined"},
      // Literals.
      {"%r : bool = aten::gt.int(1, 2.0)",
       "2:29: expected int, found 2.0 (argument 'b' of aten::gt.int)"},
      {"%r : bool = aten::gt.int(1, True)",
       "2:29: expected int, found True (argument 'b' of aten::gt.int)"},
      {"%r : Tensor = aten::add.Tensor(%x, None)",
       "2:36: expected Tensor, found None (argument 'other' of "
       "aten::add.Tensor)"},
      {"%r : int[] = prim::ListConstruct(1, \"a\")",
       "2:37: expected int, found \"a\""},
      // Attributes.
      {" = aten::warn[](\"\")",
       "2:15: expected the name of an attribute, found ']'"},
      {" = aten::warn[a](\"\")", "2:16: expected '=', found ']'"},
      {" = aten::warn[a=1, a=2](\"\")", "2:20: attribute 'a' is given twice"},
      {" = aten::warn[a=1 b=2](\"\")", "2:19: expected ',' or ']', found 'b'"},
      {"%c : int = prim::Constant[value=\"a\"]()",
       "2:33: expected int, found \"a\""},
      // Blocks.
      {" = prim::If(%b)\n  %r : str = prim::type(1)",
       "3:3: expected 'block0' (prim::If has 2 blocks), found '%r'"},
      {" = prim::If(%b)\nblock1():",
       "3:1: expected 'block0' (prim::If has 2 blocks), found 'block1'"},
      {" = prim::If(%b)\nblock0():\n-> ()",
       "5:3: expected 'block1' (prim::If has 2 blocks), found 'return'"},
      {" = prim::If(%b)\nblock0():\n",
       "5:3: expected a statement or '->', found 'return'"},
      {" = prim::If(%b)\nblock0():\n-> (1)",
       "4:5: expected 0 values, found one more"},
      {"%r : int = prim::If(%b)\nblock0():\n-> (1)\nblock1():\n-> ()",
       "6:1: expected 1 value, found none"},
      {"%r : int = prim::If(%b)\nblock0():\n-> (1.5)",
       "4:5: expected int, found 1.5"},
      {" = prim::If(%b)\nblock0():\n%a : str = prim::type(1)\n-> ()\n"
       "block1():\n%c : str = prim::type(%a)",
       "7:23: %a is not visible here: it is defined at 4:1, in a block that "
       "has ended"},
      {" = prim::If(%b)\nblock0():\n%a : str = prim::type(1)\n-> ()\n"
       "block1():\n%a : str = prim::type(1)",
       "7:1: %a is defined already, at 4:1"},
      {" = prim::Loop(1, True)\nblock0(%i : int):\n-> (True)\nblock1():",
       "5:1: expected a statement or 'return', found 'block1'"},
      {" = prim::Loop(1, True)\nblock0(%i : int):\n-> (1)",
       "4:5: expected bool, found 1"},
  };
  ExpectErrors(kCases, FunctionOf);
}

TEST(ModuleParserTest, LiteralsWithoutATypeAskForANode) {
  const Runtime runtime = TestRuntime();
  for (const char* statement :
       {" = prim::unpack([])", " = prim::unpack({})",
        " = prim::unpack([1, 2.0])", "%r : int = aten::len.t([])",
        "%r : str = aten::format(\"\", [])"}) {
    EXPECT_THAT(ParseModule(FunctionOf(statement), runtime),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("prim::Constant[value=...]()")))
        << statement;
  }
}

// What the verifier finds has a place in the text too.
TEST(ModuleParserTest, MisfitsAreErrorsWithTheirPlace) {
  constexpr ErrorCase kCases[] = {
      {"%r : Tensor = aten::add.Tensor(%x, %n)", "2:1: "},
      {"\n\n  %r : int = prim::If(%b)\nblock0():\n-> (%n)\nblock1():\n-> (%d)",
       "8:1: "},
      {"%r : int = aten::gt.int(%n, %n)", "2:1: "},
      {" = prim::If(%n)\nblock0():\n-> ()\nblock1():\n-> ()", "2:2: "},
      {" = prim::Loop(1, True)\nblock0(%i : bool):\n-> (True)", "2:2: "},
      {" = prim::If(%b)\nblock0():\n%r : int = prim::ListConstruct(1)\n-> ()\n"
       "block1():\n-> ()",
       "4:1: "},
  };
  const Runtime runtime = TestRuntime();
  for (const ErrorCase& c : kCases) {
    EXPECT_THAT(ParseModule(FunctionOf(c.text), runtime),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         ::testing::StartsWith(c.message)))
        << c.text;
  }
}

// A fault in the second function is not searched in the first.
TEST(ModuleParserTest, MisfitsAreFoundInTheirFunction) {
  EXPECT_THAT(
      ParseModule(absl::StrCat(FunctionOf(""), "func g(%n : int) -> (str):\n",
                               "  return (%n)\n"),
                  TestRuntime()),
      StatusIs(absl::StatusCode::kInvalidArgument,
               ::testing::StartsWith("5:3: ")));
}

void ExpectModuleOrPlace(const absl::StatusOr<Module>& module,
                         absl::string_view text) {
  if (module.ok()) return;
  EXPECT_THAT(module, StatusIs(AnyOf(absl::StatusCode::kInvalidArgument,
                                     absl::StatusCode::kNotFound),
                               MatchesRegex("[0-9]+:[0-9]+: .+")))
      << text;
}

TEST(ModuleParserTest, EveryPrefixIsAModuleOrAnErrorWithItsPlace) {
  const Runtime runtime = TestRuntime();
  const absl::string_view example = kExample;
  size_t modules = 0;
  for (size_t size = 0; size <= example.size(); ++size) {
    const absl::StatusOr<Module> module =
        ParseModule(example.substr(0, size), runtime);
    ExpectModuleOrPlace(module, example.substr(0, size));
    if (module.ok()) ++modules;
  }
  // Prefixes of the header, and all with or without the last line's end.
  EXPECT_LT(modules, 20u);
}

TEST(ModuleParserTest, EveryReplacedByteGivesAModuleOrAnErrorWithItsPlace) {
  const Runtime runtime = TestRuntime();
  std::string text = kExample;
  for (size_t i = 0; i < text.size(); ++i) {
    const char original = text[i];
    for (const char c : {'%', '(', '"', '\n', '0', '\xff'}) {
      text[i] = c;
      ExpectModuleOrPlace(ParseModule(text, runtime), text);
    }
    text[i] = original;
  }
}

std::string NestedLoops(int depth) {
  std::string text = "func f() -> ():\n";
  for (int i = 0; i < depth; ++i) {
    absl::StrAppend(&text, " = prim::Loop(1, True)\nblock0(%i", i,
                    " : int):\n");
  }
  for (int i = 0; i < depth; ++i) text += "-> (True)\n";
  text += "return ()\n";
  return text;
}

// So deep that code which recurses over blocks would run out of stack.
TEST(ModuleParserTest, DeeplyNestedBlocksParseAndPrint) {
  constexpr int kDepth = 50000;
  const absl::StatusOr<Module> module =
      ParseModule(NestedLoops(kDepth), Runtime());
  ASSERT_THAT(module, IsOk());
  ASSERT_EQ(module->functions[0].graph.blocks.size(), kDepth + 1u);
  const std::string printed = PrintModule(*module);
  EXPECT_LT(printed.size(), kDepth * size_t{600});
  const absl::StatusOr<Module> again = ParseModule(printed, Runtime());
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(FirstDifference(*module, *again), absl::nullopt);
}

TEST(ModuleParserTest, LimitsAreErrors) {
  ParseOptions options;
  options.max_depth = 10;
  EXPECT_THAT(ParseModule(NestedLoops(10), Runtime(), options), IsOk());
  EXPECT_THAT(ParseModule(NestedLoops(11), Runtime(), options),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "22:2: blocks nest deeper than 10"));
  options.max_bytes = 10;
  EXPECT_THAT(ParseModule("0123456789a", Runtime(), options),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "1:1: the text has 11 bytes, more than 10"));
}

}  // namespace
}  // namespace opcompat
