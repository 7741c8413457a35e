#include "compat_matrix/simulation/simulated_history.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "compat_matrix/simulation/step_kinds.h"
#include "schema/declared_history.h"
#include "schema/opset.h"

namespace opcompat {
namespace simulation {
namespace {

TEST(SimulatedHistoryTest, EverySeedMakesAHistoryWithoutFaultsAndWarnings) {
  std::map<StepKind, int> taken;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    SimulationOptions options;
    options.invertible = seed % 4 == 0;
    const absl::StatusOr<SimulatedHistory> made =
        SimulateHistory(seed, options);
    ASSERT_TRUE(made.ok()) << made.status();
    for (const HistoryFault& warning : made->loaded.warnings) {
      ADD_FAILURE() << warning.ToString() << "\n" << made->ToString();
    }
    EXPECT_TRUE(made->secrets.empty());
    for (const SimulatedStep& step : made->steps) {
      EXPECT_FALSE(IsCareless(step.kind));
      ++taken[step.kind];
    }
  }
  // Every kind comes.
  for (const StepWeight& weight : StepWeights()) {
    EXPECT_GT(taken[weight.kind], 0) << StepKindName(weight.kind);
  }
}

TEST(SimulatedHistoryTest, TheFilesAreAllOfIt) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const absl::StatusOr<SimulatedHistory> made = SimulateHistory(seed);
    ASSERT_TRUE(made.ok()) << made.status();
    const LoadedHistory again = LoadFiles(made->files);
    ASSERT_NE(again.history, nullptr);
    ASSERT_EQ(again.history->versions().size(),
              made->history()->versions().size());
    for (size_t v = 0; v < again.history->versions().size(); ++v) {
      const auto& operators = again.history->versions()[v].operators();
      const auto& expected = made->history()->versions()[v].operators();
      ASSERT_EQ(operators.size(), expected.size());
      for (size_t i = 0; i < operators.size(); ++i) {
        EXPECT_EQ(*operators[i]->current(), *expected[i]->current());
      }
    }
    // Nothing is read that is not there, nothing is there that is not read.
    EXPECT_EQ(again.files.size(), made->files.size());
  }
}

TEST(SimulatedHistoryTest, TheSameSeedMakesTheSameTextOnEveryMachine) {
  // FNV-1a over the texts. Changes with every change of the generator, and with
  // nothing else.
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const absl::StatusOr<SimulatedHistory> made = SimulateHistory(seed);
    ASSERT_TRUE(made.ok()) << made.status();
    for (const char c : made->ToString()) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
  }
  EXPECT_EQ(hash, 1544542287073279841u);
}

TEST(FilesOfTextTest, GivesTheFilesThatTheTextIsOf) {
  const absl::StatusOr<SimulatedHistory> made = SimulateHistory(3);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_GT(made->files.size(), 3);
  EXPECT_EQ(FilesOfText(FilesText(made->files)), made->files);

  const HistoryFiles unended = {{"a", ""}, {"b", "--\n---c\nx"}};
  EXPECT_EQ(FilesOfText(FilesText(unended)), unended);
  EXPECT_EQ(FilesOfText("before\n--- a"), (HistoryFiles{{"a", ""}}));
  EXPECT_EQ(FilesOfText(""), HistoryFiles());
}

TEST(SimulatedHistoryTest, CarelessOnesHaveOneSecretAndDeclareTheRest) {
  std::map<StepKind, int> kinds;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SimulationOptions options;
    options.careless = true;
    const absl::StatusOr<SimulatedHistory> made =
        SimulateHistory(seed, options);
    ASSERT_TRUE(made.ok()) << made.status();
    ASSERT_LE(made->secrets.size(), 1);
    if (made->secrets.empty()) continue;
    ++kinds[made->secrets[0].kind];
    EXPECT_EQ(made->history() == nullptr,
              made->secrets[0].kind == StepKind::kPositionsReordered)
        << made->ToString();
  }
  EXPECT_EQ(kinds.size(), 5);
  for (const auto& [kind, count] : kinds) {
    EXPECT_GT(count, 4) << StepKindName(kind);
  }
}

TEST(SimulatedHistoryTest, LongHistoriesWithManyOperatorsLoad) {
  SimulationOptions options;
  options.num_versions = 40;
  options.num_operators = 6;
  const absl::StatusOr<SimulatedHistory> made = SimulateHistory(7, options);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->history()->versions().size(), 40);
  EXPECT_GT(made->steps.size(), 60);
}

TEST(StepWeightsTest, WhatIsFrequentComesMoreOftenAndWhatIsRareComes) {
  for (const StepWeight& weight : StepWeights()) {
    EXPECT_GE(weight.weight, 3);
    for (const StepWeight& other : StepWeights()) {
      if (weight.observed < other.observed) {
        EXPECT_LE(weight.weight, other.weight);
      }
    }
  }
}

}  // namespace
}  // namespace simulation
}  // namespace opcompat
