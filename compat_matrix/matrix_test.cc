// The matrix over small stories and over the demo, and what it says of readers
// that are wrong on purpose.
#include "compat_matrix/matrix.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "binding/report.h"
#include "binding/story.h"
#include "compat_matrix/modules_for_testing.h"
#include "compat_matrix/reports/grid.h"
#include "compat_matrix/reports/json_report.h"
#include "compat_matrix/result.h"
#include "compat_matrix/testees/testee.h"
#include "deserializer/decode.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "ir/text/history_loader.h"
#include "schema/history.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;

template <typename TesteeType>
MatrixResult RunCells(std::shared_ptr<const OpsetHistory> history,
                      std::vector<MatrixModule> modules) {
  MatrixOptions options;
  options.histories = {std::move(history)};
  options.modules = std::move(modules);
  RunOptions run;
  run.testees = {
      {TesteeType().name(), [] { return std::make_unique<TesteeType>(); }}};
  absl::StatusOr<MatrixResult> result = RunMatrix(options, run);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *std::move(result) : MatrixResult();
}

// `1->2`; `1->2!` if it was written for 2.
std::string Way(const ModuleCells& module, const Cell& cell) {
  return absl::StrCat(module.writer(cell), "->", module.reader(cell),
                      cell.for_target ? "!" : "");
}

TEST(Matrix, NoCellOfTheDemoIsMisreadAndEachRefusalHasThePredictedReasons) {
  const MatrixResult result = RunCells<InProcessTestee>(
      *LoadHistoryOrError("opsets/demo"), ModulesIn("opsets/demo/modules"));
  EXPECT_TRUE(result.summary.good()) << GridText(result, {});
  EXPECT_GT(result.summary.accepted, 500u);
  EXPECT_GT(result.summary.refused, 200u);
  for (const ModuleCells& module : result.modules) {
    for (const Cell& cell : module.cells) {
      std::set<std::string> actual;
      for (const Reason& reason : module.outcome(cell).reasons) {
        actual.insert(absl::StrCat(ReasonCodeName(reason.code), " ", reason.op,
                                   reason.argument.empty() ? "" : " ",
                                   reason.argument));
        EXPECT_THAT(reason.message, HasSubstr(reason.op));
        EXPECT_GT(reason.calls, 0u);
      }
      const std::vector<std::string>& predicted =
          module.outcome(cell).predicted_reasons;
      EXPECT_EQ(actual,
                std::set<std::string>(predicted.begin(), predicted.end()))
          << module.module << " " << Way(module, cell);
    }
  }
}

// What readers in the field do: the calls as they are written, by position,
// with the reader's own schema and its defaults.
class NaiveTestee : public Testee {
 public:
  std::string name() const override { return "naive"; }
  TesteeAnswer Read(absl::string_view bytes, const Runtime& reader) override {
    TesteeAnswer answer;
    absl::StatusOr<Module> module = Decode(bytes);
    EXPECT_TRUE(module.ok()) << module.status();
    for (ModuleOperator& op : module->operators) {
      if (op.entry == nullptr) continue;
      const OperatorInfo* info = reader.Find(op.entry->name());
      if (info == nullptr) return answer;
      op.entry = info->current();
    }
    for (OpsetVersion& opset : module->opsets) {
      opset.version = reader.opsets()[0].version();
    }
    answer.module = *std::move(module);
    return answer;
  }
};

class CrashingTestee : public Testee {
 public:
  std::string name() const override { return "crashing"; }
  TesteeAnswer Read(absl::string_view, const Runtime&) override {
    TesteeAnswer answer;
    answer.crash = "killed by signal 11";
    return answer;
  }
};

class RefusingTestee : public Testee {
 public:
  std::string name() const override { return "refusing"; }
  TesteeAnswer Read(absl::string_view, const Runtime&) override {
    TesteeAnswer answer;
    answer.reasons.resize(1);
    answer.reasons[0].message = "not today";
    return answer;
  }
};

std::shared_ptr<const OpsetHistory> ChangedDefault() {
  return MakeHistory({{"1", "t::f(Tensor x, int p=0) -> Tensor", ""},
                      {"2", "t::f(Tensor x, int p=1) -> Tensor", ""}});
}

std::vector<MatrixModule> OneCall() {
  return {{"one_call.graph", StoryModuleText("%r : Tensor = t::f(%x)", "%r")}};
}

std::vector<std::string> States(const MatrixResult& result) {
  std::vector<std::string> states;
  for (const ModuleCells& module : result.modules) {
    for (const Cell& cell : module.cells) {
      states.push_back(
          absl::StrCat(Way(module, cell), " ", CellStateName(cell.state)));
    }
  }
  return states;
}

TEST(Matrix, AReaderThatFollowsItsOwnDefaultsIsCaughtMisreading) {
  const MatrixResult result =
      RunCells<NaiveTestee>(ChangedDefault(), OneCall());
  EXPECT_THAT(States(result),
              testing::ElementsAre("1->1 adapted", "1->2 misread",
                                   // Written out for the target.
                                   "1->2! adapted", "2->1 misread",
                                   "2->1! adapted", "2->2 adapted"));
  EXPECT_EQ(result.summary.misread, 2u);
  EXPECT_FALSE(result.summary.good());
  EXPECT_THAT(GridText(result, {}),
              HasSubstr("misread: one_call.graph t 1->2"));
}

TEST(Matrix, ACrashIsACellAndNotTheEndOfTheRun) {
  const MatrixResult result =
      RunCells<CrashingTestee>(ChangedDefault(), OneCall());
  EXPECT_EQ(result.summary.crashed, 6u);
  EXPECT_EQ(result.modules[0].outcomes[0].detail, "killed by signal 11");
  EXPECT_FALSE(result.summary.good());
}

TEST(Matrix, ARefusalThatNobodyPredictedIsUnexpected) {
  const MatrixResult result =
      RunCells<RefusingTestee>(ChangedDefault(), OneCall());
  EXPECT_EQ(result.summary.unexpected, 6u);
  EXPECT_EQ(result.modules[0].outcomes[0].detail, "predicted: accepted");
}

TEST(Matrix, NothingIsSkipped) {
  MatrixOptions options;
  options.histories = {ChangedDefault()};
  options.modules = OneCall();
  options.readers = {"3"};
  EXPECT_THAT(RunMatrix(options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("no history has a version 3")));
  options.readers = {};
  options.modules = {{"bad.graph", "opset t 1\nfunc f(:\n"}};
  EXPECT_THAT(RunMatrix(options), StatusIs(absl::StatusCode::kInvalidArgument,
                                           HasSubstr("bad.graph:2:")));
  options.modules = {
      {"other.graph", absl::StrCat("opset t 9\n", OneCall()[0].text)}};
  EXPECT_THAT(RunMatrix(options), StatusIs(absl::StatusCode::kInvalidArgument,
                                           HasSubstr("other.graph")));
  options.modules = {};
  EXPECT_THAT(RunMatrix(options), StatusIs(absl::StatusCode::kInvalidArgument,
                                           HasSubstr("no cell")));
}

TEST(Matrix, EachHistoryVariesAloneTheOthersAtTheirNewestForReaders) {
  const auto history_named = [](const std::string& name) {
    const std::string text = absl::StrCat(
        "name: \"", name, "\" versions { id: \"1\" operators: \"1.ops\" } ",
        "versions { id: \"2\" operators: \"2.ops\" }");
    const LoadedHistory loaded = LoadHistory(
        "h/history.textproto",
        {[&](const std::string& path) -> absl::StatusOr<std::string> {
          if (path == "h/history.textproto") return text;
          const std::string version = path == "h/1.ops" ? "1" : "2";
          return absl::StrCat("opset ", name, " ", version, "\n", name,
                              "::f(Tensor x, int p=", version, ") -> Tensor\n");
        }});
    EXPECT_NE(loaded.history, nullptr);
    return loaded.history;
  };
  MatrixOptions options;
  options.histories = {history_named("a"), history_named("b")};
  options.modules = {
      {"two.graph", absl::StrCat("opset a 1\nopset b 1\n",
                                 StoryModuleText("%r : Tensor = a::f(%x)\n"
                                                 "%q : Tensor = b::f(%r)",
                                                 "%q"))}};
  const absl::StatusOr<MatrixResult> result = RunMatrix(options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->summary.good()) << GridText(*result, {});
  std::vector<std::string> cells;
  for (const ModuleCells& module : result->modules) {
    for (const Cell& cell : module.cells) {
      cells.push_back(
          absl::StrCat(module.history->name, " ", Way(module, cell)));
    }
  }
  EXPECT_THAT(cells, testing::ElementsAre("a 1->1", "a 1->2", "a 1->2!",
                                          "b 1->1", "b 1->2", "b 1->2!"));
}

TEST(Matrix, TheResultIsTheSameWithAnyNumberOfThreads) {
  MatrixOptions options;
  options.histories = {*LoadHistoryOrError("opsets/demo")};
  options.modules = ModulesIn("opsets/demo/modules");
  std::string of_one_thread;
  for (const int threads : {1, 8}) {
    RunOptions run;
    run.threads = threads;
    const absl::StatusOr<MatrixResult> result = RunMatrix(options, run);
    ASSERT_THAT(result, IsOk());
    const std::string json = JsonText(MatrixToJson(*result));
    if (threads == 1) of_one_thread = json;
    EXPECT_EQ(json, of_one_thread);
  }
}

TEST(Matrix, CellsOfAModuleShareEqualOutcomes) {
  const MatrixResult result =
      RunCells<CrashingTestee>(ChangedDefault(), OneCall());
  ASSERT_EQ(result.modules.size(), 1u);
  EXPECT_EQ(result.modules[0].cells.size(), 6u);
  EXPECT_EQ(result.modules[0].outcomes.size(), 1u);
}

TEST(Matrix, AModuleWithoutOpsetLinesIsWrittenWhereItVerifies) {
  const auto history =
      MakeHistory({{"1", "t::f(Tensor x) -> Tensor", ""},
                   {"2", "t::f(Tensor x, int p=0) -> Tensor", ""},
                   {"3", "t::f(Tensor x, int p=0) -> Tensor", ""}});
  const std::string text = StoryModuleText("%r : Tensor = t::f(%x, p=1)", "%r");
  const auto writers = [&](const std::string& module_text) {
    std::set<std::string> ids;
    const MatrixResult result =
        RunCells<InProcessTestee>(history, {{"m", module_text}});
    for (const ModuleCells& module : result.modules) {
      for (const Cell& cell : module.cells) ids.insert(module.writer(cell));
    }
    return ids;
  };
  EXPECT_EQ(writers(text), (std::set<std::string>{"2", "3"}));
  EXPECT_EQ(writers(absl::StrCat("opset t 3\n", text)),
            (std::set<std::string>{"3"}));
}

}  // namespace
}  // namespace opcompat
