#include "tools/help_formatter.h"

#include "gtest/gtest.h"

namespace opcompat {
namespace {

TEST(WrapTest, LinesBreakAtSpacesAndLongWordsStandAlone) {
  EXPECT_EQ(Wrap("", 5), "");
  EXPECT_EQ(Wrap("a b", 5), "a b");
  EXPECT_EQ(Wrap("aa bb cc", 5), "aa bb\ncc");
  EXPECT_EQ(Wrap("aa bbbbbbb cc", 5), "aa\nbbbbbbb\ncc");
}

}  // namespace
}  // namespace opcompat
