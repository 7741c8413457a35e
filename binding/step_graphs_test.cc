// Upgraders, downgraders, and the steps where operators come and go: what they
// make of calls (docs/compatibility.md, "Steps").
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "binding/bind_module.h"
#include "binding/report.h"
#include "binding/story.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/verifier.h"
#include "schema/history.h"
#include "schema/opset.h"
#include "schema/value.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;
using Graphs = std::map<std::string, std::string>;

// A function `up` of `parameters` that returns `returned` of `type`.
std::string StepText(absl::string_view parameters, absl::string_view lines,
                     absl::string_view returned = "%r",
                     absl::string_view type = "Tensor") {
  return absl::StrCat("func step(", parameters, ") -> (", type, "):\n", lines,
                      "\n  return (", returned, ")\n");
}

std::string SemanticChange(absl::string_view op, int revision,
                           absl::string_view fields) {
  return absl::StrCat("changes { operator: '", op,
                      "' semantic_change { revision: ", revision, " ", fields,
                      " } } ");
}

std::string Up(absl::string_view graph) {
  return absl::StrCat("upgraders { graph: '", graph, "' } ");
}
std::string Down(absl::string_view graph) {
  return absl::StrCat("downgraders { graph: '", graph, "' } ");
}
std::string Holds(absl::string_view argument, absl::string_view literal) {
  return absl::StrCat("{ all { argument: '", argument, "' one_of: '", literal,
                      "' } } ");
}

Runtime RuntimeAt(const OpsetHistory& history, absl::string_view version) {
  return *Runtime::Create({*history.At(version)});
}

// As Retell, for a target.
std::string RetellTarget(const OpsetHistory& history, absl::string_view from,
                         absl::string_view to, absl::string_view lines) {
  const Runtime writer = RuntimeAt(history, from);
  BindOptions options;
  options.down_steps = &writer;
  const BindResult result = BindModule(StoryModule(history, from, lines, "%r"),
                                       RuntimeAt(history, to), options);
  return result.accepted() ? StoryLines(result.module)
                           : ReasonsText(result.reasons);
}

struct Case {
  std::string name;
  std::vector<StoryVersion> versions;
  Graphs graphs;
  std::string from, to;
  std::string lines;
  std::string expected;
  bool as_target = false;
};

class StepGraphsTest : public ::testing::TestWithParam<Case> {};

TEST_P(StepGraphsTest, GivesTheCallsOfTheOtherRevision) {
  const Case& c = GetParam();
  const auto history = MakeHistory(c.versions, c.graphs);
  ASSERT_NE(history, nullptr);
  EXPECT_EQ(c.as_target ? RetellTarget(*history, c.from, c.to, c.lines)
                        : Retell(*history, c.from, c.to, c.lines, "%r"),
            c.expected);
}

// f changes its meaning in 2: what was f(x, p) is g(x, p) then f at 2.
const std::vector<StoryVersion>& TwoRevisions() {
  static const auto* versions = new std::vector<StoryVersion>{
      {"1", "t::f(Tensor x, int p=3) -> Tensor", ""},
      {"2",
       "t::f(Tensor x, int p=3) -> Tensor\n"
       "t::g(Tensor x, Scalar q=1) -> Tensor",
       SemanticChange("t::f", 2, Up("up") + Down("down"))}};
  return *versions;
}

const Graphs& TwoRevisionGraphs() {
  static const auto* graphs = new Graphs{
      {"up", StepText("%x : Tensor, %p : int",
                      "  %y : Tensor = t::g(%x, %p)\n"
                      "  %r : Tensor = t::f(%y, 7)")},
      {"down",
       StepText("%x : Tensor, %p : int", "  %r : Tensor = t::f(%x, p=%p)")}};
  return *graphs;
}

// f and both become calls of sum, which takes lists of int at 2, and of Scalar
// at 3.
std::vector<StoryVersion> SumsThatWiden() {
  const std::string others =
      "t::f(int[] l) -> Tensor\nt::both(int p) -> (int[], Tensor)\n"
      "t::append(int[](a!) l, int v) -> int[](a!)\n";
  return {
      {"1", others, ""},
      {"2", others + "t::sum(int[] l) -> Tensor",
       SemanticChange("t::f", 2, Up("f")) +
           SemanticChange("t::both", 2, Up("both"))},
      {"3", others + "t::sum(Scalar[] l) -> Tensor", ""},
  };
}

Graphs SumGraphs() {
  return {{"f", StepText("%l : int[]", "  %r : Tensor = t::sum(%l)")},
          {"both", StepText("%p : int",
                            "  %l : int[] = prim::ListConstruct(%p)\n"
                            "  %r : Tensor = t::sum(%l)",
                            "%l, %r", "int[], Tensor")}};
}

std::vector<StoryVersion> And(std::vector<StoryVersion> versions,
                              const StoryVersion& version) {
  versions.push_back(version);
  return versions;
}

Graphs And(Graphs graphs, const Graphs& more) {
  graphs.insert(more.begin(), more.end());
  return graphs;
}

std::vector<Case> Cases() {
  return {
      {"ConstantsGoInAsConstants", TwoRevisions(), TwoRevisionGraphs(), "1",
       "2", "%r : Tensor = t::f(%x, 5)",
       "%s2 : Tensor = t::g(%x, 5)\n%s4 : Tensor = t::f(%s2, 7)"},
      {"WhatWasLeftOutGoesInAsTheWritersDefault", TwoRevisions(),
       TwoRevisionGraphs(), "1", "2", "%r : Tensor = t::f(%x)",
       "%s2 : Tensor = t::g(%x, 3)\n%s4 : Tensor = t::f(%s2, 7)"},
      // The new one has no p.
      {"AnUpgradersConditionIsReadOnTheOldSchema",
       {{"1", "t::f(Tensor x, int p=3) -> Tensor", ""},
        {"2", "t::f(Tensor x) -> Tensor",
         SemanticChange(
             "t::f", 2,
             "upgraders { graph: 'up' when " + Holds("p", "4") + "}")}},
       {{"up", StepText("%x : Tensor, %p : int", "  %r : Tensor = t::f(%x)")}},
       "1",
       "2",
       "%r : Tensor = t::f(%x, 4)",
       "%s2 : Tensor = t::f(%x)"},
      {"GraphValuesGoIn", TwoRevisions(), TwoRevisionGraphs(), "1", "2",
       "%r : Tensor = t::f(%x, %n)",
       "%s2 : Tensor = t::g(%x, %n)\n%s4 : Tensor = t::f(%s2, 7)"},
      {"DownForATarget", TwoRevisions(), TwoRevisionGraphs(), "2", "1",
       "%r : Tensor = t::f(%x, 5)", "%s2 : Tensor = t::f(%x, 5)", true},
      {"NoStepDownInPlainReading", TwoRevisions(), TwoRevisionGraphs(), "2",
       "1", "%r : Tensor = t::f(%x, 5)", "refused: newer_revision"},
      // Version 3 changes g's default: the body still means 2's g.
      {"BodiesAge",
       And({{"1", "t::f(Tensor x) -> Tensor", ""},
            {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x, int q=1) -> Tensor",
             SemanticChange("t::f", 2, Up("up"))}},
           {"3", "t::f(Tensor x) -> Tensor\nt::g(Tensor x, int q=2) -> Tensor",
            ""}),
       {{"up", StepText("%x : Tensor", "  %r : Tensor = t::g(%x)")}},
       "1",
       "3",
       "%r : Tensor = t::f(%x)",
       "%s2 : Tensor = t::g(%x, 1)"},
      {"ABodyThatCannotBeReadAnyMore",
       And({{"1", "t::f(Tensor x) -> Tensor", ""},
            {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor",
             SemanticChange("t::f", 2, Up("up"))}},
           {"3", "t::f(Tensor x) -> Tensor", ""}),
       {{"up", StepText("%x : Tensor", "  %r : Tensor = t::g(%x)")}},
       "1",
       "3",
       "%r : Tensor = t::f(%x)",
       "refused: unknown_operator"},
      // Step by step: the body of the first step is at revision 2.
      {"ChainsGoStepByStep",
       And(TwoRevisions(), {"3",
                            "t::f(Tensor x, int p=3) -> Tensor\n"
                            "t::g(Tensor x, Scalar q=1) -> Tensor\n"
                            "t::h(Tensor x, int p) -> Tensor",
                            SemanticChange("t::f", 3, Up("up3"))}),
       And(TwoRevisionGraphs(),
           {{"up3", StepText("%x : Tensor, %p : int",
                             "  %r : Tensor = t::h(%x, %p)")}}),
       "1", "3", "%r : Tensor = t::f(%x)",
       "%s2 : Tensor = t::g(%x, 3)\n%s4 : Tensor = t::h(%s2, 7)"},
      {"UnchangedComesBeforeTheUpgrader",
       {{"1", "t::f(Tensor x, int p=3) -> Tensor", ""},
        {"2", "t::f(Tensor x, int p=3) -> Tensor\nt::g(Tensor x) -> Tensor",
         SemanticChange("t::f", 2,
                        "unchanged_when " + Holds("p", "4") + Up("up"))}},
       {{"up", StepText("%x : Tensor, %p : int", "  %r : Tensor = t::g(%x)")}},
       "1",
       "2",
       "%a : Tensor = t::f(%x, 4)\n%r : Tensor = t::f(%a, 5)",
       "%a : Tensor = t::f(%x, 4)\n%s2 : Tensor = t::g(%a)"},
      {"TheFirstUpgraderWhoseConditionsHold",
       {{"1", "t::f(Tensor x, Scalar p=3) -> Tensor", ""},
        {"2",
         "t::f(Tensor x, Scalar p=3) -> Tensor\n"
         "t::a(Tensor x) -> Tensor\nt::b(Tensor x) -> Tensor\n"
         "t::c(Tensor x) -> Tensor",
         SemanticChange(
             "t::f", 2,
             "upgraders { graph: 'a' when " + Holds("p", "3") +
                 "} upgraders { graph: 'b' when { all { argument: 'p' types: "
                 "'int' } } } " +
                 Up("c"))}},
       {{"a", StepText("%x : Tensor, %p : Scalar", "  %r : Tensor = t::a(%x)")},
        {"b", StepText("%x : Tensor, %p : Scalar", "  %r : Tensor = t::b(%x)")},
        {"c",
         StepText("%x : Tensor, %p : Scalar", "  %r : Tensor = t::c(%x)")}},
       "1",
       "2",
       "%p : Tensor = t::f(%x)\n%q : Tensor = t::f(%p, %n)\n"
       "%u : Tensor = t::f(%q, %d)\n%r : Tensor = t::f(%u, 4)",
       "%s2 : Tensor = t::a(%x)\n%s4 : Tensor = t::b(%s2)\n%s6 : Tensor = "
       "t::c(%s4)\n%s8 : Tensor = t::c(%s6)"},
      {"NoUpgraderWhoseConditionsHold",
       {{"1", "t::f(Tensor x, int p=3) -> Tensor", ""},
        {"2", "t::f(Tensor x, int p=3) -> Tensor\nt::g(Tensor x) -> Tensor",
         SemanticChange(
             "t::f", 2,
             "upgraders { graph: 'up' when " + Holds("p", "4") + "}")}},
       {{"up", StepText("%x : Tensor, %p : int", "  %r : Tensor = t::g(%x)")}},
       "1",
       "2",
       "%r : Tensor = t::f(%x)",
       "refused: no_upgrader"},
      {"ListsOfConstantsAreConstants",
       {{"1", "t::f(Tensor x, int p, int q) -> Tensor", ""},
        {"2",
         "t::f(Tensor x, int p, int q) -> Tensor\n"
         "t::g(Tensor x, int[] l) -> Tensor",
         SemanticChange("t::f", 2, Up("up"))}},
       {{"up", StepText("%x : Tensor, %p : int, %q : int",
                        "  %l : int[] = prim::ListConstruct(%p, %q)\n"
                        "  %r : Tensor = t::g(%x, %l)")}},
       "1",
       "2",
       "%a : Tensor = t::f(%x, 1, 2)\n%r : Tensor = t::f(%a, 1, %n)",
       "%s2 : Tensor = t::g(%x, [1, 2])\n%s4 : int[] = prim::ListConstruct(1, "
       "%n)\n%s6 : Tensor = t::g(%s2, %s4)"},
      {"ABodyMayReturnItsParameter",
       {{"1", "t::f(Tensor(a) x) -> Tensor(a)\nt::g(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor(a) x) -> Tensor(a)\nt::g(Tensor x) -> Tensor",
         SemanticChange("t::f", 2, Up("up"))}},
       {{"up", StepText("%x : Tensor", "", "%x")}},
       "1",
       "2",
       "%a : Tensor = t::f(%x)\n%r : Tensor = t::g(%a)",
       "%r : Tensor = t::g(%x)"},
      {"EffectsThatTheSchemaDoesNotMarkAreRefused",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x) -> Tensor", SemanticChange("t::f", 2, Up("up"))}},
       {{"up", StepText("%x : Tensor", "", "%x")}},
       "1",
       "2",
       "%r : Tensor = t::f(%x)",
       "refused: alias_changed"},
      {"ABodyMayReturnAConstant",
       {{"1",
         "t::f(Tensor x) -> int\nt::g(Tensor x, Scalar s) -> Tensor\n"
         "t::any(Any x) -> Tensor",
         ""},
        {"2",
         "t::f(Tensor x) -> int\nt::g(Tensor x, Scalar s) -> Tensor\n"
         "t::any(Any x) -> Tensor",
         SemanticChange("t::f", 2, Up("up"))}},
       {{"up", StepText("%x : Tensor", "", "4", "int")}},
       "1",
       "2",
       "%a : int = t::f(%x)\n%r : Tensor = t::g(%x, %a)",
       "%r : Tensor = t::g(%x, 4)"},
      {"BlocksInABody",
       {{"1", "t::f(Tensor(a) x, bool b) -> Tensor(a)", ""},
        {"2",
         "t::f(Tensor(a) x, bool b) -> Tensor(a)\nt::g(Tensor x) -> Tensor",
         SemanticChange("t::f", 2, Up("up"))}},
       {{"up", StepText("%x : Tensor, %b : bool",
                        "  %r : Tensor = prim::If(%b)\n"
                        "    block0():\n"
                        "      %t : Tensor = t::g(%x)\n"
                        "      -> (%t)\n"
                        "    block1():\n"
                        "      -> (%x)")}},
       "1",
       "2",
       "%a : Tensor = t::f(%x, %b)\n%r : Tensor = t::f(%a, %b)",
       "%s2 : Tensor = prim::If(%b)\n%s4 : Tensor = t::g(%x)\n%s6 : Tensor = "
       "prim::If(%b)\n%s8 : Tensor = t::g(%s2)"},
      {"ARemovedOperatorBecomesOthers",
       {{"1", "t::f(Tensor x, int p=3) -> Tensor", ""},
        {"2", "t::g(Tensor x, int q=1) -> Tensor",
         "changes { operator: 't::f' removed { steps { graph: 'up' } } }"},
        {"3", "t::g(Tensor x, int q=3) -> Tensor", ""}},
       {{"up",
         StepText("%x : Tensor, %p : int", "  %r : Tensor = t::g(%x, %p)")}},
       "1",
       "3",
       "%a : Tensor = t::f(%x)\n%r : Tensor = t::f(%a, 1)",
       "%s2 : Tensor = t::g(%x, 3)\n%s4 : Tensor = t::g(%s2, 1)"},
      {"ARemovedOperatorThatIsBackIsTheOperator",
       {{"1", "t::f(Tensor x, int p=3) -> Tensor", ""},
        {"2", "t::g(Tensor x, int q=1) -> Tensor",
         "changes { operator: 't::f' removed { steps { graph: 'up' } } }"},
        {"3",
         "t::f(Tensor x, int p=3) -> Tensor\nt::g(Tensor x, int q=1) -> "
         "Tensor",
         ""}},
       {{"up",
         StepText("%x : Tensor, %p : int", "  %r : Tensor = t::g(%x, %p)")}},
       "1",
       "3",
       "%r : Tensor = t::f(%x, 1)",
       "%r : Tensor = t::f(%x, 1)"},
      {"ARemovedOperatorWhoseUpgraderHasConditions",
       {{"1", "t::f(Tensor x, int p=3) -> Tensor", ""},
        {"2", "t::g(Tensor x) -> Tensor",
         "changes { operator: 't::f' removed { steps { graph: 'up' when " +
             Holds("p", "3") + "} } }"}},
       {{"up", StepText("%x : Tensor, %p : int", "  %r : Tensor = t::g(%x)")}},
       "1",
       "2",
       "%r : Tensor = t::f(%x, 4)",
       "refused: unknown_operator"},
      {"AnAddedOperatorBecomesOthersForATarget",
       {{"1", "t::g(Tensor x, int q=1) -> Tensor", ""},
        {"2", "t::g(Tensor x, int q=2) -> Tensor", ""},
        {"3",
         "t::g(Tensor x, int q=2) -> Tensor\nt::f(Tensor x, int p) -> Tensor",
         "changes { operator: 't::f' added { steps { graph: 'down' } } }"}},
       {{"down", StepText("%x : Tensor, %p : int",
                          "  %y : Tensor = t::g(%x)\n"
                          "  %r : Tensor = t::g(%y, %p)")}},
       "3",
       "1",
       "%r : Tensor = t::f(%x, 1)",
       "%s2 : Tensor = t::g(%x, 2)\n%s4 : Tensor = t::g(%s2, 1)",
       true},
      {"AnAddedOperatorWithTwoRevisions",
       {{"1", "t::g(Tensor x) -> Tensor", ""},
        {"2", "t::g(Tensor x) -> Tensor\nt::f(Tensor x) -> Tensor",
         "changes { operator: 't::f' added { steps { graph: 'gone' } } }"},
        {"3", "t::g(Tensor x) -> Tensor\nt::f(Tensor x) -> Tensor",
         SemanticChange("t::f", 2, Down("down"))}},
       {{"gone", StepText("%x : Tensor", "  %r : Tensor = t::g(%x)")},
        {"down", StepText("%x : Tensor",
                          "  %y : Tensor = t::f(%x)\n"
                          "  %r : Tensor = t::f(%y)")}},
       "3",
       "1",
       "%r : Tensor = t::f(%x)",
       "%s2 : Tensor = t::g(%x)\n%s4 : Tensor = t::g(%s2)",
       true},
      // Results are bound at each schema on the way, as arguments are.
      {"AUsedResultThatWasGoneInBetweenIsMissing",
       {{"1", "t::f(Tensor x) -> (Tensor, Tensor)", ""},
        {"2", "t::f(Tensor x) -> Tensor", ""},
        {"3", "t::f(Tensor x) -> (Tensor, Tensor)",
         SemanticChange("t::f", 2, "unchanged_when {} one_way_up: true")}},
       {},
       "1",
       "3",
       "%a : Tensor, %r : Tensor = t::f(%x)",
       "refused: missing_result"},
      {"AnUnusedResultMayBeGoneInBetween",
       {{"1", "t::f(Tensor x) -> (Tensor, Tensor)", ""},
        {"2", "t::f(Tensor x) -> Tensor", ""},
        {"3", "t::f(Tensor x) -> (Tensor, Tensor)",
         SemanticChange("t::f", 2, "unchanged_when {} one_way_up: true")}},
       {},
       "1",
       "3",
       "%r : Tensor, %a : Tensor = t::f(%x)",
       "%r : Tensor, %10 : Tensor = t::f(%x)"},
      {"AStepThatLosesAUsedResultTakesItsDowngrader",
       {{"1", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x) -> (Tensor, Tensor)\nt::g(Tensor x) -> Tensor",
         SemanticChange("t::f", 2, "unchanged_when {} " + Down("down"))}},
       {{"down", StepText("%x : Tensor",
                          "  %a : Tensor = t::f(%x)\n"
                          "  %b : Tensor = t::g(%x)",
                          "%a, %b", "Tensor, Tensor")}},
       "2",
       "1",
       "%a : Tensor, %r : Tensor = t::f(%x)",
       "%s2 : Tensor = t::f(%x)\n%s4 : Tensor = t::g(%x)",
       true},
      // The operator is gone, but its upgrader leads away from it.
      {"AnUpgraderOfAnOperatorThatWasRemovedLater",
       {{"1", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor",
         SemanticChange("t::f", 2, Up("up"))},
        {"3", "t::g(Tensor x) -> Tensor", ""}},
       {{"up", StepText("%x : Tensor", "  %r : Tensor = t::g(%x)")}},
       "1",
       "3",
       "%r : Tensor = t::f(%x)",
       "%s2 : Tensor = t::g(%x)"},
      {"ADowngraderOfAnOperatorThatWasAddedEarlier",
       {{"1", "t::g(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor", ""},
        {"3", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor",
         SemanticChange("t::f", 2, Down("down"))}},
       {{"down", StepText("%x : Tensor", "  %r : Tensor = t::g(%x)")}},
       "3",
       "1",
       "%r : Tensor = t::f(%x)",
       "%s2 : Tensor = t::g(%x)",
       true},
      // The reader's own steps come first, then the writer's.
      {"WhatTheTargetSaysOfARemovedOperatorComesFirst",
       {{"1", "t::f(Tensor x) -> Tensor\nt::g(Tensor x, int q) -> Tensor", ""},
        {"2", "t::g(Tensor x, int q) -> Tensor",
         "changes { operator: 't::f' removed { steps { graph: 'up' } } }"},
        {"3", "t::f(Tensor x) -> Tensor\nt::g(Tensor x, int q) -> Tensor",
         "changes { operator: 't::f' added { steps { graph: 'down' } } }"}},
       {{"up", StepText("%x : Tensor", "  %r : Tensor = t::g(%x, 1)")},
        {"down", StepText("%x : Tensor", "  %r : Tensor = t::g(%x, 2)")}},
       "3",
       "2",
       "%r : Tensor = t::f(%x)",
       "%s2 : Tensor = t::g(%x, 1)",
       true},
      {"ThenWhatTheWriterSaysOfTheVersionsBefore",
       {{"1",
         "t::f(Tensor x, int p) -> Tensor\nt::g(Tensor x, int q) -> Tensor",
         ""},
        {"2", "t::g(Tensor x, int q) -> Tensor",
         "changes { operator: 't::f' removed { steps { graph: 'up' when " +
             Holds("p", "7") + "} } }"},
        {"3",
         "t::f(Tensor x, int p) -> Tensor\nt::g(Tensor x, int q) -> Tensor",
         "changes { operator: 't::f' added { steps { graph: 'down' } } }"}},
       {{"up",
         StepText("%x : Tensor, %p : int", "  %r : Tensor = t::g(%x, 1)")},
        {"down",
         StepText("%x : Tensor, %p : int", "  %r : Tensor = t::g(%x, 2)")}},
       "3",
       "2",
       "%r : Tensor = t::f(%x, 5)",
       "%s2 : Tensor = t::g(%x, 2)",
       true},
      // sum takes Scalar[] at 3: nobody may write to a list of int that passes
      // as one, neither around the graph nor through what it returns.
      {"AListThatNobodyWritesToPassesInABody", SumsThatWiden(), SumGraphs(),
       "1", "3", "%k : int[] = prim::ListConstruct(%n)\n%r : Tensor = t::f(%k)",
       "%k : int[] = prim::ListConstruct(%n)\n%s2 : Tensor = t::sum(%k)"},
      {"AListThatIsWrittenToAroundTheGraphDoesNot", SumsThatWiden(),
       SumGraphs(), "1", "3",
       "%k : int[] = prim::ListConstruct(%n)\n%r : Tensor = t::f(%k)\n"
       "%u : int[] = t::append(%k, 1)",
       "refused: type_mismatch"},
      {"AListThatAGraphReturnsPassesInItsBody", SumsThatWiden(), SumGraphs(),
       "1", "3", "%k : int[], %r : Tensor = t::both(%n)",
       "%s2 : int[] = prim::ListConstruct(%n)\n%s4 : Tensor = t::sum(%s2)"},
      {"AListThatIsWrittenToAfterTheGraphDoesNot", SumsThatWiden(), SumGraphs(),
       "1", "3",
       "%k : int[], %r : Tensor = t::both(%n)\n"
       "%u : int[] = t::append(%k, 1)",
       "refused: type_mismatch"},
      {"OneWayDownIsRefused",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x) -> Tensor",
         SemanticChange("t::f", 2, "one_way_up: true one_way_down: true")}},
       {},
       "2",
       "1",
       "%r : Tensor = t::f(%x)",
       "refused: no_downgrader",
       true},
  };
}

INSTANTIATE_TEST_SUITE_P(All, StepGraphsTest, ::testing::ValuesIn(Cases()),
                         [](const ::testing::TestParamInfo<Case>& info) {
                           return info.param.name;
                         });

// One call of `f` as a module, which the test may change, bound to version 2 of
// TwoRevisions.
BindResult BindChanged(const std::function<void(Module*)>& change) {
  const auto history = MakeHistory(TwoRevisions(), TwoRevisionGraphs());
  Module module = StoryModule(*history, "1", "%r : Tensor = t::f(%x)");
  change(&module);
  return BindModule(module, RuntimeAt(*history, "2"));
}

TEST(StepGraphs, CarrySourceLocations) {
  const BindResult result = BindChanged([](Module* module) {
    Graph& graph = module->functions[0].graph;
    module->strings.push_back("model.py:7");
    const StringId location(static_cast<uint32_t>(module->strings.size() - 1));
    graph.node_locations.assign(graph.nodes.size(), StringId());
    graph.node_locations[1] = location;
  });
  ASSERT_TRUE(result.accepted());
  const Graph& graph = result.module.functions[0].graph;
  ASSERT_EQ(graph.nodes.size(), 4u);
  EXPECT_EQ(result.module.string(graph.node_locations[1]), "model.py:7");
  EXPECT_EQ(result.module.string(graph.node_locations[2]), "model.py:7");
}

// Gives the only call of the module an attribute.
void AddAttribute(Module* module) {
  Graph& graph = module->functions[0].graph;
  module->strings.push_back("weight");
  module->constants.push_back(Value::Int(12));
  CallForm& form = module->forms[graph.nodes[1].form.index];
  form.attribute_names = {
      StringId(static_cast<uint32_t>(module->strings.size() - 1))};
  const uint32_t at =
      graph.nodes[1].operands_begin + static_cast<uint32_t>(form.slots.size());
  graph.operands.insert(
      graph.operands.begin() + at,
      Operand(ConstantId(static_cast<uint32_t>(module->constants.size() - 1))));
  for (size_t i = 2; i < graph.nodes.size(); ++i) {
    ++graph.nodes[i].operands_begin;
  }
}

TEST(StepGraphs, CarryAttributesToTheCallThatGivesTheResult) {
  const BindResult result = BindChanged(AddAttribute);
  ASSERT_TRUE(result.accepted()) << ReasonsText(result.reasons);
  const Graph& graph = result.module.functions[0].graph;
  ASSERT_EQ(graph.nodes.size(), 4u);
  EXPECT_FALSE(
      result.module.attribute(graph, graph.nodes[1], "weight").valid());
  const ConstantId carried =
      result.module.attribute(graph, graph.nodes[2], "weight");
  ASSERT_TRUE(carried.valid());
  EXPECT_EQ(result.module.constant(carried), Value::Int(12));
}

TEST(StepGraphs, RefuseAttributesThatNoCallCanCarry) {
  const auto history = MakeHistory({{"1", "t::f(Tensor(a) x) -> Tensor(a)", ""},
                                    {"2", "t::f(Tensor(a) x) -> Tensor(a)",
                                     SemanticChange("t::f", 2, Up("up"))}},
                                   {{"up", StepText("%x : Tensor", "", "%x")}});
  Module module = StoryModule(*history, "1", "%r : Tensor = t::f(%x)");
  AddAttribute(&module);
  const BindResult result = BindModule(module, RuntimeAt(*history, "2"));
  ASSERT_EQ(result.reasons.size(), 1u);
  EXPECT_EQ(result.reasons[0].code, ReasonCode::kNoUpgrader);
  EXPECT_THAT(result.reasons[0].message, HasSubstr("attribute weight"));
}

TEST(StepGraphs, AReasonInABodyNamesTheCallTheGraphAndTheCause) {
  const auto history = MakeHistory(
      {{"1", "t::f(Tensor x) -> Tensor", ""},
       {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x, int q=1) -> Tensor",
        SemanticChange("t::f", 2, Up("up"))},
       {"3", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor",
        "changes { operator: 't::g' retired_value { argument: 'q' value: '2' "
        "} }"}},
      {{"up", StepText("%x : Tensor", "  %r : Tensor = t::g(%x)")}});
  const BindResult result =
      BindModule(StoryModule(*history, "1", "%r : Tensor = t::f(%x)"),
                 RuntimeAt(*history, "3"));
  ASSERT_EQ(result.reasons.size(), 1u);
  const Reason& reason = result.reasons[0];
  EXPECT_EQ(reason.code, ReasonCode::kRetiredArgument);
  EXPECT_EQ(reason.op, "t::f");
  EXPECT_EQ(reason.argument, "");
  EXPECT_EQ(reason.node, "%r");
  EXPECT_THAT(
      reason.message,
      ::testing::AllOf(HasSubstr("t::f (t 1)"),
                       HasSubstr("its upgrader to revision 2, up (t 2)"),
                       HasSubstr("t::g (t 2)"), HasSubstr("q=1")));
}

// The whole module does not type-check either; that would name no graph.
TEST(StepGraphs, AListThatIsWrittenToElsewhereIsAReasonInTheBody) {
  const auto history = MakeHistory(SumsThatWiden(), SumGraphs());
  for (const absl::string_view lines :
       {"%k : int[] = prim::ListConstruct(%n)\n%r : Tensor = t::f(%k)\n",
        "%k : int[], %r : Tensor = t::both(%n)\n"}) {
    const BindResult result = BindModule(
        StoryModule(*history, "1",
                    absl::StrCat(lines, "%u : int[] = t::append(%k, 1)"), "%r"),
        RuntimeAt(*history, "3"));
    ASSERT_EQ(result.reasons.size(), 1u) << lines;
    EXPECT_THAT(result.reasons[0].message, HasSubstr("cannot be replaced by"));
    EXPECT_THAT(result.reasons[0].message, HasSubstr("t::sum"));
  }
}

TEST(StepGraphs, CountAsUpgraded) {
  const BindResult result = BindChanged([](Module*) {});
  ASSERT_TRUE(result.accepted());
  ASSERT_EQ(result.report.operators.size(), 1u);
  EXPECT_EQ(result.report.operators[0].op, "t::f");
  EXPECT_EQ(result.report.operators[0].calls, 1u);
  EXPECT_EQ(result.report.operators[0].upgraded, 1u);
}

// Each version doubles the calls: the reader must not follow that blindly.
TEST(StepGraphs, WhatOneCallBecomesIsLimited) {
  std::vector<StoryVersion> versions = {{"1", "t::f(Tensor x) -> Tensor", ""}};
  for (int v = 2; v <= 40; ++v) {
    versions.push_back({absl::StrCat(v), "t::f(Tensor x) -> Tensor",
                        SemanticChange("t::f", v, Up("up"))});
  }
  const auto history =
      MakeHistory(versions, {{"up", StepText("%x : Tensor",
                                             "  %y : Tensor = t::f(%x)\n"
                                             "  %r : Tensor = t::f(%y)")}});
  EXPECT_EQ(Retell(*history, "1", "40", "%r : Tensor = t::f(%x)"),
            "refused: limit");
  EXPECT_EQ(BindModule(StoryModule(*history, "1", "%r : Tensor = t::f(%x)"),
                       RuntimeAt(*history, "9"))
                .module.functions[0]
                .graph.nodes.size(),
            256u + 2);
}

// Linear: ten times the calls are ten times the nodes, and no more plans.
// Each version's f is one call of the next version's.
TEST(StepGraphs, StandInEachOtherToALimit) {
  constexpr int kDeepest = 200;  // rewrite_calls.h
  std::vector<StoryVersion> versions = {{"1", "t::f(Tensor x) -> Tensor", ""}};
  for (int v = 2; v <= kDeepest + 2; ++v) {
    versions.push_back({absl::StrCat(v), "t::f(Tensor x) -> Tensor",
                        SemanticChange("t::f", v, Up("up"))});
  }
  const auto history = MakeHistory(
      versions, {{"up", StepText("%x : Tensor", "  %r : Tensor = t::f(%x)")}});
  const std::string call = "%r : Tensor = t::f(%x)";
  EXPECT_EQ(Retell(*history, "1", absl::StrCat(kDeepest + 1), call, "%r"),
            "%s2 : Tensor = t::f(%x)");
  EXPECT_EQ(Retell(*history, "1", absl::StrCat(kDeepest + 2), call, "%r"),
            "refused: limit");
}

TEST(StepGraphs, TheWorkIsDonePerShapeOfCall) {
  const auto history = MakeHistory(TwoRevisions(), TwoRevisionGraphs());
  const auto bind = [&](int num_calls) {
    std::string lines = "%v0 : Tensor = t::f(%x)\n";
    for (int i = 1; i < num_calls; ++i) {
      absl::StrAppend(&lines, "%v", i, " : Tensor = t::f(%v", i - 1, ", ",
                      i % 3, ")\n");
    }
    return BindModule(StoryModule(*history, "1", lines),
                      RuntimeAt(*history, "2"));
  };
  const BindResult small = bind(200);
  const BindResult large = bind(2000);
  ASSERT_TRUE(small.accepted());
  ASSERT_TRUE(large.accepted());
  EXPECT_EQ(small.module.functions[0].graph.nodes.size(), 400u + 2);
  EXPECT_EQ(large.module.functions[0].graph.nodes.size(), 4000u + 2);
  EXPECT_EQ(large.module.forms.size(), small.module.forms.size());
  EXPECT_EQ(large.num_plans, small.num_plans);
  EXPECT_LE(large.num_plans, 20u);
  EXPECT_TRUE(Verify(large.module).ok());
}

}  // namespace
}  // namespace opcompat
