// The real thing: the graphs of real models as PyTorch 1.7.1, 1.13.1 and 2.6.0
// resolved them, written at their version, read and written for at all.
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "binding/report.h"
#include "compat_matrix/matrix.h"
#include "compat_matrix/modules_for_testing.h"
#include "compat_matrix/reports/grid.h"
#include "compat_matrix/result.h"
#include "gtest/gtest.h"
#include "ir/text/history_loader.h"
#include "schema/history.h"

namespace opcompat {
namespace {

TEST(TorchMatrix, NoCellIsMisreadAndEachRefusalIsPredictedWithItsReasons) {
  MatrixOptions options;
  options.histories = {*LoadHistoryOrError("opsets/torch")};
  options.modules = ModulesIn("opsets/torch/models");
  ASSERT_EQ(options.modules.size(), 168u);
  absl::StatusOr<MatrixResult> result = RunMatrix(options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->summary.good()) << GridText(*result, {});
  // Each was written at its own version at least: a plain cell for each reader,
  // a target cell for each other version.
  EXPECT_GE(result->summary.cells, 168u * 5);
  size_t at_own_version = 0;
  for (const ModuleCells& module : result->modules) {
    for (const Cell& cell : module.cells) {
      const std::string& path = module.module;
      at_own_version +=
          absl::StrContains(path, absl::StrCat("/", module.writer(cell), "/"));
      // Read by way of upgraders: both call operators with another meaning
      // since.
      if (cell.writer == cell.reader ||
          absl::StrContains(path, "/1.7.1/floor_divide.graph") ||
          absl::StrContains(path, "/1.7.1/random_ops.graph")) {
        EXPECT_TRUE(cell.accepted && IsGood(cell.state)) << path;
      }
      std::set<std::string> actual;
      for (const Reason& reason : module.outcome(cell).reasons) {
        actual.insert(absl::StrCat(ReasonCodeName(reason.code), " ", reason.op,
                                   reason.argument.empty() ? "" : " ",
                                   reason.argument));
      }
      const std::vector<std::string>& predicted =
          module.outcome(cell).predicted_reasons;
      EXPECT_EQ(actual,
                std::set<std::string>(predicted.begin(), predicted.end()))
          << path << " -> " << module.reader(cell)
          << (cell.for_target ? " as target" : "");
    }
  }
  EXPECT_EQ(at_own_version, 168u * 5);
}

}  // namespace
}  // namespace opcompat
