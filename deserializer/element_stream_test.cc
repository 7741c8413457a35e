#include "deserializer/element_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "deserializer/varint_columns.h"

namespace opcompat {
namespace decoding {
namespace {

// Numbers of every length, one after the other and mixed.
std::vector<uint64_t> Numbers() {
  std::vector<uint64_t> numbers;
  for (int bits = 0; bits < 64; ++bits) {
    const uint64_t power = uint64_t{1} << bits;
    numbers.insert(numbers.end(), {power - 1, power, power + 1, 5});
  }
  numbers.push_back(std::numeric_limits<uint64_t>::max());
  return numbers;
}

TEST(ElementStreamTest, GivesWhatTheColumnHolds) {
  std::vector<uint64_t> numbers;
  // More than a batch.
  for (int i = 0; i < 40; ++i) {
    for (const uint64_t number : Numbers()) numbers.push_back(number);
  }
  const std::string column = Column(numbers);
  for (const size_t step : {1, 2, 3, 7, 1000, 3000}) {
    ElementStream stream(column);
    for (size_t i = 0; i < numbers.size();) {
      const size_t count = std::min(step, numbers.size() - i);
      const uint64_t* const elements = stream.Take(count);
      ASSERT_NE(elements, nullptr) << i;
      for (size_t k = 0; k < count; ++k) {
        ASSERT_EQ(elements[k], numbers[i + k]) << i + k;
      }
      i += count;
    }
    EXPECT_NE(stream.Take(0), nullptr);
    EXPECT_EQ(stream.Take(1), nullptr);
  }
}

TEST(ElementStreamTest, WhatIsNoVarintIsNoElement) {
  const std::vector<std::string> bad = {
      std::string("\x80", 1),          // cut off
      std::string("\xff\xff", 2),      // cut off
      std::string(10, '\xff') + "\1",  // eleven bytes
      std::string(9, '\xff') + "\2",   // 65 bits
  };
  for (const std::string& last : bad) {
    const std::string column = Column({1, 200, 3}) + last;
    ElementStream stream(column);
    ASSERT_NE(stream.Take(3), nullptr);
    EXPECT_EQ(stream.Take(1), nullptr);
    ElementStream at_once(column);
    EXPECT_EQ(at_once.Take(4), nullptr);
  }
  EXPECT_EQ(ElementStream("").Take(1), nullptr);
}

// Protobuf pads them, and so may others.
TEST(ElementStreamTest, PaddedVarintsAreTheSame) {
  const std::string column("\x85\x80\x00\x05\x85\x00", 6);
  ElementStream stream(column);
  const uint64_t* const elements = stream.Take(3);
  ASSERT_NE(elements, nullptr);
  EXPECT_EQ(elements[0], 5);
  EXPECT_EQ(elements[1], 5);
  EXPECT_EQ(elements[2], 5);
}

}  // namespace
}  // namespace decoding
}  // namespace opcompat
