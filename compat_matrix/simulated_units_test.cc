#include "compat_matrix/simulated_units.h"

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_matchers.h"
#include "compat_matrix/result.h"
#include "compat_matrix/run_units.h"
#include "compat_matrix/simulation/simulated_case.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

class Collector : public ResultSink {
 public:
  absl::Status Add(const ModuleCells& module) override {
    modules.push_back(module);
    return absl::OkStatus();
  }
  std::vector<ModuleCells> modules;
};

TEST(SimulatedUnits, HistoriesOfAllSeedsAreOneGroupAndNothingIsMisread) {
  const SimulatedUnits units(6, 100, {});
  Collector collector;
  RunOptions options;
  options.threads = 4;
  const auto summary = RunUnits({&units}, options, &collector);
  ASSERT_THAT(summary, IsOk());
  EXPECT_TRUE(summary->good());
  EXPECT_GT(summary->accepted, 100u);
  std::set<std::string> histories;
  for (const ModuleCells& module : collector.modules) {
    EXPECT_EQ(module.history->group, simulation::kSimulatedGroup);
    histories.insert(module.history->name);
  }
  EXPECT_EQ(histories.size(), 6u);
}

// What a careless person does and nobody declares shows only where modules are
// executed.
TEST(SimulatedUnits, WhatOnlyExecutionSeesIsMisread) {
  simulation::SimulationOptions careless;
  careless.careless = true;
  const SimulatedUnits units(10, 1, careless);
  Collector collector;
  const auto summary = RunUnits({&units}, {}, &collector);
  ASSERT_THAT(summary, IsOk());
  EXPECT_GT(summary->misread, 0u);
  EXPECT_EQ(summary->unexpected, 0u);
  EXPECT_EQ(summary->crashed, 0u);
  for (const ModuleCells& module : collector.modules) {
    for (const Cell& cell : module.cells) {
      if (cell.state != CellState::kMisread) continue;
      // `sim12` is of seed 12.
      const std::string seed = module.history->name.substr(3);
      EXPECT_THAT(module.outcome(cell).detail,
                  testing::HasSubstr(absl::StrCat(
                      " (seed ", seed, ": opcompat matrix --simulate=1 --seed=",
                      seed, " --careless --save-simulated=DIR ")));
      EXPECT_TRUE(cell.predicted_accepted);
    }
  }
}

}  // namespace
}  // namespace opcompat
