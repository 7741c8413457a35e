// The reader in Python against the predictions: what docs/compatibility.md and
// docs/wire_format.md say is enough to read files in another language.
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "binding/report.h"
#include "compat_matrix/matrix.h"
#include "compat_matrix/modules_for_testing.h"
#include "compat_matrix/result.h"
#include "compat_matrix/run_units.h"
#include "compat_matrix/testees/pipe_testee.h"
#include "compat_matrix/testees/testee_program.h"
#include "gtest/gtest.h"
#include "ir/text/history_loader.h"
#include "schema/history.h"

namespace opcompat {
namespace {

// A history with its modules; part `part` of `parts` of these.
struct Part {
  const char* history;
  const char* modules;
  size_t part;
  size_t parts;
};

TesteeProgramOptions PythonTestee() {
  TesteeProgramOptions options;
  options.name = "python";
  options.process.command = {"compat_matrix/testees/python/testee"};
  options.timeout = std::chrono::seconds(60);
  return options;
}

class PythonTesteeTest : public testing::TestWithParam<Part> {};

TEST_P(PythonTesteeTest, EachCellIsAsPredictedWithItsReasons) {
  const absl::StatusOr<std::shared_ptr<const OpsetHistory>> history =
      LoadHistoryOrError(GetParam().history);
  ASSERT_TRUE(history.ok()) << history.status();
  MatrixOptions options;
  options.histories = {*history};
  const std::vector<MatrixModule> all = ModulesIn(GetParam().modules);
  for (size_t i = GetParam().part; i < all.size(); i += GetParam().parts) {
    options.modules.push_back(all[i]);
  }
  RunOptions run;
  run.testees = {
      {"python", [] { return std::make_unique<PipeTestee>(PythonTestee()); }}};
  const absl::StatusOr<MatrixResult> result = RunMatrix(options, run);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_GT(result->summary.accepted, 50u);
  EXPECT_GT(result->summary.refused, 0u);
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

constexpr char kDemo[] = "opsets/demo";
constexpr char kDemoModules[] = "opsets/demo/modules";

// A story for every kind of change.
INSTANTIATE_TEST_SUITE_P(Demo, PythonTesteeTest,
                         testing::Values(Part{kDemo, kDemoModules, 0, 4},
                                         Part{kDemo, kDemoModules, 1, 4},
                                         Part{kDemo, kDemoModules, 2, 4},
                                         Part{kDemo, kDemoModules, 3, 4}));

// Real graphs; by the nightly target.
constexpr char kTorch[] = "opsets/torch";
constexpr char kTorchModels[] = "opsets/torch/models";
INSTANTIATE_TEST_SUITE_P(Torch, PythonTesteeTest,
                         testing::Values(Part{kTorch, kTorchModels, 0, 4},
                                         Part{kTorch, kTorchModels, 1, 4},
                                         Part{kTorch, kTorchModels, 2, 4},
                                         Part{kTorch, kTorchModels, 3, 4}));

// Every feature, field and kind of the wire format.
INSTANTIATE_TEST_SUITE_P(Golden, PythonTesteeTest,
                         testing::Values(Part{"compat_matrix/golden",
                                              "compat_matrix/golden", 0, 1}));

}  // namespace
}  // namespace opcompat
