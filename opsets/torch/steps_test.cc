// What becomes of real calls whose meaning changed between PyTorch versions,
// read by a newer version and written for an older one as a target.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "binding/bind_module.h"
#include "binding/report.h"
#include "binding/story.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "ir/text/history_loader.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

const OpsetHistory& Torch() {
  static const auto* history = new std::shared_ptr<const OpsetHistory>(
      *LoadHistoryOrError("opsets/torch"));
  return **history;
}

// `lines`, written at `from`, bound to `to`; steps down are taken as for a
// target. The statements, or "refused: " and the reasons.
std::string Bound(absl::string_view from, absl::string_view to,
                  absl::string_view lines, absl::string_view returned) {
  const Runtime writer = *Runtime::Create({*Torch().At(from)});
  const Runtime reader = *Runtime::Create({*Torch().At(to)});
  BindOptions options;
  options.down_steps = &writer;
  const BindResult result = BindModule(
      StoryModule(Torch(), from, lines, returned), reader, options);
  return result.accepted() ? StoryLines(result.module)
                           : ReasonsText(result.reasons);
}

struct Case {
  std::string name;
  std::string from, to;
  std::string lines;
  std::string expected;
  std::string returned = "%r";
};

class TorchStepsTest : public ::testing::TestWithParam<Case> {};

TEST_P(TorchStepsTest, GivesTheCallsThatMeanTheSame) {
  const Case& c = GetParam();
  EXPECT_EQ(Bound(c.from, c.to, c.lines, c.returned), c.expected);
}

std::vector<Case> Division() {
  return {
      {"FloorDivideUp", "1.7.1", "2.6.0",
       "%r : Tensor = aten::floor_divide(%x, %y)",
       "%s2 : Tensor = aten::div.Tensor_mode(%x, %y, rounding_mode=\"trunc\")"},
      {"FloorDivideByAConstantUp", "1.7.1", "1.13.1",
       "%r : Tensor = aten::floor_divide.Scalar(%x, 2)",
       "%s2 : Tensor = aten::div.Scalar_mode(%x, 2, rounding_mode=\"trunc\")"},
      {"FloorDivideInPlaceUp", "1.7.1", "2.6.0",
       "%a : Tensor = aten::floor_divide_.Tensor(%x, %y)\n"
       "%r : Tensor = aten::floor_divide_.Scalar(%a, 2)",
       "%s2 : Tensor = aten::div_.Tensor_mode(%x, %y, rounding_mode=\"trunc\")"
       "\n%s4 : Tensor = aten::div_.Scalar_mode(%s2, 2, "
       "rounding_mode=\"trunc\")"},
      {"FloorDivideIntoUp", "1.7.1", "2.6.0",
       "%r : Tensor = aten::floor_divide.out(%x, %y, out=%x)",
       "%s2 : Tensor = aten::div.out_mode(%x, %y, rounding_mode=\"trunc\", "
       "out=%x)"},
      {"FloorDivideIsTheSameAgain", "2.6.0", "1.13.1",
       "%r : Tensor = aten::floor_divide(%x, %y)",
       "%r : Tensor = aten::floor_divide(%x, %y)"},
      {"FloorDivideDown", "2.6.0", "1.7.1",
       "%r : Tensor = aten::floor_divide(%x, %y)", "refused: no_downgrader"},
      {"DivTruncDown", "2.6.0", "1.7.1",
       "%a : Tensor = aten::div.Tensor_mode(%x, %y, rounding_mode=\"trunc\")\n"
       "%r : Tensor = aten::div.Scalar_mode(%a, 2, rounding_mode=\"trunc\")",
       "%s2 : Tensor = aten::floor_divide(%x, %y)\n"
       "%s4 : Tensor = aten::floor_divide.Scalar(%s2, 2)"},
      {"DivTruncInPlaceDown", "1.13.1", "1.7.1",
       "%a : Tensor = aten::div_.Tensor_mode(%x, %y, rounding_mode=\"trunc\")\n"
       "%r : Tensor = aten::div_.Scalar_mode(%a, 2, rounding_mode=\"trunc\")",
       "%s2 : Tensor = aten::floor_divide_.Tensor(%x, %y)\n"
       "%s4 : Tensor = aten::floor_divide_.Scalar(%s2, 2)"},
      {"DivTruncIntoDown", "2.6.0", "1.7.1",
       "%r : Tensor = aten::div.out_mode(%x, %y, rounding_mode=\"trunc\", "
       "out=%x)",
       "%s2 : Tensor = aten::floor_divide.out(%x, %y, out=%x)"},
      {"DivWithoutRoundingDown", "2.6.0", "1.7.1",
       "%a : Tensor = aten::div.Tensor_mode(%x, %y, rounding_mode=None)\n"
       "%a2 : Tensor = aten::div_.Tensor_mode(%a, %y, rounding_mode=None)\n"
       "%a3 : Tensor = aten::div_.Scalar_mode(%a2, 2, rounding_mode=None)\n"
       "%a4 : Tensor = aten::div.out_mode(%a3, %y, rounding_mode=None, out=%x)\n"
       "%r : Tensor = aten::div.Scalar_mode(%a4, 2, rounding_mode=None)",
       "%s2 : Tensor = aten::div.Tensor(%x, %y)\n"
       "%s4 : Tensor = aten::div_.Tensor(%s2, %y)\n"
       "%s6 : Tensor = aten::div_.Scalar(%s4, 2)\n"
       "%s8 : Tensor = aten::div.out(%s6, %y, out=%x)\n"
       "%s10 : Tensor = aten::div.Scalar(%s8, 2)"},
      {"DivFloorDown", "2.6.0", "1.7.1",
       "%r : Tensor = aten::div.Tensor_mode(%x, %y, rounding_mode=\"floor\")",
       "refused: unknown_operator"},
      // Their meanings changed before 1.7.1.
      {"DivOfIntegersUp", "1.7.1", "2.6.0",
       "%r : Tensor = aten::div.Scalar(%x, 2)",
       "%r : Tensor = aten::div.Scalar(%x, 2)"},
      {"FullOfAnIntegerDown", "2.6.0", "1.7.1",
       "%r : Tensor = aten::full([2], 7)", "%r : Tensor = aten::full([2], 7)"},
  };
}

std::vector<Case> Creation() {
  return {
      {"RandpermOfTheDefaultDtypeUp", "1.7.1", "2.6.0",
       "%r : Tensor = aten::randperm(5)",
       "%s2 : Tensor = aten::empty.memory_format([0], dtype=None, layout=None, "
       "device=None, pin_memory=None, memory_format=None)\n"
       "%s4 : int = prim::dtype(%s2)\n"
       "%s6 : Tensor = aten::randperm(5, dtype=%s4, layout=None, device=None, "
       "pin_memory=None)"},
      {"RandpermOfTheDefaultDtypeOnADeviceUp", "1.7.1", "1.13.1",
       "%r : Tensor = aten::randperm.generator(%n, generator=None, "
       "device=\"cuda\")",
       "%s2 : Tensor = aten::empty.memory_format([0], dtype=None, layout=None, "
       "device=None, pin_memory=None, memory_format=None)\n"
       "%s4 : int = prim::dtype(%s2)\n"
       "%s6 : Tensor = aten::randperm.generator(%n, generator=None, dtype=%s4, "
       "layout=None, device=\"cuda\", pin_memory=None)"},
      {"RandpermWithADtypeUp", "1.7.1", "2.6.0",
       "%a : Tensor = aten::randperm(5, dtype=5)\n"
       "%r : Tensor = aten::randperm(5, dtype=%n)",
       "%a : Tensor = aten::randperm(5, dtype=5)\n"
       "%r : Tensor = aten::randperm(5, dtype=%n)"},
      {"RandpermDown", "2.6.0", "1.7.1", "%r : Tensor = aten::randperm(5)",
       "%r : Tensor = aten::randperm(5, dtype=4)"},
      {"RandpermWithoutADtypeDown", "2.6.0", "1.7.1",
       "%a : Tensor = aten::randperm(5, dtype=None)\n"
       "%r : Tensor = aten::randperm.generator(5, generator=None, dtype=None)",
       "%s2 : Tensor = aten::randperm(5, dtype=4, layout=None, device=None, "
       "pin_memory=None)\n"
       "%s4 : Tensor = aten::randperm.generator(5, generator=None, dtype=4, "
       "layout=None, device=None, pin_memory=None)"},
      {"RandpermWithADtypeOrNoneUp", "1.7.1", "2.6.0",
       "%p : int? = prim::If(%b)\n block0():\n -> (5)\n block1():\n -> (None)\n"
       "%r : Tensor = aten::randperm(%n, dtype=%p)",
       "%p : int? = prim::If(%b)\n"
       "%s2 : bool = aten::__isnot__(%p, None)\n"
       "%s4 : int = prim::If(%s2)\n"
       "%s6 : int = aten::_unwrap_optional(%p)\n"
       "%s8 : Tensor = aten::empty.memory_format([0], dtype=None, layout=None, "
       "device=None, pin_memory=None, memory_format=None)\n"
       "%s10 : int = prim::dtype(%s8)\n"
       "%s12 : Tensor = aten::randperm(%n, dtype=%s4, layout=None, "
       "device=None, pin_memory=None)"},
      {"RandpermWithADtypeOrNoneDown", "2.6.0", "1.7.1",
       "%p : int? = prim::If(%b)\n block0():\n -> (5)\n block1():\n -> (None)\n"
       "%r : Tensor = aten::randperm(%n, dtype=%p)",
       "%p : int? = prim::If(%b)\n"
       "%s2 : bool = aten::__isnot__(%p, None)\n"
       "%s4 : int = prim::If(%s2)\n"
       "%s6 : int = aten::_unwrap_optional(%p)\n"
       "%s8 : Tensor = aten::randperm(%n, dtype=%s4, layout=None, device=None, "
       "pin_memory=None)"},
      // No step: None means 100 by an equal value.
      {"LinspaceUp", "1.7.1", "2.6.0",
       "%a : Tensor = aten::linspace(0, 1)\n"
       "%r : Tensor = aten::logspace(0, 1, None)",
       "%a : Tensor = aten::linspace(0, 1, 100)\n"
       "%r : Tensor = aten::logspace(0, 1, 100)"},
      {"LinspaceDown", "2.6.0", "1.7.1",
       "%r : Tensor = aten::linspace(0, 1, 100)",
       "%r : Tensor = aten::linspace(0, 1, 100)"},
  };
}

std::vector<Case> Transforms() {
  return {
      {"StftWithoutReturnComplexUp", "1.7.1", "2.6.0",
       "%r : Tensor = aten::stft(%x, 8)",
       "%s2 : bool = aten::is_complex(%x)\n"
       "%s4 : Tensor = aten::stft(%x, 8, None, None, None, False, None, %s2)"},
      {"StftWithAWindowUp", "1.13.1", "2.6.0",
       "%r : Tensor = aten::stft.center(%x, 8, window=%y, center=False)",
       "%s2 : bool = aten::is_complex(%x)\n"
       "%s4 : Tensor = aten::_unwrap_optional(%y)\n"
       "%s6 : bool = aten::is_complex(%s4)\n"
       "%s8 : bool = aten::__or__.bool(%s2, %s6)\n"
       "%s10 : Tensor = aten::stft.center(%x, 8, None, None, %y, False, "
       "\"reflect\", False, None, %s8)"},
      {"StftWithAWindowOrNoneUp", "1.7.1", "2.6.0",
       "%r : Tensor = aten::stft(%x, 8, window=%o)",
       "%s2 : bool = aten::is_complex(%x)\n"
       "%s4 : bool = aten::__isnot__(%o, None)\n"
       "%s6 : bool = prim::If(%s4)\n"
       "%s8 : Tensor = aten::_unwrap_optional(%o)\n"
       "%s10 : bool = aten::is_complex(%s8)\n"
       "%s12 : bool = aten::__or__.bool(%s2, %s6)\n"
       "%s14 : Tensor = aten::stft(%x, 8, None, None, %o, False, None, %s12)"},
      {"StftThatSaysUp", "1.7.1", "2.6.0",
       "%a : Tensor = aten::stft(%x, 8, return_complex=False)\n"
       "%b1 : Tensor = aten::stft(%x, 8, return_complex=True)\n"
       "%r : Tensor = aten::stft(%x, 8, return_complex=%b)",
       "%a : Tensor = aten::stft(%x, 8, return_complex=False)\n"
       "%b1 : Tensor = aten::stft(%x, 8, return_complex=True)\n"
       "%r : Tensor = aten::stft(%x, 8, return_complex=%b)"},
      {"StftThatSaysDown", "2.6.0", "1.7.1",
       "%r : Tensor = aten::stft(%x, 8, return_complex=True)",
       "%r : Tensor = aten::stft(%x, 8, return_complex=True)"},
      // Complex input only, as there.
      {"StftWithoutReturnComplexDown", "2.6.0", "1.13.1",
       "%r : Tensor = aten::stft(%x, 8)",
       "%s2 : bool = aten::is_complex(%x)\n"
       "%s4 : Tensor = prim::If(%s2)\n"
       "%s6 : Tensor = aten::stft(%x, 8, None, None, None, False, None, True)\n"
       "= prim::RaiseException(\"stft of real input needs return_complex\")\n"
       "%s8 : Tensor = prim::Uninitialized()"},
      {"GeluUp", "1.7.1", "2.6.0", "%r : Tensor = aten::gelu(%x)",
       "%r : Tensor = aten::gelu(%x, approximate=\"none\")"},
      {"GeluDown", "2.6.0", "1.7.1",
       "%r : Tensor = aten::gelu(%x, approximate=\"none\")",
       "%r : Tensor = aten::gelu(%x)"},
      {"GeluTanhDown", "2.6.0", "1.7.1",
       "%r : Tensor = aten::gelu(%x, approximate=\"tanh\")",
       "refused: unknown_argument(approximate)"},
  };
}

std::vector<Case> OtherNamesAndArguments() {
  return {
      {"NansumOfDimensionsUp", "1.7.1", "2.6.0",
       "%a : Tensor = aten::nansum.dim_IntList(%x, [1], True)\n"
       "%r : Tensor = aten::nansum.IntList_out(%a, [0], out=%x)",
       "%s2 : Tensor = aten::nansum(%x, [1], True, dtype=None)\n"
       "%s4 : Tensor = aten::nansum.out(%s2, [0], False, dtype=None, out=%x)"},
      {"FrobeniusNormUp", "1.7.1", "2.6.0",
       "%r : Tensor = aten::frobenius_norm(%x)",
       "%s2 : Tensor = aten::norm.Scalar(%x, 2)"},
      {"AliasesDown", "2.6.0", "1.7.1",
       "%a : Tensor = aten::special_expit(%x)\n"
       "%b1 : Tensor = aten::swapaxes(%a, 0, 1)\n"
       "%r : Tensor = aten::special_polygamma(2, %b1)",
       "%s2 : Tensor = aten::sigmoid(%x)\n"
       "%s4 : Tensor = aten::transpose.int(%s2, 0, 1)\n"
       "%s6 : Tensor = aten::polygamma(2, %s4)"},
      {"AllDimensionsDown", "2.6.0", "1.7.1",
       "%a : Tensor = aten::sum.dim_IntList(%x, None)\n"
       "%r : Tensor = aten::var.dim(%a, None)",
       "%a : Tensor = aten::sum.dim_IntList(%x, [])\n"
       "%r : Tensor = aten::var.dim(%a, [])"},
      {"EluBackwardUp", "1.7.1", "2.6.0",
       "%r : Tensor = aten::elu_backward(%x, 1.0, 1, 1, %y)",
       "%r : Tensor = aten::elu_backward(%x, 1.0, 1, 1, True, %y)"},
      {"EluBackwardOfTheInputDown", "2.6.0", "1.7.1",
       "%r : Tensor = aten::elu_backward(%x, 1.0, 1, 1, False, %y)",
       "refused: unknown_argument(is_result)"},
      {"SlicesForwardsDown", "2.6.0", "1.7.1",
       "%a : int[] = aten::slice.t(%l, None, None, 2)\n"
       "%r : str = aten::slice.str(%s, 1)",
       "%a : int[] = aten::slice.t(%l, 0, 9223372036854775807, 2)\n"
       "%r : str = aten::slice.str(%s, 1)",
       "%x"},
      {"SlicesBackwardsDown", "2.6.0", "1.7.1",
       "%r : int[] = aten::slice.t(%l, None, None, -1)",
       "refused: no_downgrader", "%x"},
      {"SlicesBackwardsUp", "1.7.1", "1.13.1",
       "%r : int[] = aten::slice.t(%l, 0, 9, -1)", "refused: no_upgrader",
       "%x"},
  };
}

std::string CaseName(const ::testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Division, TorchStepsTest,
                         ::testing::ValuesIn(Division()), CaseName);
INSTANTIATE_TEST_SUITE_P(Creation, TorchStepsTest,
                         ::testing::ValuesIn(Creation()), CaseName);
INSTANTIATE_TEST_SUITE_P(Transforms, TorchStepsTest,
                         ::testing::ValuesIn(Transforms()), CaseName);
INSTANTIATE_TEST_SUITE_P(OtherNamesAndArguments, TorchStepsTest,
                         ::testing::ValuesIn(OtherNamesAndArguments()),
                         CaseName);

}  // namespace
}  // namespace opcompat
