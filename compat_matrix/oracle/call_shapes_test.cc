// Calls that are worked out together come out as each alone does.
#include "compat_matrix/oracle/call_shapes.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "compat_matrix/oracle/expand.h"
#include "compat_matrix/oracle/expand_module.h"
#include "compat_matrix/oracle/testing.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace oracle {
namespace {

// All that comes of a module, as text.
std::string Expected(const Module& module, const Runtime& writer,
                     const Runtime& reader, bool as_target, bool each_alone) {
  Expander expander(reader, &writer, as_target);
  std::vector<RefusedCall> refused;
  const absl::optional<Module> expected = ExpectedModule(
      module, FactsOfFunctions(module), &expander, &refused, each_alone);
  std::string text = expected.has_value() ? PrintModule(*expected) : "refused";
  for (const RefusedCall& call : refused) {
    absl::StrAppend(&text, "\n", call.function, " ", call.op, " ",
                    call.problem.code, " ", call.problem.argument);
  }
  EXPECT_TRUE(expander.contradictions().empty());
  return text;
}

// Every way between two versions, as reader and as target. Returns how many
// modules came out.
int Compare(const OpsetHistory& history, const std::string& text) {
  int accepted = 0;
  for (const Opset& from : history.versions()) {
    const Runtime writer = Runtime::Create({from}).value();
    const absl::StatusOr<Module> module = ParseModule(text, writer);
    if (!module.ok()) continue;
    for (const Opset& to : history.versions()) {
      const Runtime reader = Runtime::Create({to}).value();
      for (const bool as_target : {false, true}) {
        const std::string alone =
            Expected(*module, writer, reader, as_target, true);
        EXPECT_EQ(Expected(*module, writer, reader, as_target, false), alone)
            << from.version() << " -> " << to.version() << "\n"
            << text;
        accepted += alone.compare(0, 7, "refused") != 0;
      }
    }
  }
  return accepted;
}

TEST(CallShapes, TheDemoIsTheSameEachCallAlone) {
  const auto history = LoadHistoryOrError("opsets/demo");
  ASSERT_TRUE(history.ok()) << history.status();
  int modules = 0;
  int accepted = 0;
  for (const auto& file :
       std::filesystem::directory_iterator("opsets/demo/modules")) {
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    accepted += Compare(**history, text.str());
    ++modules;
  }
  EXPECT_GT(modules, 20);
  EXPECT_GT(accepted, 500);
}

std::string Story(const std::string& body) {
  return absl::StrCat(
      "func forward(%x : Tensor, %y : Tensor, %n : int, %l : int[]) -> "
      "(Tensor):\n",
      body, "  return (%x)\n");
}

// Calls of one form that differ in what a rule looks at, in each order.
TEST(CallShapes, WhatARuleLooksAtTellsShapesApart) {
  const std::string kV1 =
      "t::gone(Tensor x, int p=0) -> Tensor\n"
      "t::wide(Tensor x, Scalar s) -> Tensor\n"
      "t::step(Tensor x, Tensor y, int p=0) -> Tensor\n"
      "t::two(Tensor x, int p=0) -> (Tensor, Tensor)\n"
      "t::list(Tensor x, int[] v) -> Tensor\n"
      "t::fill(int[](a!) v) -> int[](a!)\n"
      "t::same(t[] v, t e) -> Tensor\n"
      "t::kept(Tensor x, int p, str s=\"a\") -> Tensor\n";
  const std::string kV2 =
      "t::gone(Tensor x) -> Tensor\n"
      "t::wide(Tensor x, int s) -> Tensor\n"
      "t::step(Tensor x, Tensor y, int p=0) -> Tensor\n"
      "t::two(Tensor x, int p=0) -> Tensor\n"
      "t::list(Tensor x, int?[] v) -> Tensor\n"
      "t::fill(int[](a!) v) -> int[](a!)\n"
      "t::same(t[] v, t e) -> Tensor\n"
      "t::kept(Tensor x, str s=\"b\", *, int p, int q=1) -> Tensor\n";
  const auto history = MakeHistory(
      {{"1", kV1},
       {"2", kV2,
        SemanticChange("t::step", 2,
                       "unchanged_when { all { argument: \"p\" one_of: \"0\" "
                       "} } upgraders { graph: \"up\" } one_way_down: true")}},
      {{"up",
        "func up(%x : Tensor, %y : Tensor, %p : int) -> (Tensor):\n"
        "  %a : Tensor = t::gone(%y)\n"
        "  %r : Tensor = t::step(%a, %x, %p)\n  return (%r)\n"}});
  const std::vector<std::string> calls = {"t::gone(%x, 0)",
                                          "t::gone(%x, 1)",
                                          "t::gone(%x, %n)",
                                          "t::wide(%x, 1)",
                                          "t::wide(%x, 1.5)",
                                          "t::wide(%x, %n)",
                                          "t::step(%x, %y, 0)",
                                          "t::step(%x, %x, 7)",
                                          "t::step(%y, %x, 7)",
                                          "t::step(%x, %y, 8)",
                                          "t::step[n=\"w\"](%x, %y, 7)",
                                          "t::kept(%x, 1)",
                                          "t::kept(%y, 2, \"c\")",
                                          "t::kept(%x, %n)",
                                          "t::kept(%x, 3, \"b\")",
                                          "t::list(%x, %l)",
                                          "t::list(%x, [1, 2])",
                                          "t::same([1, 2], 3)",
                                          "t::same([1.5], 2.5)",
                                          "t::same([1], %n)"};
  int accepted = 0;
  for (size_t i = 0; i < calls.size(); ++i) {
    for (size_t j = 0; j < calls.size(); ++j) {
      // Others never have one shape.
      if (calls[i].compare(0, 7, calls[j], 0, 7) != 0) continue;
      accepted += Compare(
          *history, Story(absl::StrCat("  %a : Tensor = ", calls[i],
                                       "\n  %b : Tensor = ", calls[j], "\n")));
    }
  }
  EXPECT_GT(accepted, 100);
  // Used and unused results; a list that is written, and one that is not.
  Compare(*history, Story("  %a : Tensor, %b : Tensor = t::two(%x)\n"
                          "  %c : Tensor, %d : Tensor = t::two(%x)\n"
                          "  %e : Tensor = t::gone(%d)\n"));
  Compare(*history, Story("  %a : Tensor = t::list(%x, %l)\n"
                          "  %m : int[] = prim::ListConstruct(%n, %n)\n"
                          "  %w : int[] = t::fill(%m)\n"
                          "  %b : Tensor = t::list(%x, %m)\n"));
}

}  // namespace
}  // namespace oracle
}  // namespace opcompat
