// absl/strings does what it always does in a program that is linked with
// strings.cc.
#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

TEST(LeanStringsTest, StrCatTakesAnyNumberOfPieces) {
  const std::string s = "s";
  EXPECT_EQ(absl::StrCat(), "");
  EXPECT_EQ(absl::StrCat(1), "1");
  EXPECT_EQ(absl::StrCat(s, -2), "s-2");
  EXPECT_EQ(absl::StrCat(s, absl::string_view("v"), 3u), "sv3");
  EXPECT_EQ(absl::StrCat(1, "a", 2, "b"), "1a2b");
  EXPECT_EQ(absl::StrCat(1, "a", 2, "b", 3, "c", 4, "d", 5), "1a2b3c4d5");
}

TEST(LeanStringsTest, StrAppendTakesAnyNumberOfPieces) {
  std::string s;
  absl::StrAppend(&s, 1);
  absl::StrAppend(&s, "a", 2);
  absl::StrAppend(&s, "b", 3, "c");
  absl::StrAppend(&s, 4, "d", 5, "e");
  absl::StrAppend(&s, 6, "f", 7, "g", 8, "h");
  EXPECT_EQ(s, "1a2b3c4d5e6f7g8h");
}

TEST(LeanStringsTest, PrintsNumbers) {
  EXPECT_EQ(absl::StrCat(std::numeric_limits<int32_t>::min()), "-2147483648");
  EXPECT_EQ(absl::StrCat(std::numeric_limits<uint32_t>::max()), "4294967295");
  EXPECT_EQ(absl::StrCat(std::numeric_limits<int64_t>::min()),
            "-9223372036854775808");
  EXPECT_EQ(absl::StrCat(std::numeric_limits<uint64_t>::max()),
            "18446744073709551615");
  EXPECT_EQ(absl::StrJoin({1, -2, 3}, ", "), "1, -2, 3");
}

TEST(LeanStringsTest, EscapesBytes) {
  EXPECT_EQ(absl::CHexEscape("a\n\"\x01"
                             "1\xff"),
            "a\\n\\\"\\x01\\x31\\xff");
}

}  // namespace
}  // namespace opcompat
