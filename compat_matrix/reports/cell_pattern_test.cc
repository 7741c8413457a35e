#include "compat_matrix/reports/cell_pattern.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status_matchers.h"
#include "compat_matrix/wildcards.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

using testing::HasSubstr;

TEST(CellPattern, EachPartIsRead) {
  const absl::StatusOr<CellPattern> pattern =
      ParseCellPattern("my models/*.graph torch 2.6.0->1.*! a=>b --flag");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_EQ(pattern->module, "my models/*.graph");
  EXPECT_EQ(pattern->history, "torch");
  EXPECT_EQ(pattern->writer, "2.6.0");
  EXPECT_EQ(pattern->reader, "1.*");
  EXPECT_TRUE(pattern->for_target);
  EXPECT_EQ(pattern->testee, "a=>b --flag");
}

TEST(CellPattern, WithoutTesteeItIsAnyAndWithoutMarkNoTarget) {
  const absl::StatusOr<CellPattern> pattern = ParseCellPattern(" m  h  1->2 ");
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_EQ(pattern->testee, "*");
  EXPECT_FALSE(pattern->for_target);
}

TEST(CellPattern, WhatIsNoPatternSaysWhatIsExpected) {
  for (const std::string text : {"", "m", "m h", "h 1->2", "m h 1-2", "m h ->2",
                                 "m h 1->", "m h 1->!"}) {
    EXPECT_THAT(ParseCellPattern(text).status(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("MODULE HISTORY WRITER->READER")))
        << text;
  }
}

TEST(CellPattern, StarsAndQuestionMarksAreFilledIn) {
  EXPECT_TRUE(MatchesGlob("", ""));
  EXPECT_TRUE(MatchesGlob("*", ""));
  EXPECT_TRUE(MatchesGlob("a*b*c", "a/x/b.b/c"));
  EXPECT_TRUE(MatchesGlob("*.graph", "m/a.graph"));
  EXPECT_TRUE(MatchesGlob("a?c", "abc"));
  EXPECT_FALSE(MatchesGlob("a?c", "ac"));
  EXPECT_FALSE(MatchesGlob("a*b", "abc"));
  EXPECT_FALSE(MatchesGlob("", "a"));
  EXPECT_TRUE(MatchesAnyGlob("1.*,2.0", "2.0"));
  EXPECT_FALSE(MatchesAnyGlob("1.*,2.0", "2.1"));
}

TEST(CellPattern, ManyStarsTakeNoLongTime) {
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "a*";
  EXPECT_FALSE(MatchesGlob(pattern + "b", std::string(20000, 'a')));
}

}  // namespace
}  // namespace opcompat
