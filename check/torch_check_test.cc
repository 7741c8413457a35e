// The rules on a real history: what is found there is of known rules, and
// nothing is found twice.
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
  ASSERT_NE(loaded.history, nullptr);
  const std::vector<Finding> findings =
      CheckHistory(*loaded.history, &loaded.declared);
  EXPECT_FALSE(findings.empty());
  std::set<std::string> seen;
  for (const Finding& finding : findings) {
    EXPECT_NE(FindRule(finding.rule), nullptr) << finding.rule;
    EXPECT_TRUE(seen.insert(FindingText(finding)).second)
        << FindingText(finding);
    EXPECT_NE(finding.place.line, 0) << FindingText(finding);
  }
}

}  // namespace
}  // namespace opcompat
