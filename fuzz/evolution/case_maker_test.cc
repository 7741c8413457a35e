#include "fuzz/evolution/case_maker.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

#include "compat_matrix/simulation/simulated_history.h"
#include "compat_matrix/simulation/step_kinds.h"
#include "fuzz/evolution/case.pb.h"
#include "fuzz/evolution/case_mutator.h"
#include "fuzz/evolution/prepared_case.h"
#include "ir/verifier.h"

namespace opcompat {
namespace fuzz {
namespace {

using simulation::SimulatedHistory;
using simulation::SimulatedStep;
using simulation::StepKind;

// An input after a number of mutations from nothing.
Case Mutated(unsigned int seed, unsigned int mutations) {
  Case input;
  for (unsigned int i = 0; i < mutations; ++i) {
    MutateCase(&input, seed * 1000 + i);
  }
  return input;
}

PreparedCase Prepare(const Case& input, CaseCache* cache) {
  const std::string bytes = input.SerializeAsString();
  return cache->Get(reinterpret_cast<const uint8_t*>(bytes.data()),
                    bytes.size());
}

TEST(CaseMakerTest, EveryInputIsAHistoryAndAModule) {
  CaseCache cache;
  std::set<StepKind> kinds;
  for (unsigned int seed = 0; seed < 120; ++seed) {
    Case input = Mutated(seed, 20 + 4 * seed);
    if (seed % 2 == 1) input = CrossOverCases(input, Mutated(seed / 2, 50), 1);
    // (Get ends the process if it is none.)
    const PreparedCase prepared = Prepare(input, &cache);
    EXPECT_TRUE(Verify(prepared.module()).ok());
    for (const SimulatedStep& step : prepared.history->made.steps) {
      kinds.insert(step.kind);
    }
  }
  EXPECT_GT(kinds.size(), 25) << "mutations meet few kinds of steps";
}

TEST(CaseMakerTest, BytesThatAreNoMessageAreAnInputToo) {
  CaseCache cache;
  std::string bytes = Mutated(7, 60).SerializeAsString();
  for (size_t i = 0; i < bytes.size(); i += 3) {
    bytes[i] = static_cast<char>(bytes[i] ^ 0x55);
    const PreparedCase prepared =
        cache.Get(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    EXPECT_TRUE(Verify(prepared.module()).ok());
  }
}

TEST(CaseMakerTest, EveryLegalKindCanBeAskedFor) {
  std::set<StepKind> kinds;
  for (uint32_t kind = 0;
       kind < static_cast<uint32_t>(StepKind::kMeaningChanged); ++kind) {
    for (uint32_t seed = 0; seed < 200; ++seed) {
      History edits;
      for (uint32_t op = 0; op < 3; ++op) {
        Operator* added = edits.add_operators();
        added->set_numbered(op == 0);
        added->mutable_dice()->set_seed(seed * 3 + op);
      }
      // (Some kinds are about what others have made.)
      for (const uint32_t k :
           {static_cast<uint32_t>(seed % 2 == 0 ? StepKind::kArgumentRemoved
                                                : StepKind::kResultAdded),
            kind}) {
        Version* version = edits.add_versions();
        for (uint32_t op = 0; op < 4; ++op) {
          Step* step = version->add_steps();
          step->set_kind(k);
          step->set_op(op);
          step->mutable_dice()->set_seed(seed);
        }
      }
      for (const SimulatedStep& step : HistoryOf(edits).steps) {
        kinds.insert(step.kind);
      }
      if (kinds.count(static_cast<StepKind>(kind)) > 0) break;
    }
    EXPECT_EQ(kinds.count(static_cast<StepKind>(kind)), 1)
        << StepKindName(static_cast<StepKind>(kind));
  }
}

TEST(CaseMakerTest, WithoutAStepTheOthersStayAsTheyAre) {
  History edits;
  for (uint32_t op = 0; op < 2; ++op) {
    edits.add_operators()->mutable_dice()->set_seed(op);
  }
  Version* version = edits.add_versions();
  for (uint32_t op = 1; op < 3; ++op) {
    Step* step = version->add_steps();
    step->set_kind(static_cast<uint32_t>(StepKind::kDefaultChanged));
    step->set_op(op);
    step->mutable_dice()->add_shown(op);
  }
  const SimulatedHistory both = HistoryOf(edits);
  ASSERT_EQ(both.steps.size(), 2);
  version->mutable_steps()->DeleteSubrange(0, 1);
  const SimulatedHistory second = HistoryOf(edits);
  ASSERT_EQ(second.steps.size(), 1);
  EXPECT_EQ(second.steps[0].ToString(), both.steps[1].ToString());
  const auto line_of = [&](const SimulatedHistory& made) {
    const std::string& ops = made.files.at("2.ops");
    const size_t at = ops.find(second.steps[0].op + "(");
    return ops.substr(at, ops.find('\n', at) - at);
  };
  EXPECT_EQ(line_of(second), line_of(both));
}

}  // namespace
}  // namespace fuzz
}  // namespace opcompat
