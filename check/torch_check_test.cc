// The rules on a real history: what is found there is of known rules, and
// nothing is found twice.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/rules_table.h"
#include "gtest/gtest.h"
#include "ir/text/history_loader.h"

namespace opcompat {
namespace {

TEST(TorchCheckTest, FindingsAreOrderedUniqueAndOfTheTable) {
  const LoadedHistory loaded = LoadHistory("opsets/torch/history.textproto");
  for (const HistoryFault& fault : loaded.faults) {
    ADD_FAILURE() << fault.ToString();
  }
  ASSERT_NE(loaded.history, nullptr);
  const std::vector<Finding> findings =
      CheckHistory(*loaded.history, &loaded.declared);
  EXPECT_FALSE(findings.empty());
  std::set<std::string> seen;
  std::map<std::string, int> counts;
  for (const Finding& finding : findings) {
    EXPECT_NE(FindRule(finding.rule), nullptr) << finding.rule;
    EXPECT_TRUE(seen.insert(FindingText(finding)).second)
        << FindingText(finding);
    ++counts[finding.rule + " " + FindingCategoryName(finding.category)];
    EXPECT_NE(finding.place.line, 0) << FindingText(finding);
    // A whole call, whatever the operator. (`...` stands before further
    // operands in module text.)
    if (finding.category == FindingCategory::kSource) {
      EXPECT_EQ(finding.counterexample.find("..."), std::string::npos)
          << FindingText(finding) << "\n"
          << finding.counterexample;
    }
  }
  // What the steps of PyTorch's own changes do is decided.
  EXPECT_EQ(counts.count("undecided backward"), 0u);
  EXPECT_EQ(counts.count("undecided forward"), 0u);
  EXPECT_EQ(counts.count("step-refuses backward"), 0u);
}

}  // namespace
}  // namespace opcompat
