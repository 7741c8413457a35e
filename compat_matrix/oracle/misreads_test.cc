// Planted misreads: for a right result, many that differ from it in one thing.
// The oracle must pass the first and report every other.
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "compat_matrix/oracle/oracle.h"
#include "compat_matrix/oracle/testing.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace oracle {
namespace {

std::vector<TextVersion> Versions() {
  return {
      {"1",
       "t::f(Tensor x) -> Tensor\n"
       "t::zero(Tensor x, float a=0.0) -> Tensor\n"
       "t::kw(Tensor x, *, int b=1, int c=2) -> Tensor\n"
       "t::old(Tensor x, int count=5) -> Tensor\n"
       "t::sub(Tensor a, Tensor b) -> Tensor\n"
       "t::sub.other(Tensor a, Tensor b) -> Tensor\n"
       "t::list(Tensor x, int[] l) -> Tensor\n"
       "t::any(Tensor x, Any v) -> Tensor\n"
       "t::two(Tensor x) -> (Tensor, Tensor)\n"
       "t::grow(Tensor x) -> Tensor\n"
       "t::retire(Tensor x, int p=3) -> Tensor\n"
       "t::hint(Tensor x, int p=3) -> Tensor\n"
       "t::rev(Tensor x, int m=0) -> Tensor\n"
       "t::many(Tensor x, ...) -> Tensor\n"
       "t::flag(Tensor x) -> bool"},
      {"2",
       "t::f(Tensor x, int p=1) -> Tensor\n"
       "t::zero(Tensor x, float a=-0.0) -> Tensor\n"
       "t::kw(Tensor x, *, int c=2, int b=1) -> Tensor\n"
       "t::new(Tensor x, int num=5) -> Tensor\n"
       "t::sub(Tensor b, Tensor a) -> Tensor\n"
       "t::sub.other(Tensor a, Tensor b) -> Tensor\n"
       "t::list(Tensor x, int[] l) -> Tensor\n"
       "t::any(Tensor x, Any v) -> Tensor\n"
       "t::two(Tensor x) -> (Tensor, Tensor)\n"
       "t::grow(Tensor x) -> (Tensor, Tensor)\n"
       "t::retire(Tensor x) -> Tensor\n"
       "t::hint(Tensor x, int p=3, bool h=False) -> Tensor\n"
       "t::rev(Tensor x, int m=1) -> Tensor\n"
       "t::many(Tensor x, ...) -> Tensor\n"
       "t::flag(Tensor x) -> bool",
       "changes { operator: \"t::f\" neutral_value { argument: \"p\" value: "
       "\"0\" } }\n"
       "changes { operator: \"t::new\" renamed_from: \"t::old\" }\n"
       "changes { operator: \"t::new\" renamed_argument { from: \"count\" to: "
       "\"num\" } }\n"
       "changes { operator: \"t::hint\" ignorable_argument: \"h\" }\n"
       "changes { operator: \"t::rev\" semantic_change { revision: 2 "
       "unchanged_when { all { argument: \"m\" one_of: \"0\" } } one_way_up: "
       "true one_way_down: true } }\n"},
  };
}

struct Misreads {
  const char* name;
  const char* writer;
  const char* written;
  const char* reader;
  const char* right;
  std::vector<const char*> wrong;
};

const Misreads kTable[] = {
    {"the reader's default is followed, or neutral and default are swapped",
     "1",
     "%r : Tensor = t::f(%x)",
     "2",
     "%r : Tensor = t::f(%x, 0)",
     {"%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 1)",
      "%r : Tensor = t::f(%x, %n)", "%r : Tensor = t::f(%y, 0)"}},
    {"a default that differs in its sign bit is followed",
     "1",
     "%r : Tensor = t::zero(%x)",
     "2",
     "%r : Tensor = t::zero(%x, 0.0)",
     {"%r : Tensor = t::zero(%x)", "%r : Tensor = t::zero(%x, -0.0)",
      "%r : Tensor = t::zero(%x, 5e-324)"}},
    {"the same the other way",
     "2",
     "%r : Tensor = t::zero(%x)",
     "1",
     "%r : Tensor = t::zero(%x, -0.0)",
     {"%r : Tensor = t::zero(%x)", "%r : Tensor = t::zero(%x, 0.0)"}},
    {"a constant of a class is another one",
     "1",
     "%c : Function = prim::Constant[name=\"relu\"]()\n"
     "%r : Tensor = t::any(%x, %c)",
     "2",
     "%c : Function = prim::Constant[name=\"relu\"]()\n"
     "%r : Tensor = t::any(%x, %c)",
     {"%c : Function = prim::Constant[name=\"gelu\"]()\n"
      "%r : Tensor = t::any(%x, %c)",
      "%r : Tensor = t::any(%x, %n)"}},
    {"keyword-only arguments are bound by position",
     "1",
     "%r : Tensor = t::kw(%x, b=8, c=9)",
     "2",
     "%r : Tensor = t::kw(%x, b=8, c=9)",
     {"%r : Tensor = t::kw(%x, b=9, c=8)", "%r : Tensor = t::kw(%x, b=8)",
      "%r : Tensor = t::kw(%x, c=9)", "%r : Tensor = t::kw(%x)"}},
    {"a renamed argument is dropped, or its operator is another",
     "1",
     "%r : Tensor = t::old(%x, count=9)",
     "2",
     "%r : Tensor = t::new(%x, num=9)",
     {"%r : Tensor = t::new(%x)", "%r : Tensor = t::new(%x, num=5)",
      "%r : Tensor = t::f(%x, 9)"}},
    {"operands are swapped, positional ones bound by position, the overload is "
     "another",
     "1",
     "%r : Tensor = t::sub(%x, %y)",
     "2",
     "%r : Tensor = t::sub(a=%x, b=%y)",
     {"%r : Tensor = t::sub(%x, %y)", "%r : Tensor = t::sub(%x, %x)",
      "%r : Tensor = t::sub.other(%x, %y)"}},
    {"a list changes",
     "1",
     "%r : Tensor = t::list(%x, [1, 2])",
     "2",
     "%r : Tensor = t::list(%x, [1, 2])",
     {"%r : Tensor = t::list(%x, [2, 1])", "%r : Tensor = t::list(%x, [1])",
      "%r : Tensor = t::list(%x, [1, 2, 2])", "%r : Tensor = t::list(%x, [])",
      "%r : Tensor = t::list(%x, %l)"}},
    {"a constant's kind changes where any fits",
     "1",
     "%r : Tensor = t::any(%x, True)",
     "2",
     "%r : Tensor = t::any(%x, True)",
     {"%r : Tensor = t::any(%x, 1)", "%r : Tensor = t::any(%x, 1.0)",
      "%r : Tensor = t::any(%x, None)", "%r : Tensor = t::any(%x, \"True\")",
      "%r : Tensor = t::any(%x, False)"}},
    {"results are taken in another order",
     "1",
     "%r : Tensor, %s : Tensor = t::two(%x)",
     "2",
     "%r : Tensor, %s : Tensor = t::two(%x)",
     {"%s : Tensor, %r : Tensor = t::two(%x)"}},
    {"a result that was added is taken for the first",
     "1",
     "%r : Tensor = t::grow(%x)",
     "2",
     "%r : Tensor, %s : Tensor = t::grow(%x)",
     {"%s : Tensor, %r : Tensor = t::grow(%x)"}},
    {"a retired value is not written for a version that has the argument",
     "2",
     "%r : Tensor = t::retire(%x)",
     "1",
     "%r : Tensor = t::retire(%x, 3)",
     {"%r : Tensor = t::retire(%x, 0)", "%r : Tensor = t::retire(%x, %n)"}},
    {"more is dropped than the hint",
     "2",
     "%r : Tensor = t::hint(%x, 4, True)",
     "1",
     "%r : Tensor = t::hint(%x, 4)",
     {"%r : Tensor = t::hint(%x)"}},
    {"the default of another revision is followed",
     "1",
     "%r : Tensor = t::rev(%x)",
     "2",
     "%r : Tensor = t::rev(%x, 0)",
     {"%r : Tensor = t::rev(%x)"}},
    {"an operand of `...` is lost or moved",
     "1",
     "%r : Tensor = t::many(%x, %x, %y)",
     "2",
     "%r : Tensor = t::many(%x, %x, %y)",
     {"%r : Tensor = t::many(%x, %y, %x)", "%r : Tensor = t::many(%x, %x)",
      "%r : Tensor = t::many(%x, %x, %y, %y)"}},
    {"a node is lost, added, moved or joined with another",
     "1",
     "%a : Tensor = t::kw(%x)\n%b : Tensor = t::kw(%a, b=2)\n"
     "%r : Tensor = t::kw(%b)",
     "2",
     "%a : Tensor = t::kw(%x)\n%b : Tensor = t::kw(%a, b=2)\n"
     "%r : Tensor = t::kw(%b)",
     {"%b : Tensor = t::kw(%x, b=2)\n%r : Tensor = t::kw(%b)",
      "%a : Tensor = t::kw(%x)\n%b : Tensor = t::kw(%a, b=2)\n"
      "%c : Tensor = t::kw(%b)\n%r : Tensor = t::kw(%c)",
      "%a : Tensor = t::kw(%x, b=2)\n%b : Tensor = t::kw(%a)\n"
      "%r : Tensor = t::kw(%b)",
      "%a : Tensor = t::kw(%x)\n%b : Tensor = t::kw(%x, b=2)\n"
      "%r : Tensor = t::kw(%b)",
      "%a : Tensor = t::kw(%x)\n%b : Tensor = t::kw(%a, b=2)\n"
      "%r : Tensor = t::kw(%a)"}},
    {"blocks, their order or what they yield changes",
     "1",
     "%c : bool = t::flag(%x)\n%r : Tensor = prim::If(%c)\n"
     "  block0():\n    -> (%x)\n  block1():\n    -> (%y)",
     "2",
     "%c : bool = t::flag(%x)\n%r : Tensor = prim::If(%c)\n"
     "  block0():\n    -> (%x)\n  block1():\n    -> (%y)",
     {"%c : bool = t::flag(%x)\n%r : Tensor = prim::If(%c)\n"
      "  block0():\n    -> (%y)\n  block1():\n    -> (%x)",
      "%c : bool = t::flag(%x)\n%r : Tensor = prim::If(True)\n"
      "  block0():\n    -> (%x)\n  block1():\n    -> (%y)",
      "%c : bool = t::flag(%x)\n%r : Tensor = prim::If(%c)\n"
      "  block0():\n    %s : Tensor = t::kw(%x)\n    -> (%x)\n"
      "  block1():\n    -> (%y)"}},
    {"constants of a construct change",
     "1",
     "%m : int[] = prim::ListConstruct(%n, 1)\n%r : Tensor = t::list(%x, %m)",
     "2",
     "%m : int[] = prim::ListConstruct(%n, 1)\n%r : Tensor = t::list(%x, %m)",
     {"%m : int[] = prim::ListConstruct(%n, 2)\n%r : Tensor = t::list(%x, %m)",
      "%m : int[] = prim::ListConstruct(1, %n)\n%r : Tensor = t::list(%x, %m)",
      "%m : int[] = prim::ListConstruct(%n)\n%r : Tensor = t::list(%x, %m)"}},
};

TEST(OracleMisreadsTest, EveryPlantedMisreadIsReported) {
  const auto history = MakeHistory(Versions());
  ASSERT_NE(history, nullptr);
  for (const Misreads& row : kTable) {
    SCOPED_TRACE(row.name);
    const Runtime writer = RuntimeAt(*history, row.writer);
    const Runtime reader = RuntimeAt(*history, row.reader);
    const Module original = MakeModule(Forward(row.written), writer);
    EXPECT_TRUE(Predict(original, writer, reader).accepted);
    EXPECT_EQ(MeaningDiffers(original, MakeModule(Forward(row.right), reader),
                             writer, reader),
              absl::nullopt);
    for (const char* const wrong : row.wrong) {
      EXPECT_NE(MeaningDiffers(original, MakeModule(Forward(wrong), reader),
                               writer, reader),
                absl::nullopt)
          << wrong;
    }
  }
}

// However the text of the result looks, a call that must be refused differs.
TEST(OracleMisreadsTest, WhatMustBeRefusedHasNoRightResult) {
  const auto history = MakeHistory(Versions());
  ASSERT_NE(history, nullptr);
  const Runtime one = RuntimeAt(*history, "1");
  const Runtime two = RuntimeAt(*history, "2");
  for (const char* const newer : {"t::f(%x, 1)", "t::f(%x)"}) {
    const Module original =
        MakeModule(Forward(std::string("%r : Tensor = ") + newer), two);
    EXPECT_FALSE(Predict(original, two, one).accepted);
    EXPECT_NE(MeaningDiffers(original,
                             MakeModule(Forward("%r : Tensor = t::f(%x)"), one),
                             two, one),
              absl::nullopt);
  }
}

// A result with the writer's entries was not bound at all.
TEST(OracleMisreadsTest, EntriesOfAnotherVersionAreReported) {
  const auto history = MakeHistory(Versions());
  ASSERT_NE(history, nullptr);
  const Runtime one = RuntimeAt(*history, "1");
  const Runtime two = RuntimeAt(*history, "2");
  for (const char* const call :
       {"%r : Tensor = t::f(%x)", "%r : Tensor = t::rev(%x)",
        "%r : Tensor = t::kw(%x)"}) {
    const Module original = MakeModule(Forward(call), one);
    EXPECT_NE(MeaningDiffers(original, original, one, two), absl::nullopt)
        << call;
    EXPECT_EQ(MeaningDiffers(original, original, one, one), absl::nullopt)
        << call;
  }
}

TEST(OracleMisreadsTest, WhatIsNotACallCountsToo) {
  const auto history = MakeHistory(Versions());
  ASSERT_NE(history, nullptr);
  const Runtime one = RuntimeAt(*history, "1");
  const std::string kRight =
      "attr scale : float = 0.5\n"
      "tensor w : float32[1] = hex\"0000803f\"\n"
      "meta \"producer\" = \"example\"\n"
      "func forward(%self : __torch__.Net, %x : Tensor) -> (Tensor, float):\n"
      "  %w : Tensor = prim::GetAttr[name=\"w\"](%self)\n"
      "  %y : Tensor = t::sub(%x, %w)\n"
      "  return (%y, 1.0)\n"
      "func helper(%x : Tensor) -> (Tensor):\n"
      "  return (%x)\n";
  const std::vector<std::vector<std::string>> kChanges = {
      {"= 0.5", "= -0.5"},
      {"attr scale", "attr scale2"},
      {"attr scale : float = 0.5\n", ""},
      {"0000803f", "0000803e"},
      {"tensor w", "tensor v"},
      {"float32[1]", "int32[1]"},
      {"\"example\"", "\"sample\""},
      {"\"producer\"", "\"maker\""},
      {"name=\"w\"", "name=\"v\""},
      {"__torch__.Net", "__torch__.Other"},
      {"return (%y, 1.0)", "return (%y, 2.0)"},
      {"return (%y, 1.0)", "return (%x, 1.0)"},
      {"func helper", "func helped"},
      {"func helper(%x : Tensor) -> (Tensor):\n  return (%x)\n", ""},
  };
  const Module original = MakeModule(kRight, one);
  for (const std::vector<std::string>& change : kChanges) {
    std::string wrong = kRight;
    const size_t at = wrong.find(change[0]);
    ASSERT_NE(at, std::string::npos) << change[0];
    wrong.replace(at, change[0].size(), change[1]);
    EXPECT_NE(MeaningDiffers(original, MakeModule(wrong, one), one, one),
              absl::nullopt)
        << change[0] << " / " << change[1];
  }
  // Names of values and the way constants are written do not count.
  std::string renamed = kRight;
  renamed.replace(renamed.find("%y :"), 4, "%z :");
  renamed.replace(renamed.find("(%y, 1.0)"), 9, "(%z, 1.0)");
  EXPECT_EQ(MeaningDiffers(original, MakeModule(renamed, one), one, one),
            absl::nullopt);
}

}  // namespace
}  // namespace oracle
}  // namespace opcompat
