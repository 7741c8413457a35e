#include "compat_matrix/simulation/simulated_history.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "compat_matrix/simulation/step_kinds.h"

namespace opcompat {
namespace simulation {
namespace {

TEST(SimulatedHistoryTest, EverySeedMakesAHistoryWithoutFaultsAndWarnings) {
  std::map<StepKind, int> taken;
  int bad = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SimulationOptions options;
    options.invertible = seed % 4 == 0;
    const absl::StatusOr<SimulatedHistory> made =
        SimulateHistory(seed, options);
    if (!made.ok()) {
      if (++bad < 6) ADD_FAILURE() << made.status();
      continue;
    }
    for (const HistoryFault& warning : made->loaded.warnings) {
      ADD_FAILURE() << warning.ToString() << made->ToString();
    }
    for (const SimulatedStep& step : made->steps) ++taken[step.kind];
  }
  EXPECT_EQ(bad, 0);
  for (const StepWeight& weight : StepWeights()) {
    EXPECT_GT(taken[weight.kind], 2) << StepKindName(weight.kind);
  }
}

}  // namespace
}  // namespace simulation
}  // namespace opcompat
