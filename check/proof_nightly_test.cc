// proof_test.cc with larger bounds.
#include <iostream>

#include "check/proof.h"
#include "check/proof_lives.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

void Report(const ProofSize& size) {
  std::cout << size.operators << " histories, " << size.pairs << " verdicts ("
            << size.compatible << " compatible), " << size.calls
            << " calls read\n";
  EXPECT_GT(size.compatible, size.operators / 10);
  EXPECT_LT(size.compatible, size.pairs);
}

TEST(ProofNightlyTest, OneArgumentOverThreeVersions) {
  Report(Prove(OneArgumentLives(ManyArguments())));
}

TEST(ProofNightlyTest, Declarations) {
  Report(Prove(DeclaredLives(SomeArguments())));
}

TEST(ProofNightlyTest, AcrossGaps) {
  ProofOptions options;
  options.versions = {"", "gap {}\n",
                      "gap { added_defaults_are_neutral: true\n"
                      "removed_defaults_are_retired: true }\n"};
  Report(Prove(OneArgumentLives(ManyArguments()), options));
}

TEST(ProofNightlyTest, RevisionsWithoutGraphs) {
  Report(Prove(RevisionLives({"", "int p", "int p=0", "int? p=None",
                              "Scalar p=0", "Tensor? p=None"})));
}

}  // namespace
}  // namespace opcompat
