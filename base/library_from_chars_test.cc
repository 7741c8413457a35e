// absl/strings reads numbers as it always does in a program that is linked with
// library_from_chars.cc. The expected values are those of abseil's own code.
#include <cmath>
#include <limits>
#include <string>
#include <system_error>

#include "absl/strings/charconv.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

constexpr double kMax = std::numeric_limits<double>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Read {
  double value = 7;
  size_t length = 0;
  std::errc error = {};
};

Read FromChars(absl::string_view text,
               absl::chars_format format = absl::chars_format::general) {
  Read read;
  const absl::from_chars_result result = absl::from_chars(
      text.data(), text.data() + text.size(), read.value, format);
  read.length = result.ptr - text.data();
  read.error = result.ec;
  return read;
}

void ExpectRead(const Read& read, double value, size_t length,
                std::errc error = {}) {
  EXPECT_EQ(read.value, value);
  EXPECT_EQ(std::signbit(read.value), std::signbit(value));
  EXPECT_EQ(read.length, length);
  EXPECT_EQ(read.error, error);
}

TEST(LibraryFromCharsTest, ReadsTheLongestNumber) {
  ExpectRead(FromChars("1.5e3x"), 1500, 5);
  ExpectRead(FromChars("-0"), -0.0, 2);
  ExpectRead(FromChars("1e"), 1, 1);
  ExpectRead(FromChars("2.2250738585072011e-308"), 2.2250738585072011e-308, 23);
  ExpectRead(FromChars("-infinity"), -kInfinity, 9);
  EXPECT_TRUE(std::isnan(FromChars("nan(12)").value));
  ExpectRead(FromChars("1e5", absl::chars_format::fixed), 1, 1);
  ExpectRead(FromChars("0xff", absl::chars_format::hex), 0, 1);
  ExpectRead(FromChars("-fp3", absl::chars_format::hex), -120, 4);
  ExpectRead(FromChars("-0xFp3"), -120, 6);
  ExpectRead(FromChars("0xg"), 0, 1);
}

TEST(LibraryFromCharsTest, WhatIsNoNumberLeavesTheValueAlone) {
  for (const absl::string_view text : {"", "+1", " 1", ".", "x"}) {
    ExpectRead(FromChars(text), 7, 0, std::errc::invalid_argument);
  }
}

TEST(LibraryFromCharsTest, SaysInWhichDirectionANumberIsOutOfRange) {
  constexpr std::errc kOutOfRange = std::errc::result_out_of_range;
  ExpectRead(FromChars("1e999"), kMax, 5, kOutOfRange);
  ExpectRead(FromChars("-1.5e999"), -kMax, 8, kOutOfRange);
  ExpectRead(FromChars("-1e-999"), -0.0, 7, kOutOfRange);
  ExpectRead(FromChars("-1p5000", absl::chars_format::hex), -kMax, 7,
             kOutOfRange);
  ExpectRead(FromChars("1p-5000", absl::chars_format::hex), 0, 7, kOutOfRange);
  ExpectRead(FromChars("-0x1p9999"), -kMax, 9, kOutOfRange);
  float value = 7;
  const std::string text = "1e39";
  EXPECT_EQ(absl::from_chars(text.data(), text.data() + text.size(), value).ec,
            kOutOfRange);
  EXPECT_EQ(value, std::numeric_limits<float>::max());
}

TEST(LibraryFromCharsTest, SimpleAtodAndSimpleAtofReadAsEver) {
  double value;
  EXPECT_TRUE(absl::SimpleAtod(" +1.5e3 ", &value));
  EXPECT_EQ(value, 1500);
  EXPECT_TRUE(absl::SimpleAtod("-1e999", &value));
  EXPECT_EQ(value, -kInfinity);
  EXPECT_TRUE(absl::SimpleAtod("0x10", &value));
  EXPECT_EQ(value, 16);
  EXPECT_FALSE(absl::SimpleAtod("1.5x", &value));
  float small;
  EXPECT_TRUE(absl::SimpleAtof("0.1", &small));
  EXPECT_EQ(small, 0.1f);
}

}  // namespace
}  // namespace opcompat
