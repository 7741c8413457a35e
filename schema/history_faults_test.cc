// Every fault that a history can have: where it is placed and what is said.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "schema/faulty_histories.h"
#include "schema/text/history_text.h"

namespace opcompat {
namespace {

class HistoryFaultsTest : public ::testing::TestWithParam<size_t> {};

TEST_P(HistoryFaultsTest, AreAllReportedWithTheirPlaces) {
  const FaultyHistory& c = FaultyHistories()[GetParam()];
  const LoadedHistory loaded = LoadFromText(c.versions);
  EXPECT_EQ(loaded.history, nullptr);
  std::vector<std::string> expected;
  for (const std::string& fault : c.faults) expected.push_back("h/" + fault);
  EXPECT_EQ(absl::StrJoin(FaultStrings(loaded), "\n"),
            absl::StrJoin(expected, "\n"));
}

INSTANTIATE_TEST_SUITE_P(Cases, HistoryFaultsTest,
                         ::testing::Range<size_t>(0, FaultyHistories().size()),
                         [](const ::testing::TestParamInfo<size_t>& info) {
                           return FaultyHistories()[info.param].name;
                         });

}  // namespace
}  // namespace opcompat
