// The laws over simulated histories. `--test_arg=--histories=N
// --test_arg=--first_seed=S` takes any number of others.
#include "compat_matrix/simulation/laws.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "compat_matrix/simulation/law_case.h"
#include "compat_matrix/simulation/module_maker.h"
#include "compat_matrix/simulation/reduce.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "compat_matrix/simulation/truth.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"

namespace opcompat {
namespace simulation {
namespace {

uint64_t num_histories = 1000;
uint64_t first_seed = 1;

// A test takes every fifth seed.
constexpr uint64_t kNumGroups = 5;

class SimulatedLawsTest : public testing::TestWithParam<uint64_t> {};

// The failure as a small case, where a text alone breaks the law.
std::string Reduced(const SimulatedHistory& made, const std::string& text,
                    const LawFailure& failure) {
  ReducibleCase broken;
  broken.files = made.files;
  broken.module = text;
  broken.writer = absl::StrCat(failure.writer + 1);
  broken.reader = absl::StrCat(failure.reader + 1);
  broken.for_target = failure.for_target;
  for (const bool every_way : {false, true}) {
    LawOptions options;
    options.every_way = every_way;
    options.undoes_itself = made.seed % 3 == 0;
    if (!BreaksLaw(broken, failure.law, options)) continue;
    const ReducibleCase reduced =
        ReduceCase(broken, [&](const ReducibleCase& smaller) {
          return BreaksLaw(smaller, failure.law, options);
        });
    return absl::StrCat("reduced (seed ", made.seed,
                        "): ", LawName(failure.law), ", ", reduced.ToString());
  }
  return absl::StrCat("not reduced (seed ", made.seed, ")");
}

void CheckText(const SimulatedHistory& made, const std::string& text, size_t w,
               Laws* laws) {
  const absl::StatusOr<Module> module = ParseModule(text, laws->runtime(w));
  ASSERT_TRUE(module.ok()) << module.status() << "\n"
                           << text << made.ToString();
  const std::vector<LawFailure> failures = laws->Check(*module, w);
  for (const LawFailure& failure : failures) {
    ADD_FAILURE() << failure.ToString() << "\n--- module\n"
                  << text << made.ToString();
  }
  if (!failures.empty()) ADD_FAILURE() << Reduced(made, text, failures[0]);
}

// One history: a module with everything at one version, small ones at two.
void CheckSeed(uint64_t seed, LawTally* tally) {
  SimulationOptions simulation;
  simulation.invertible = seed % 3 == 0;
  const absl::StatusOr<SimulatedHistory> made =
      SimulateHistory(seed, simulation);
  ASSERT_TRUE(made.ok()) << made.status();
  const OpsetHistory& history = *made->history();
  const absl::StatusOr<Truth> truth = Truth::Create(made->loaded, made->files);
  ASSERT_TRUE(truth.ok()) << truth.status() << made->ToString();
  LawOptions options;
  options.truth = &*truth;
  options.steps = &made->steps;
  options.undoes_itself = simulation.invertible;
  options.every_way = false;
  Laws laws(history, options, tally);
  const size_t num_versions = laws.num_versions();
  if (seed % 6 == 0) {
    const size_t w = seed / 6 % num_versions;
    CheckText(*made, PopulatedModule(history, w, seed), w, &laws);
  }
  for (uint64_t m = 0; m < 2; ++m) {
    const size_t w = (seed + m * (num_versions - 1)) % num_versions;
    CheckText(*made, SmallModule(history, w, seed * 2 + m), w, &laws);
  }
}

TEST_P(SimulatedLawsTest, HoldOverHistoriesOfEveryKindOfStep) {
  LawTally tally;
  for (uint64_t i = GetParam(); i < num_histories; i += kNumGroups) {
    CheckSeed(first_seed + i, &tally);
    if (HasFailure()) return;
  }
  SCOPED_TRACE(tally.ToString());
  if (num_histories < 1000) return;
  for (size_t i = 0; i < kNumLaws; ++i) {
    EXPECT_GT(tally.tested[i], 0) << LawName(static_cast<Law>(i));
  }
  EXPECT_GT(tally.refused, 0);
  EXPECT_GT(tally.stepped, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SimulatedLawsTest,
                         testing::Range(uint64_t{0}, kNumGroups));

}  // namespace
}  // namespace simulation
}  // namespace opcompat

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    absl::string_view argument = argv[i];
    if (absl::ConsumePrefix(&argument, "--histories=")) {
      if (!absl::SimpleAtoi(argument, &opcompat::simulation::num_histories)) {
        return EXIT_FAILURE;
      }
    } else if (absl::ConsumePrefix(&argument, "--first_seed=")) {
      if (!absl::SimpleAtoi(argument, &opcompat::simulation::first_seed)) {
        return EXIT_FAILURE;
      }
    }
  }
  return RUN_ALL_TESTS();
}
