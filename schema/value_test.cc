#include "schema/value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "schema/random_types.h"

namespace opcompat {
namespace {

using ::testing::EndsWith;
using ::testing::SizeIs;

Value NanWithPayload() { return Value::FloatBits(0x7ff8000000000001); }

TEST(ValueTest, PrintsTheLiteralOfTheModuleText) {
  const std::pair<Value, absl::string_view> kCases[] = {
      {Value::None(), "None"},
      {Value::Bool(true), "True"},
      {Value::Bool(false), "False"},
      {Value::Int(0), "0"},
      {Value::Int(std::numeric_limits<int64_t>::min()), "-9223372036854775808"},
      {Value::Int(std::numeric_limits<int64_t>::max()), "9223372036854775807"},
      {Value::Float(2), "2.0"},
      {Value::Float(0), "0.0"},
      {Value::Float(-0.0), "-0.0"},
      {Value::Float(0.1), "0.1"},
      {Value::Float(1e-5), "1e-05"},
      {Value::Float(1e22), "1e+22"},
      {Value::Float(1e16), "1e+16"},
      {Value::Float(1e15), "1000000000000000.0"},
      {Value::Float(100000.0), "100000.0"},
      {Value::Float(0.0001), "0.0001"},
      {Value::Float(-0.00025), "-0.00025"},
      {Value::Float(123456789012345680000.0), "1.2345678901234568e+20"},
      {Value::Float(-9223372036854775808.0), "-9.223372036854776e+18"},
      {Value::Float(1.0 / 3), "0.3333333333333333"},
      {Value::Float(5e-324), "5e-324"},
      {Value::Float(HUGE_VAL), "inf"},
      {Value::Float(-HUGE_VAL), "-inf"},
      {Value::FloatBits(0x7ff8000000000000), "nan"},
      {NanWithPayload(), "nan(0x7ff8000000000001)"},
      {Value::FloatBits(0xfff8000000000000), "nan(0xfff8000000000000)"},
      {Value::FloatBits(0x7ff0000000000001), "nan(0x7ff0000000000001)"},
      {Value::Complex(1, 2), "1.0+2.0j"},
      {Value::Complex(-0.0, -2.5), "-0.0-2.5j"},
      {Value::Complex(0, -0.0), "0.0-0.0j"},
      {Value::Complex(HUGE_VAL, -HUGE_VAL), "inf-infj"},
      {Value::String("a\n"), R"("a\n")"},
      {Value::Word("per_channel_affine"), "per_channel_affine"},
      {Value::List({}), "[]"},
      {Value::List({Value::Int(1), Value::Float(1)}), "[1, 1.0]"},
      {Value::Tuple({}), "()"},
      {Value::Tuple({Value::Int(1)}), "(1,)"},
      {Value::Tuple({Value::Int(1), Value::String("a")}), R"((1, "a"))"},
      {Value::Dict({}), "{}"},
      {Value::Dict({Value::String("k"), Value::Int(1), Value::String("l"),
                    Value::List({Value::None()})}),
       R"({"k": 1, "l": [None]})"},
      {Value::Tensor({"float32",
                      {2, 1},
                      absl::string_view("\0\0\x80?\0\0\0\0", 8),
                      nullptr}),
       R"(tensor(float32, [2, 1], hex"0000803f00000000"))"},
      {Value::Tensor({"bool", {}, absl::string_view("\1", 1), nullptr}),
       R"(tensor(bool, [], hex"01"))"},
  };
  for (const auto& [value, text] : kCases) EXPECT_EQ(value.ToString(), text);
}

TEST(ValueTest, FloatsReadBackAsTheSameBits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t bits = random();
    double d;
    std::memcpy(&d, &bits, sizeof d);
    if (std::isnan(d)) continue;
    const std::string text = FloatToString(d);
    const double back = std::strtod(text.c_str(), nullptr);
    EXPECT_EQ(Value::Float(back), Value::FloatBits(bits)) << text;
    EXPECT_NE(text.find_first_of(".ein"), std::string::npos) << text;
  }
}

TEST(ValueTest, QuotesWhatIsNotPlainText) {
  const std::pair<absl::string_view, absl::string_view> kCases[] = {
      {"", R"("")"},
      {R"(a"b\c')", R"("a\"b\\c'")"},
      {"\n\t\r", R"("\n\t\r")"},
      {absl::string_view("\0\x1f\x7f", 3), R"("\x00\x1f\x7f")"},
      {"\f\v", R"("\x0c\x0b")"},
      // Valid UTF-8 of 2, 3 and 4 bytes, each with its limits.
      {"\u00e9\u20ac\U0001f600", "\"\u00e9\u20ac\U0001f600\""},
      {"\u0080\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff",
       "\"\u0080\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff\""},
      // A lone continuation, a cut sequence, overlong forms, a surrogate,
      // beyond the last code point.
      {"\x80", R"("\x80")"},
      {"a\xe2\x82", R"("a\xe2\x82")"},
      {"\xc3(", R"("\xc3(")"},
      {"\xc0\x80", R"("\xc0\x80")"},
      {"\xe0\x80\x80", R"("\xe0\x80\x80")"},
      {"\xf0\x80\x80\x80", R"("\xf0\x80\x80\x80")"},
      {"\xed\xa0\x80", R"("\xed\xa0\x80")"},
      {"\xf4\x90\x80\x80", R"("\xf4\x90\x80\x80")"},
      {"\xff", R"("\xff")"},
  };
  for (const auto& [bytes, quoted] : kCases) {
    EXPECT_EQ(QuoteString(bytes), quoted);
  }
}

// Values that are all different, though some look much alike.
std::vector<Value> DifferentValues() {
  return {
      Value::None(),
      Value::Bool(false),
      Value::Bool(true),
      Value::Int(0),
      Value::Int(1),
      Value::Float(0.0),
      Value::Float(-0.0),
      Value::Float(1.0),
      Value::FloatBits(0x7ff8000000000000),
      NanWithPayload(),
      Value::Complex(0.0, 0.0),
      Value::Complex(0.0, -0.0),
      Value::Complex(1.0, 0.0),
      Value::String(""),
      Value::String("float"),
      Value::Word("float"),
      Value::List({}),
      Value::Tuple({}),
      Value::Dict({}),
      Value::List({Value::Int(1)}),
      Value::List({Value::Bool(true)}),
      Value::List({Value::Float(0.0)}),
      Value::List({Value::Float(-0.0)}),
      Value::Tuple({Value::Int(1)}),
      Value::List({Value::List({})}),
      Value::List({Value::List({}), Value::List({})}),
      Value::Dict({Value::Int(1), Value::Int(2)}),
      Value::List({Value::Int(1), Value::Int(2)}),
      Value::Tensor({"int8", {2}, "ab", nullptr}),
      Value::Tensor({"int8", {2}, "ac", nullptr}),
      Value::Tensor({"uint8", {2}, "ab", nullptr}),
      Value::Tensor({"int8", {1, 2}, "ab", nullptr}),
  };
}

TEST(ValueTest, AValueEqualsItselfMadeAgainAndNoOther) {
  const std::vector<Value> values = DifferentValues();
  const std::vector<Value> again = DifferentValues();
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = 0; j < values.size(); ++j) {
      EXPECT_EQ(values[i] == again[j], i == j)
          << values[i].ToString() << " and " << again[j].ToString();
      EXPECT_EQ(values[i] != again[j], i != j);
    }
    EXPECT_EQ(absl::HashOf(values[i]), absl::HashOf(again[i]));
  }
}

TEST(ValueTest, ATensorIsItsBytesWhereverTheyLive) {
  const auto owned = std::make_shared<const std::string>("ab");
  const Value a = Value::Tensor({"int8", {2}, *owned, owned});
  const Value b = Value::Tensor({"int8", {2}, "ab", nullptr});
  EXPECT_EQ(a, b);
  EXPECT_EQ(absl::HashOf(a), absl::HashOf(b));
  EXPECT_EQ(owned.use_count(), 2);
}

TEST(ValueTest, CountsLevelsAndParts) {
  EXPECT_EQ(Value::Int(1).depth(), 1);
  EXPECT_EQ(Value::Int(1).num_parts(), 1);
  const Value value = Value::List({Value::Int(1), Value::Tuple({Value()})});
  EXPECT_EQ(value.depth(), 3);
  EXPECT_EQ(value.num_parts(), 4);
  EXPECT_TRUE(IsWithinValueLimits(value));
}

// 64 levels with two shared children each: 2^64 parts in a few bytes.
Value HugeByShared() {
  Value value;
  for (int i = 1; i < kMaxValueDepth; ++i) value = Value::List({value, value});
  return value;
}

TEST(ValueTest, SharedPartsDoNotHideHowLargeAValueIs) {
  EXPECT_EQ(HugeByShared().depth(), kMaxValueDepth);
  EXPECT_FALSE(IsWithinValueLimits(HugeByShared()));
}

TEST(ValueTest, AShortStringIsShortAndCheapWhateverTheValue) {
  EXPECT_EQ(Value::Int(12).ToShortString(), "12");
  EXPECT_EQ(Value::String("abc").ToShortString(5), R"("abc")");
  EXPECT_EQ(Value::String("abcd").ToShortString(5), R"("abcd...)");
  const Value large[] = {
      HugeByShared(),
      Value::String(std::string(1000, 'x')),
      Value::List(std::vector<Value>(1000, Value::Int(7))),
      Value::Dict(std::vector<Value>(1000, Value::Int(7))),
      Value::List({Value::Tensor(
          {"int8", {100, 100, 100, 100}, std::string(1000, 'x'), nullptr})}),
  };
  for (const Value& value : large) {
    const std::string text = value.ToShortString(20);
    EXPECT_THAT(text, SizeIs(23));
    EXPECT_THAT(text, EndsWith("..."));
  }
}

TEST(ValueTest, AShortStringCutsNoCharacterInTwo) {
  // A quote, then characters of three bytes.
  const Value value = Value::String("\u20ac\u20ac\u20ac\u20ac");
  EXPECT_EQ(value.ToShortString(7), "\"\u20ac\u20ac...");
  EXPECT_EQ(value.ToShortString(8), "\"\u20ac\u20ac...");
  EXPECT_EQ(value.ToShortString(9), "\"\u20ac\u20ac...");
  EXPECT_EQ(value.ToShortString(10), "\"\u20ac\u20ac\u20ac...");
}

TEST(ValueTest, TensorsAreShortWithoutTheirBytes) {
  EXPECT_EQ(Value::Tensor({"int8", {2}, "ab", nullptr}).ToShortString(),
            "tensor(int8, [2], 2 bytes)");
}

TEST(ValueTest, ValuesThatPrintAlikeAreEqual) {
  RandomTypes random(2);
  std::vector<Value> values;
  for (int i = 0; i < 400; ++i) values.push_back(random.NextLiteral(3));
  for (const Value& a : values) {
    for (const Value& b : values) {
      EXPECT_EQ(a == b, a.ToString() == b.ToString()) << a.ToString();
    }
  }
}

}  // namespace
}  // namespace opcompat
