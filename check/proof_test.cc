// The rules say "compatible" exactly when no call is refused: over every
// history within a bound. proof_nightly_test.cc has a larger one.
#include "check/proof.h"

#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "check/proof_lives.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

void Report(const char* what, const ProofSize& size) {
  std::cout << what << ": " << size.operators << " histories, " << size.pairs
            << " verdicts (" << size.compatible << " compatible), "
            << size.calls << " calls read\n";
  // A proof of nothing is none.
  EXPECT_GT(size.compatible, size.operators / 10);
  EXPECT_LT(size.compatible, size.pairs);
}

TEST(ProofTest, OneArgumentOverThreeVersions) {
  Report("one argument", Prove(OneArgumentLives(SomeArguments())));
}

TEST(ProofTest, Declarations) {
  Report("declarations", Prove(DeclaredLives(FewArguments())));
}

TEST(ProofTest, AcrossGaps) {
  ProofOptions options;
  options.versions = {"", "gap {}\n", "gap {}\n"};
  Report("gaps", Prove(OneArgumentLives(FewArguments()), options));
  options.versions = {"", "gap { added_defaults_are_neutral: true }\n",
                      "gap { removed_defaults_are_retired: true }\n"};
  Report("asserted gaps", Prove(OneArgumentLives(FewArguments()), options));
}

TEST(ProofTest, TwoArguments) {
  Report("two arguments", Prove(TwoArgumentLives()));
}

TEST(ProofTest, ResultsMarksAndVarargs) {
  Report("results and marks", Prove(ResultLives()));
}

TEST(ProofTest, RevisionsWithoutGraphs) {
  Report("revisions", Prove(RevisionLives({"", "int p=0", "int? p=None"})));
}

TEST(ProofTest, UpgradersThatAge) { Report("upgraders", Prove(GraphLives())); }

TEST(ProofTest, NoFindingMeansNoRefusalWithTypeVariables) {
  ProofOptions options;
  options.exact = false;
  Report("type variables", Prove(VariableLives(), options));
}

}  // namespace
}  // namespace opcompat
