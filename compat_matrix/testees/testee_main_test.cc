// Our reader and writer behind a pipe say what they say in this process.
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "binding/report.h"
#include "compat_matrix/matrix.h"
#include "compat_matrix/modules_for_testing.h"
#include "compat_matrix/result.h"
#include "compat_matrix/run_units.h"
#include "compat_matrix/testees/author.h"
#include "compat_matrix/testees/pipe_author.h"
#include "compat_matrix/testees/pipe_testee.h"
#include "compat_matrix/testees/testee_program.h"
#include "compat_matrix/worker.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "ir/text/history_loader.h"
#include "ir/text/module_parser.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

constexpr size_t kParts = 4;

TesteeProgramOptions TesteeMain() {
  TesteeProgramOptions options;
  options.name = "testee_main";
  options.process.command = {"compat_matrix/testees/testee_main"};
  options.timeout = std::chrono::seconds(60);
  return options;
}

constexpr char kDemoModules[] = "opsets/demo/modules";

// All that a cell says.
std::string Describe(const Cell& cell, const CellOutcome& outcome) {
  std::string text =
      absl::StrCat(CellStateName(cell.state), " ", outcome.detail, "\n");
  for (const Reason& r : outcome.reasons) {
    absl::StrAppend(&text, ReasonCodeName(r.code), "|", r.function, "|", r.node,
                    "|", r.location, "|", r.op, "|", r.argument, "|", r.value,
                    "|", r.calls, "|", r.message, "\n");
  }
  for (const OperatorReport& op : outcome.report.operators) {
    absl::StrAppend(&text, op.op, " ", op.calls, " ", op.identical, " ",
                    op.filled, " ", op.materialized, " ", op.dropped, " ",
                    op.retired, " ", op.renamed, " ", op.upgraded, "\n");
  }
  for (const std::string& warning : outcome.report.warnings) {
    absl::StrAppend(&text, warning, "\n");
  }
  return text;
}

// A part of the demo's modules.
class TesteeMainCellsTest : public testing::TestWithParam<size_t> {};

TEST_P(TesteeMainCellsTest, EachCellOfTheDemoIsAsInThisProcess) {
  const absl::StatusOr<std::shared_ptr<const OpsetHistory>> history =
      LoadHistoryOrError("opsets/demo");
  ASSERT_TRUE(history.ok()) << history.status();
  MatrixOptions options;
  options.histories = {*history};
  const std::vector<MatrixModule> all = ModulesIn(kDemoModules);
  for (size_t i = GetParam(); i < all.size(); i += kParts) {
    options.modules.push_back(all[i]);
  }
  RunOptions run;
  run.testees = {InProcessTesteeFactory(),
                 {"testee_main",
                  [] { return std::make_unique<PipeTestee>(TesteeMain()); }}};
  const absl::StatusOr<MatrixResult> result = RunMatrix(options, run);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->summary.good());
  size_t compared = 0;
  for (const ModuleCells& module : result->modules) {
    for (size_t i = 0; i + 1 < module.cells.size(); i += 2) {
      const Cell& here = module.cells[i];
      const Cell& there = module.cells[i + 1];
      ASSERT_EQ(here.testee, 0);
      ASSERT_EQ(there.testee, 1);
      EXPECT_EQ(Describe(there, module.outcome(there)),
                Describe(here, module.outcome(here)))
          << module.module << " " << module.writer(here) << " "
          << module.reader(here);
      ++compared;
    }
  }
  EXPECT_GT(compared, 200u);
}

INSTANTIATE_TEST_SUITE_P(Parts, TesteeMainCellsTest,
                         testing::Range(size_t{0}, kParts));

TEST(TesteeMainTest, EachFileOfTheDemoIsAsInThisProcess) {
  const absl::StatusOr<std::shared_ptr<const OpsetHistory>> history =
      LoadHistoryOrError("opsets/demo");
  ASSERT_TRUE(history.ok()) << history.status();
  InProcessAuthor in_process;
  PipeAuthor over_pipe(TesteeMain());
  over_pipe.SetHistories({*history});
  std::vector<Runtime> runtimes;
  for (const Opset& opset : (*history)->versions()) {
    runtimes.push_back(*Runtime::Create({opset}));
  }
  size_t written = 0;
  size_t refused = 0;
  for (const MatrixModule& text : ModulesIn(kDemoModules)) {
    for (const Runtime& writer : runtimes) {
      const absl::StatusOr<Module> module = ParseModule(text.text, writer);
      if (!module.ok()) continue;
      const std::vector<const Runtime*> targets = {nullptr, &runtimes.front(),
                                                   &runtimes.back()};
      for (const Runtime* target : targets) {
        const AuthorAnswer here = in_process.Write(*module, writer, target);
        const AuthorAnswer there = over_pipe.Write(*module, writer, target);
        ASSERT_EQ(there.crash, here.crash) << text.path;
        ASSERT_EQ(there.file, here.file) << text.path;
        ASSERT_EQ(there.reasons.size(), here.reasons.size()) << text.path;
        for (size_t i = 0; i < here.reasons.size(); ++i) {
          EXPECT_EQ(there.reasons[i].message, here.reasons[i].message);
        }
        ++(here.file.has_value() ? written : refused);
      }
    }
  }
  EXPECT_GT(written, 100u);
  EXPECT_GT(refused, 50u);
}

}  // namespace
}  // namespace opcompat
