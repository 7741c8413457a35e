// The matrix says the same of a history in either form.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_matchers.h"
#include "compat_matrix/matrix.h"
#include "compat_matrix/modules_for_testing.h"
#include "compat_matrix/reports/grid.h"
#include "compat_matrix/result.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "deserializer/compiled_history.h"
#include "ir/text/history_loader.h"
#include "schema/history.h"
#include "serializer/compile_history.h"
#include "wire/testing/opset_difference.h"

namespace opcompat {
namespace {

using HistoryPtr = std::shared_ptr<const OpsetHistory>;

HistoryPtr Compiled(const OpsetHistory& history) {
  const absl::StatusOr<std::string> bytes = CompileHistory(history);
  EXPECT_THAT(bytes, IsOk());
  const auto owner = std::make_shared<const std::string>(*bytes);
  const absl::StatusOr<CompiledHistory> compiled =
      CompiledHistory::Open(*owner, owner);
  EXPECT_THAT(compiled, IsOk());
  const absl::StatusOr<HistoryPtr> all = compiled->LoadAll();
  EXPECT_THAT(all, IsOk());
  return *all;
}

MatrixResult Matrix(HistoryPtr history) {
  MatrixOptions options;
  options.histories = {std::move(history)};
  options.modules = ModulesIn("opsets/demo/modules");
  const absl::StatusOr<MatrixResult> result = RunMatrix(options);
  EXPECT_THAT(result, IsOk());
  return *result;
}

TEST(CompiledMatrixTest, TheMatrixOfTheDemoIsTheSame) {
  const absl::StatusOr<HistoryPtr> text = LoadHistoryOrError("opsets/demo");
  ASSERT_THAT(text, IsOk());
  const MatrixResult expected = Matrix(*text);
  const MatrixResult found = Matrix(Compiled(**text));
  EXPECT_TRUE(found.summary.good());
  EXPECT_EQ(GridText(found, {}), GridText(expected, {}));
  ASSERT_EQ(found.modules.size(), expected.modules.size());
  for (size_t m = 0; m < found.modules.size(); ++m) {
    const ModuleCells& module = found.modules[m];
    const ModuleCells& wanted = expected.modules[m];
    ASSERT_EQ(module.cells.size(), wanted.cells.size());
    for (size_t i = 0; i < module.cells.size(); ++i) {
      const Cell& cell = module.cells[i];
      const std::string name = absl::StrCat(
          module.module, " ", module.writer(cell), " ", module.reader(cell),
          cell.for_target ? " as target" : "");
      EXPECT_EQ(cell.state, wanted.cells[i].state) << name;
      const CellOutcome& outcome = module.outcome(cell);
      const CellOutcome& same = wanted.outcome(wanted.cells[i]);
      EXPECT_EQ(outcome.predicted_reasons, same.predicted_reasons) << name;
      ASSERT_EQ(outcome.reasons.size(), same.reasons.size()) << name;
      for (size_t r = 0; r < outcome.reasons.size(); ++r) {
        EXPECT_EQ(outcome.reasons[r].message, same.reasons[r].message) << name;
      }
    }
  }
}

TEST(CompiledMatrixTest, AnyHistoryIsTheSame) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    simulation::SimulationOptions options;
    options.num_versions = 2 + static_cast<int>(seed % 5);
    options.invertible = seed % 4 == 0;
    const absl::StatusOr<simulation::SimulatedHistory> made =
        simulation::SimulateHistory(seed, options);
    ASSERT_THAT(made, IsOk());
    const HistoryPtr text = made->history();
    EXPECT_EQ(HistoryDifference(*Compiled(*text), *text), "")
        << made->ToString();
  }
}

}  // namespace
}  // namespace opcompat
