#include "base/concat.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

TEST(ConcatTest, JoinsPiecesOfEveryKind) {
  const std::string name = "name";
  const char* pointer = "pointer";
  char array[] = "array";
  EXPECT_EQ(Concat("a ", name, ", ", absl::string_view("views", 4), ", ",
                   pointer, ", ", array, ", ", std::string("temporary")),
            "a name, view, pointer, array, temporary");
  EXPECT_EQ(Concat(Hex16{0xbeef}, Hex16{~uint64_t{0}}),
            "000000000000beefffffffffffffffff");
  EXPECT_EQ(Concat(), "");
  EXPECT_EQ(Concat("", std::string(), absl::string_view()), "");
}

template <typename Number>
void ExpectAsAbseil() {
  for (const Number number :
       {std::numeric_limits<Number>::min(), std::numeric_limits<Number>::max(),
        static_cast<Number>(-1), Number{0}, Number{9}, Number{10},
        Number{100}}) {
    EXPECT_EQ(Concat(number), absl::StrCat(number));
    EXPECT_EQ(Concat("<", number, ">"), absl::StrCat("<", number, ">"));
  }
}

TEST(ConcatTest, PrintsNumbersAsAbseilDoes) {
  ExpectAsAbseil<signed char>();
  ExpectAsAbseil<uint8_t>();
  ExpectAsAbseil<int16_t>();
  ExpectAsAbseil<uint16_t>();
  ExpectAsAbseil<int>();
  ExpectAsAbseil<unsigned>();
  ExpectAsAbseil<int64_t>();
  ExpectAsAbseil<uint64_t>();
  ExpectAsAbseil<long long>();           // NOLINT
  ExpectAsAbseil<unsigned long long>();  // NOLINT
}

TEST(ConcatTest, HasMorePiecesThanRegisters) {
  EXPECT_EQ(Concat(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                   18, 19, 20, 21, 22, 23, "."),
            "1234567891011121314151617181920212223.");
}

TEST(ConcatTest, AddsToAText) {
  std::string text = "a";
  ConcatTo(&text);
  ConcatTo(&text, 1, "b");
  EXPECT_EQ(text, "a1b");
  const std::string zeros("\0\0", 2);
  ConcatTo(&text, zeros, absl::string_view(zeros));
  EXPECT_EQ(text, std::string("a1b\0\0\0\0", 7));
  std::string expected = text;
  for (int i = 0; i < 1000; ++i) {
    ConcatTo(&text, i, ",");
    absl::StrAppend(&expected, i, ",");
  }
  EXPECT_EQ(text, expected);
}

}  // namespace
}  // namespace opcompat
