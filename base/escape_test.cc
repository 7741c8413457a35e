#include "base/escape.h"

#include <string>

#include "absl/strings/escaping.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

TEST(EscapeTest, DoesWhatAbseilDoes) {
  std::string all;
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string bytes = {static_cast<char>(first),
                                 static_cast<char>(second)};
      EXPECT_EQ(HexEscape(bytes), absl::CHexEscape(bytes));
      all += bytes;
    }
  }
  EXPECT_EQ(HexEscape(all), absl::CHexEscape(all));
  EXPECT_EQ(HexDigits(all), absl::BytesToHexString(all));
  EXPECT_EQ(HexEscape(""), "");
  EXPECT_EQ(HexDigits(""), "");
}

}  // namespace
}  // namespace opcompat
