#include "ir/text/history_loader.h"

#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "schema/declared_history.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(HistoryLoaderTest, LoadsFromDiskByFileOrDirectory) {
  for (const char* path :
       {"opsets/demo", "opsets/demo/", "opsets/demo/history.textproto"}) {
    const auto history = LoadHistoryOrError(path);
    ASSERT_THAT(history, IsOk()) << path;
    EXPECT_EQ((*history)->name(), "demo");
    EXPECT_GT((*history)->versions().size(), 2u);
  }
}

TEST(HistoryLoaderTest, AMissingFileIsNotFoundAndAFaultyOneInvalid) {
  EXPECT_THAT(LoadHistoryOrError("opsets/no_such_opset"),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("cannot read opsets/no_such_opset")));
  // A directory without a history.
  EXPECT_THAT(LoadHistoryOrError("opsets"),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("cannot read opsets/history.textproto")));
  const std::string path = ::testing::TempDir() + "/faulty.textproto";
  std::ofstream(path) << "name: 't'\nversions { id: '1' operators: '1.ops' }\n"
                      << "versions { id: '2' }";
  EXPECT_THAT(LoadHistoryOrError(path),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       absl::StrJoin({path + ":2: cannot read " +
                                          ::testing::TempDir() + "/1.ops",
                                      path + ":3: version 2 names no file of "
                                             "operators"},
                                     "\n")));
}

// A history of two versions, the second with `declared`, and one step graph.
struct Case {
  std::string name;
  std::string schemas_1;
  std::string schemas_2;
  std::string declared;
  std::string graph;
  // What is wrong with it; empty: nothing.
  std::string fault;
};

LoadedHistory Load(const Case& c) {
  const std::map<std::string, std::string> files = {
      {"h/history.textproto",
       absl::StrCat("name: 't'\nversions { id: '1' operators: '1.ops' }\n"
                    "versions { id: '2' operators: '2.ops'\n",
                    c.declared, " }\n")},
      {"h/1.ops", absl::StrCat("opset t 1\n", c.schemas_1, "\n")},
      {"h/2.ops", absl::StrCat("opset t 2\n", c.schemas_2, "\n")},
      {"h/g.graph", c.graph}};
  return LoadHistory(
      "h", {[&](const std::string& path) -> absl::StatusOr<std::string> {
        const auto file = files.find(path);
        if (file == files.end()) return absl::NotFoundError(path);
        return file->second;
      }});
}

constexpr char kUp[] =
    "changes { operator: 't::f' semantic_change { revision: 2 "
    "upgraders { graph: 'g.graph' } one_way_down: true } }";
constexpr char kDown[] =
    "changes { operator: 't::f' semantic_change { revision: 2 "
    "downgraders { graph: 'g.graph' } one_way_up: true } }";

class StepGraphTest : public ::testing::TestWithParam<Case> {};

TEST_P(StepGraphTest, IsReadAtItsVersionOrIsAFaultInItsFile) {
  const LoadedHistory loaded = Load(GetParam());
  std::vector<std::string> faults;
  for (const HistoryFault& fault : loaded.faults) {
    faults.push_back(fault.ToString());
  }
  if (GetParam().fault.empty()) {
    EXPECT_THAT(faults, ElementsAre());
    EXPECT_NE(loaded.history, nullptr);
  } else {
    EXPECT_THAT(faults, ElementsAre(HasSubstr(GetParam().fault)));
    EXPECT_EQ(loaded.history, nullptr);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, StepGraphTest,
    ::testing::ValuesIn(std::vector<Case>{
        {"AnUpgraderIsWrittenAtTheVersionThatDeclaresIt",
         "t::f(Tensor x) -> Tensor",
         "t::f(Tensor x) -> Tensor\nt::only_2(Tensor x) -> Tensor", kUp,
         "opset t 2\nfunc up(%x : Tensor) -> (Tensor):\n"
         "  %r : Tensor = t::only_2(%x)\n  return (%r)\n",
         ""},
        {"ADowngraderIsWrittenAtTheVersionBefore",
         "t::f(Tensor x) -> Tensor\nt::only_1(Tensor x) -> Tensor",
         "t::f(Tensor x) -> Tensor", kDown,
         "func down(%x : Tensor) -> (Tensor):\n"
         "  %r : Tensor = t::only_1(%x)\n  return (%r)\n",
         ""},
        {"AnOperatorThatItsVersionLacks", "t::f(Tensor x) -> Tensor",
         "t::f(Tensor x) -> Tensor\nt::only_2(Tensor x) -> Tensor", kDown,
         "func down(%x : Tensor) -> (Tensor):\n"
         "  %r : Tensor = t::only_2(%x)\n  return (%r)\n",
         "h/g.graph:2:17: "},
        {"AnOpsetLineOfAnotherVersion", "t::f(Tensor x) -> Tensor",
         "t::f(Tensor x) -> Tensor", kUp,
         "opset t 1\nfunc up(%x : Tensor) -> (Tensor):\n  return (%x)\n",
         "h/g.graph: the graph says `opset t 1`; this upgrader is written at "
         "2"},
        {"AnotherHistoryThatIsNotLoaded", "t::f(Tensor x) -> Tensor",
         "t::f(Tensor x) -> Tensor", kUp,
         "opset torch 2.6.0\nfunc up(%x : Tensor) -> (Tensor):\n"
         "  return (%x)\n",
         "h/g.graph: the graph calls operators of the history torch"},
        {"TwoFunctions", "t::f(Tensor x) -> Tensor", "t::f(Tensor x) -> Tensor",
         kUp,
         "func a(%x : Tensor) -> (Tensor):\n  return (%x)\n"
         "func b(%x : Tensor) -> (Tensor):\n  return (%x)\n",
         "expected one function"},
        {"ParametersOfTheOtherSide", "t::f(Tensor x) -> Tensor",
         "t::f(Tensor x, int n) -> Tensor", kUp,
         "func up(%x : Tensor, %n : int) -> (Tensor):\n  return (%x)\n",
         "the function has 2 parameters, where the schema has 1 arguments"},
        {"AParameterThatCannotTakeTheArgument",
         "t::f(Tensor x, Scalar s) -> Tensor",
         "t::f(Tensor x, Scalar s) -> Tensor", kUp,
         "func up(%x : Tensor, %s : int) -> (Tensor):\n  return (%x)\n",
         "parameter 1 has type int, where argument s has type Scalar"},
        {"AParameterOfAWiderType", "t::f(Tensor x, int s) -> Tensor",
         "t::f(Tensor x, int s) -> Tensor", kUp,
         "func up(%x : Tensor, %s : Scalar) -> (Tensor):\n  return (%x)\n", ""},
        {"TooFewResults", "t::f(Tensor x) -> (Tensor, int)",
         "t::f(Tensor x) -> (Tensor, int)", kUp,
         "func up(%x : Tensor) -> (Tensor):\n  return (%x)\n",
         "the function returns 1 values, where the schema has 2 results"},
        {"AResultOfAnotherType", "t::f(Tensor x) -> int",
         "t::f(Tensor x) -> int", kUp,
         "func up(%x : Tensor) -> (Tensor):\n  return (%x)\n",
         "result 0 has type Tensor, where the schema has int"},
        {"AttributesOfNoModule", "t::f(Tensor x) -> Tensor",
         "t::f(Tensor x) -> Tensor", kUp,
         "func up(%x : Tensor) -> (Tensor):\n"
         "  %r : Tensor = prim::CallFunction[name=\"up\"](%x)\n"
         "  return (%r)\n",
         "cannot stand in a step graph"},
        {"NoModuleText", "t::f(Tensor x) -> Tensor", "t::f(Tensor x) -> Tensor",
         kUp, "what is this\n", "h/g.graph:1:1: "},
        {"AnUpgraderForARemovedOperator",
         "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor",
         "t::g(Tensor x) -> Tensor",
         "changes { operator: 't::f' removed { steps { graph: 'g.graph' } } }",
         "func up(%x : Tensor) -> (Tensor):\n"
         "  %r : Tensor = t::g(%x)\n  return (%r)\n",
         ""},
        {"ADowngraderForAnAddedOperator", "t::g(Tensor x) -> Tensor",
         "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor",
         "changes { operator: 't::f' added { steps { graph: 'g.graph' } } }",
         "func down(%x : Tensor) -> (Tensor):\n"
         "  %r : Tensor = t::f(%x)\n  return (%r)\n",
         "h/g.graph:2:17: "},
    }),
    [](const ::testing::TestParamInfo<Case>& info) { return info.param.name; });

struct EffectsCase {
  std::string name;
  std::string schema;  // of f, on both sides
  std::string lines;
  std::string returned;
  std::string mismatch;  // empty: none
};

class StepGraphEffectsTest : public ::testing::TestWithParam<EffectsCase> {};

// A graph may only do to its arguments what the schema's marks say, or a later
// write in the module would reach other objects than the writer's.
TEST_P(StepGraphEffectsTest, AreThoseThatTheSchemaMarks) {
  const EffectsCase& effects = GetParam();
  const std::string others =
      "\nt::new(Tensor x) -> Tensor\nt::view(Tensor(a) x) -> Tensor(a)"
      "\nt::w(Tensor(a!) x) -> Tensor(a!)"
      "\nt::out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)"
      "\nt::append(Tensor[](a!) l, Tensor(b -> *) x) -> Tensor[](a!)"
      "\nt::first(Tensor[](a) l) -> Tensor(*)"
      "\nt::cond(Tensor x) -> bool\n";
  Case c;
  c.schemas_1 = c.schemas_2 = effects.schema + others;
  c.declared = kUp;
  const std::string results =
      effects.schema.substr(effects.schema.find("-> ") + 3);
  const int num_results = results == "(Tensor, Tensor)" ? 2 : 1;
  const bool has_out = effects.schema.find("out") != std::string::npos;
  c.graph =
      absl::StrCat("func up(%x : Tensor", has_out ? ", %out : Tensor" : "",
                   ") -> (Tensor", num_results == 2 ? ", Tensor" : "", "):\n",
                   effects.lines, "  return (", effects.returned, ")\n");
  const LoadedHistory loaded = Load(c);
  ASSERT_NE(loaded.history, nullptr)
      << (loaded.faults.empty() ? "" : loaded.faults[0].ToString());
  const StepGraph& graph =
      loaded.history->newest().Find("t::f")->revisions[1].step->upgraders[0];
  EXPECT_THAT(graph.mismatch, HasSubstr(effects.mismatch));
  EXPECT_EQ(graph.mismatch.empty(), effects.mismatch.empty());
  EXPECT_EQ(loaded.warnings.size(), effects.mismatch.empty() ? 0u : 1u);
}

INSTANTIATE_TEST_SUITE_P(
    All, StepGraphEffectsTest,
    ::testing::ValuesIn(std::vector<EffectsCase>{
        {"AFreshResult", "t::f(Tensor x) -> Tensor",
         "  %r : Tensor = t::new(%x)\n", "%r", ""},
        {"TheArgumentItself", "t::f(Tensor x) -> Tensor", "", "%x",
         "its result 0 may be argument x"},
        {"AViewOfTheArgument", "t::f(Tensor x) -> Tensor",
         "  %r : Tensor = t::view(%x)\n", "%r",
         "its result 0 may be argument x"},
        {"AViewWhereOneIsPromised", "t::f(Tensor(a) x) -> Tensor(a)",
         "  %r : Tensor = t::view(%x)\n", "%r", ""},
        {"ACopyWhereAViewIsPromised", "t::f(Tensor(a) x) -> Tensor(a)",
         "  %r : Tensor = t::new(%x)\n", "%r",
         "its result 0 is an object of its own"},
        {"AWriteThroughAView", "t::f(Tensor x) -> Tensor",
         "  %v : Tensor = t::view(%x)\n  %w : Tensor = t::w(%v)\n"
         "  %r : Tensor = t::new(%w)\n",
         "%r", "it may write to argument x"},
        {"AWriteToWhatItMade", "t::f(Tensor x) -> Tensor",
         "  %v : Tensor = t::new(%x)\n  %r : Tensor = t::w(%v)\n", "%r", ""},
        {"AWriteThatIsPromised", "t::f(Tensor(a!) x) -> Tensor(a!)",
         "  %r : Tensor = t::w(%x)\n", "%r", ""},
        {"NoWriteWhereOneIsPromised", "t::f(Tensor(a!) x) -> Tensor(a!)",
         "  %r : Tensor = t::view(%x)\n", "%r",
         "it does not write to argument x"},
        {"AnOutArgument", "t::f(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
         "  %v : Tensor = t::new(%x)\n"
         "  %r : Tensor = t::out(%v, out=%out)\n",
         "%r", ""},
        {"OneObjectForTwoResults", "t::f(Tensor x) -> (Tensor, Tensor)",
         "  %r : Tensor = t::new(%x)\n", "%r, %r",
         "its results 0 and 1 may be one object"},
        {"TwoObjectsForTwoResults", "t::f(Tensor x) -> (Tensor, Tensor)",
         "  %r : Tensor = t::new(%x)\n  %q : Tensor = t::new(%x)\n", "%r, %q",
         ""},
        {"WhatABlockYields", "t::f(Tensor x) -> Tensor",
         "  %b : bool = t::cond(%x)\n  %r : Tensor = prim::If(%b)\n"
         "    block0():\n      -> (%x)\n    block1():\n"
         "      %n : Tensor = t::new(%x)\n      -> (%n)\n",
         "%r", "its result 0 may be argument x"},
        {"WhatAListHolds", "t::f(Tensor x) -> Tensor",
         "  %l : Tensor[] = prim::ListConstruct()\n"
         "  %m : Tensor[] = t::append(%l, %x)\n"
         "  %r : Tensor = t::first(%l)\n",
         "%r", "argument x"},
    }),
    [](const ::testing::TestParamInfo<EffectsCase>& info) {
      return info.param.name;
    });

TEST(StepGraphsOfHistories, ArePartOfWhatTheReaderKnows) {
  Case c;
  c.schemas_1 = "t::f(Tensor x) -> Tensor\nt::old(Tensor x) -> Tensor";
  c.schemas_2 = "t::f(Tensor x) -> Tensor\nt::new(Tensor x) -> Tensor";
  c.declared = absl::StrCat(
      kUp,
      "changes { operator: 't::old' removed { steps { graph: 'g.graph' } } }"
      "changes { operator: 't::new' added { steps { graph: 'g.graph' } } }");
  c.graph =
      "func up(%x : Tensor) -> (Tensor):\n"
      "  %r : Tensor = t::f(%x)\n  return (%r)\n";
  const LoadedHistory loaded = Load(c);
  ASSERT_NE(loaded.history, nullptr);
  const Opset& older = loaded.history->versions()[0];
  const Opset& newer = loaded.history->versions()[1];
  EXPECT_THAT(older.removed_operators(), ElementsAre());
  const OperatorInfo* changed = newer.Find("t::f");
  ASSERT_NE(changed, nullptr);
  ASSERT_NE(changed->revisions[1].step->upgraders[0].body, nullptr);
  EXPECT_EQ(changed->revisions[1].step->upgraders[0].version, "2");
  const OperatorInfo* removed = newer.FindRemoved("t::old");
  ASSERT_NE(removed, nullptr);
  ASSERT_NE(removed->removed, nullptr);
  EXPECT_NE(removed->removed->graphs[0].body, nullptr);
  EXPECT_EQ(newer.FindByAnyName("t::old"), nullptr);
  const OperatorInfo* added = newer.Find("t::new");
  ASSERT_NE(added, nullptr);
  ASSERT_NE(added->added, nullptr);
  EXPECT_NE(added->added->graphs[0].body, nullptr);
  EXPECT_EQ(added->added->graphs[0].version, "1");
}

TEST(StepGraphsOfHistories, MayCallOtherHistories) {
  const std::map<std::string, std::string> files = {
      {"h/history.textproto",
       "name: 'mine' versions { id: '1' operators: '1.ops' }"
       "versions { id: '2' operators: '2.ops' changes { operator: 'm::f'"
       "  semantic_change { revision: 2 upgraders { graph: 'g.graph' }"
       "  one_way_down: true } } }"},
      {"h/1.ops", "opset mine 1\nm::f(Tensor x) -> Tensor\n"},
      {"h/2.ops", "opset mine 2\nm::f(Tensor x) -> Tensor\n"},
      {"h/g.graph",
       "opset t 2\nfunc up(%x : Tensor) -> (Tensor):\n"
       "  %r : Tensor = t::f(%x)\n  return (%r)\n"}};
  Case other;
  other.schemas_1 = other.schemas_2 = "t::f(Tensor x) -> Tensor";
  const auto found = Load(other).history;
  ASSERT_NE(found, nullptr);
  LoadOptions options;
  options.read_file =
      [&](const std::string& path) -> absl::StatusOr<std::string> {
    return files.at(path);
  };
  options.find_other = [&](absl::string_view name)
      -> absl::StatusOr<std::shared_ptr<const OpsetHistory>> {
    EXPECT_EQ(name, "t");
    return found;
  };
  const LoadedHistory loaded = LoadHistory("h", options);
  for (const HistoryFault& fault : loaded.faults) {
    ADD_FAILURE() << fault.ToString();
  }
  EXPECT_NE(loaded.history, nullptr);
}

}  // namespace
}  // namespace opcompat
