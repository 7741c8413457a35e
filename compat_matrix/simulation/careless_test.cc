// Who notices what careless people do: loading, the rules, readers that refuse;
// and the kernels, which notice exactly what no rule can see.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "check/check.h"
#include "check/finding.h"
#include "compat_matrix/simulation/laws.h"
#include "compat_matrix/simulation/module_maker.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "compat_matrix/simulation/step_kinds.h"
#include "compat_matrix/simulation/truth.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"

namespace opcompat {
namespace simulation {
namespace {

// What came of a number of histories with one careless step of a kind.
struct Noticed {
  int histories = 0;
  int by_loading = 0;
  int by_rules = 0;    // a finding about the operator at that version
  int by_refusal = 0;  // a call of the operator refused that was none before
  int by_kernels = 0;
  int misread = 0;  // by the oracle, which knows what is declared only
};

SimulatedHistory Careless(uint64_t seed) {
  SimulationOptions options;
  options.careless = true;
  const absl::StatusOr<SimulatedHistory> made = SimulateHistory(seed, options);
  EXPECT_TRUE(made.ok()) << made.status();
  return *made;
}

bool IsAbout(const Finding& finding, const Secret& secret) {
  return finding.op == secret.op &&
         finding.newer == absl::StrCat(secret.version + 1);
}

// Modules of the two versions on either side of the step that call its
// operator, read by the other one.
void Execute(const SimulatedHistory& made, const Secret& secret,
             const Truth& truth, Noticed* noticed) {
  LawOptions options;
  options.truth = &truth;
  LawTally tally;
  Laws laws(*made.history(), options, &tally);
  bool kernels = false;
  bool refused = false;
  for (const bool backward : {true, false}) {
    const size_t w = backward ? secret.version - 1 : secret.version;
    const size_t r = backward ? secret.version : secret.version - 1;
    for (uint64_t m = 0; m < 16; ++m) {
      const std::string text =
          SmallModule(*made.history(), w, made.seed * 16 + m, 3);
      if (!absl::StrContains(text, absl::StrCat(secret.op, "("))) continue;
      const absl::StatusOr<Module> module = ParseModule(text, laws.runtime(w));
      ASSERT_TRUE(module.ok()) << module.status() << text;
      const uint64_t executed =
          tally.tested[static_cast<size_t>(Law::kSameNumbers)];
      for (const LawFailure& failure :
           laws.CheckReading(*module, w, r, false)) {
        kernels = kernels || failure.law == Law::kSameNumbers;
        noticed->misread += failure.law == Law::kNoMisread;
        EXPECT_NE(failure.law, Law::kPrediction) << failure.what;
      }
      refused =
          refused ||
          tally.tested[static_cast<size_t>(Law::kSameNumbers)] == executed;
    }
  }
  noticed->by_kernels += kernels;
  noticed->by_refusal += refused;
}

Noticed Notice(StepKind kind, int num_histories) {
  Noticed noticed;
  for (uint64_t seed = static_cast<uint64_t>(kind) -
                       static_cast<uint64_t>(StepKind::kMeaningChanged) + 5;
       noticed.histories < num_histories; seed += 5) {
    const SimulatedHistory made = Careless(seed);
    if (made.secrets.empty()) continue;  // no operator allowed it
    const Secret& secret = made.secrets[0];
    EXPECT_EQ(secret.kind, kind);
    ++noticed.histories;
    if (made.history() == nullptr) {
      ++noticed.by_loading;
      continue;
    }
    const std::vector<Finding> findings =
        CheckHistory(*made.history(), &made.loaded.declared);
    noticed.by_rules += std::any_of(
        findings.begin(), findings.end(),
        [&](const Finding& finding) { return IsAbout(finding, secret); });
    const absl::StatusOr<Truth> truth =
        Truth::Create(made.loaded, made.files, made.secrets);
    EXPECT_TRUE(truth.ok()) << truth.status();
    Execute(made, secret, *truth, &noticed);
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_EQ(noticed.misread, 0);
  return noticed;
}

constexpr int kNumHistories = 8;

TEST(CarelessTest, ReorderedPositionsAreAFaultOfTheHistory) {
  const Noticed noticed = Notice(StepKind::kPositionsReordered, kNumHistories);
  EXPECT_EQ(noticed.by_loading, noticed.histories);
}

TEST(CarelessTest, ASilentRenameIsFoundByRulesAndRefusedWhereItMatters) {
  const Noticed noticed = Notice(StepKind::kSilentRename, kNumHistories);
  EXPECT_EQ(noticed.by_loading, 0);
  EXPECT_EQ(noticed.by_rules, noticed.histories);
  EXPECT_GT(noticed.by_refusal, noticed.histories / 2);
  // What is accepted is right all the same.
  EXPECT_EQ(noticed.by_kernels, 0);
}

TEST(CarelessTest, AMeaningThatChangedIsSeenByKernelsAlone) {
  const Noticed noticed = Notice(StepKind::kMeaningChanged, kNumHistories);
  EXPECT_EQ(noticed.by_loading, 0);
  EXPECT_EQ(noticed.by_rules, 0);
  EXPECT_GE(noticed.by_kernels, noticed.histories - 2);
}

TEST(CarelessTest, AWrongUpgraderIsSeenByKernelsAlone) {
  const Noticed noticed = Notice(StepKind::kWrongUpgrader, kNumHistories);
  EXPECT_EQ(noticed.by_loading, 0);
  EXPECT_GE(noticed.by_kernels, noticed.histories - 3);
}

TEST(CarelessTest, AWrongNeutralValueIsSeenByKernelsAlone) {
  const Noticed noticed = Notice(StepKind::kWrongNeutral, kNumHistories);
  EXPECT_EQ(noticed.by_loading, 0);
  EXPECT_GE(noticed.by_kernels, noticed.histories - 3);
}

}  // namespace
}  // namespace simulation
}  // namespace opcompat
