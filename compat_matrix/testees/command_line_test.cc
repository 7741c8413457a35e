#include "compat_matrix/testees/command_line.h"

#include "absl/status/status.h"
#include "base/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CommandLineTest, WordsAreSplitAtSpaces) {
  EXPECT_THAT(SplitCommandLine("/bin/testee"),
              IsOkAndHolds(ElementsAre("/bin/testee")));
  EXPECT_THAT(SplitCommandLine("  a  bc\t--d=e\n"),
              IsOkAndHolds(ElementsAre("a", "bc", "--d=e")));
}

TEST(CommandLineTest, QuotesKeepSpaces) {
  EXPECT_THAT(SplitCommandLine("'a b' c\" d\"'e'"),
              IsOkAndHolds(ElementsAre("a b", "c de")));
  EXPECT_THAT(SplitCommandLine("a '' \"\""),
              IsOkAndHolds(ElementsAre("a", "", "")));
  EXPECT_THAT(SplitCommandLine("\"a\\\"b\\\\c\\d\" e\\ f 'g\\'"),
              IsOkAndHolds(ElementsAre("a\"b\\c\\d", "e f", "g\\")));
}

TEST(CommandLineTest, WhatIsNoCommandIsRefused) {
  EXPECT_THAT(SplitCommandLine("a 'b"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("a ' is not closed")));
  EXPECT_THAT(
      SplitCommandLine(" "),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no program")));
  EXPECT_THAT(ParseNamedCommand("old="),
              StatusIs(absl::StatusCode::kInvalidArgument, testing::_));
}

TEST(CommandLineTest, AProgramMayHaveAName) {
  const auto name_of = [](const char* text) {
    return ParseNamedCommand(text)->name;
  };
  EXPECT_EQ(name_of("release-1.0=/bin/testee --x"), "release-1.0");
  EXPECT_THAT(ParseNamedCommand("release-1.0=/bin/testee --x")->command,
              ElementsAre("/bin/testee", "--x"));
  EXPECT_EQ(name_of("/bin/testee --x=y"), "/bin/testee --x=y");
  EXPECT_EQ(name_of("testee --x=y"), "testee --x=y");
  EXPECT_EQ(name_of("=x"), "=x");
}

}  // namespace
}  // namespace opcompat
