// The reader in Python against the predictions: what docs/compatibility.md says
// is enough to read the demo in another language, cell by cell.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "binding/report.h"
#include "compat_matrix/matrix.h"
#include "compat_matrix/result.h"
#include "compat_matrix/run_units.h"
#include "compat_matrix/testees/pipe_testee.h"
#include "compat_matrix/testees/testee_program.h"
#include "gtest/gtest.h"
#include "ir/text/history_loader.h"
#include "schema/history.h"

namespace opcompat {
namespace {

constexpr size_t kParts = 4;

TesteeProgramOptions PythonTestee() {
  TesteeProgramOptions options;
  options.name = "python";
  options.process.command = {"compat_matrix/testees/python/testee"};
  options.timeout = std::chrono::seconds(60);
  return options;
}

std::vector<MatrixModule> DemoModules() {
  std::vector<MatrixModule> modules;
  for (const auto& file :
       std::filesystem::directory_iterator("opsets/demo/modules")) {
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    modules.push_back({file.path().string(), text.str()});
  }
  std::sort(modules.begin(), modules.end(),
            [](const MatrixModule& a, const MatrixModule& b) {
              return a.path < b.path;
            });
  return modules;
}

// A part of the demo's modules.
class PythonTesteeTest : public testing::TestWithParam<size_t> {};

TEST_P(PythonTesteeTest, EachCellOfTheDemoIsAsPredictedWithItsReasons) {
  const absl::StatusOr<std::shared_ptr<const OpsetHistory>> history =
      LoadHistoryOrError("opsets/demo");
  ASSERT_TRUE(history.ok()) << history.status();
  MatrixOptions options;
  options.histories = {*history};
  const std::vector<MatrixModule> all = DemoModules();
  for (size_t i = GetParam(); i < all.size(); i += kParts) {
    options.modules.push_back(all[i]);
  }
  RunOptions run;
  run.testees = {{"python", [] {
                    return std::make_unique<PipeTestee>(PythonTestee());
                  }}};
  const absl::StatusOr<MatrixResult> result = RunMatrix(options, run);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_GT(result->summary.accepted, 100u);
  EXPECT_GT(result->summary.refused, 30u);
  for (const ModuleCells& module : result->modules) {
    for (const Cell& cell : module.cells) {
      SCOPED_TRACE(absl::StrCat(module.module, " ", module.writer(cell), " -> ",
                                module.reader(cell),
                                cell.for_target ? ", for that target" : ""));
      const CellOutcome& outcome = module.outcome(cell);
      EXPECT_TRUE(IsGood(cell.state))
          << CellStateName(cell.state) << ": " << outcome.detail;
      if (cell.state == CellState::kCrashed) continue;
      std::set<std::string> reasons;
      for (const Reason& reason : outcome.reasons) {
        reasons.insert(absl::StrCat(ReasonCodeName(reason.code), " ", reason.op,
                                    reason.argument.empty() ? "" : " ",
                                    reason.argument));
      }
      EXPECT_EQ(reasons,
                std::set<std::string>(outcome.predicted_reasons.begin(),
                                      outcome.predicted_reasons.end()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, PythonTesteeTest,
                         testing::Range(size_t{0}, kParts));

}  // namespace
}  // namespace opcompat
