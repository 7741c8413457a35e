#include "deserializer/varints.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "deserializer/varint_columns.h"

namespace opcompat {
namespace decoding {
namespace {

// Numbers of every length up to so many bits; mostly short ones.
std::vector<uint64_t> Numbers(std::mt19937_64& random, size_t count,
                              unsigned most_bits) {
  std::vector<uint64_t> numbers;
  while (numbers.size() < count) {
    const unsigned bits =
        random() % 4 == 0 ? random() % most_bits + 1 : random() % 9 + 1;
    numbers.push_back(random() >> (64 - bits));
  }
  return numbers;
}

template <typename T>
std::vector<T> Decoded(const std::string& column) {
  std::vector<T> numbers(CountVarints(column));
  numbers.resize(DecodeVarints(column, numbers.data()));
  return numbers;
}

// Of every size around the one from which several places are decoded at a time.
TEST(VarintsTest, AColumnGivesItsNumbers) {
  std::mt19937_64 random(1);
  for (size_t count = 0; count < 300; ++count) {
    const std::vector<uint64_t> numbers = Numbers(random, count, 64);
    const std::string column = Column(numbers);
    EXPECT_EQ(CountVarints(column), count);
    EXPECT_EQ(Decoded<uint64_t>(column), numbers);
    const std::vector<uint64_t> small = Numbers(random, count, 32);
    EXPECT_EQ(Decoded<uint32_t>(Column(small)),
              std::vector<uint32_t>(small.begin(), small.end()));
  }
}

// Wherever it stands, what is before it is decoded and what is behind it not.
TEST(VarintsTest, DecodingEndsBeforeTheFirstThatIsNone) {
  const std::string over_64_bits = std::string(9, '\xff') + "\2";
  const std::string of_11_bytes = std::string(10, '\xff') + "\1";
  std::mt19937_64 random(2);
  for (const size_t count : {5, 60, 200}) {
    const std::vector<uint64_t> numbers = Numbers(random, count, 40);
    for (size_t bad = 0; bad <= count; ++bad) {
      const std::vector<uint64_t> before(numbers.begin(),
                                         numbers.begin() + bad);
      const std::vector<uint64_t> after(numbers.begin() + bad, numbers.end());
      for (const std::string& none : {over_64_bits, of_11_bytes}) {
        EXPECT_EQ(Decoded<uint64_t>(Column(before) + none + Column(after)),
                  before);
      }
    }
  }
}

TEST(VarintsTest, ANumberOver32BitsIsNone) {
  std::mt19937_64 random(3);
  const std::vector<uint64_t> numbers = Numbers(random, 150, 32);
  for (size_t bad = 0; bad <= numbers.size(); ++bad) {
    std::vector<uint64_t> with = numbers;
    with.insert(with.begin() + bad,
                uint64_t{std::numeric_limits<uint32_t>::max()} + 1);
    EXPECT_EQ(Decoded<uint32_t>(Column(with)).size(), bad);
    with[bad] -= 1;
    EXPECT_EQ(Decoded<uint32_t>(Column(with)).size(), with.size());
  }
}

TEST(VarintsTest, WhatIsCutOffIsNotCounted) {
  std::mt19937_64 random(4);
  const std::vector<uint64_t> numbers = Numbers(random, 120, 64);
  const std::string column = Column(numbers);
  size_t whole = 0;
  for (size_t size = 0; size < column.size(); ++size) {
    const std::string cut = column.substr(0, size);
    if (size > 0 && static_cast<uint8_t>(cut.back()) < 0x80) ++whole;
    EXPECT_EQ(CountVarints(cut), whole);
    EXPECT_EQ(Decoded<uint64_t>(cut).size(), whole) << size;
  }
}

// Longer ones than need be are numbers as well, up to ten bytes.
TEST(VarintsTest, PaddedOnesAreTheSame) {
  std::string column;
  for (int i = 0; i < 100; ++i) column += std::string("\x85\x80\x00", 3) + "\7";
  const std::vector<uint64_t> numbers = Decoded<uint64_t>(column);
  ASSERT_EQ(numbers.size(), 200u);
  for (size_t i = 0; i < 200; ++i) EXPECT_EQ(numbers[i], i % 2 == 0 ? 5 : 7);
}

}  // namespace
}  // namespace decoding
}  // namespace opcompat
