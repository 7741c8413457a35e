#include "schema/text/literal_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "schema/text/schema_generator.h"
#include "schema/text/type_parser.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

absl::StatusOr<Value> Parse(absl::string_view text) {
  Scanner scanner(text);
  absl::StatusOr<Value> value = ParseLiteral(scanner);
  if (value.ok() && !scanner.AtEnd()) return scanner.Expected("the end");
  return value;
}

TEST(LiteralParserTest, EachSpellingIsReadAsItsValue) {
  struct Case {
    absl::string_view text;
    Value value;
  };
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Case cases[] = {
      {"None", Value::None()},
      {"True", Value::Bool(true)},
      {"False", Value::Bool(false)},
      {"0", Value::Int(0)},
      {"-12", Value::Int(-12)},
      {"9223372036854775807", Value::Int(INT64_MAX)},
      {"-9223372036854775808", Value::Int(INT64_MIN)},
      {"1.", Value::Float(1.0)},
      {".5", Value::Float(0.5)},
      {"-0.", Value::Float(-0.0)},
      {"0e5", Value::Float(0.0)},
      {"1e-05", Value::Float(1e-5)},
      {"9.9999999999999995e-07", Value::Float(1e-6)},
      {"5e-324", Value::FloatBits(1)},
      {"1.7976931348623157e+308",
       Value::Float(std::numeric_limits<double>::max())},
      {"inf", Value::Float(kInf)},
      {"-inf", Value::Float(-kInf)},
      {"nan", Value::FloatBits(0x7ff8000000000000)},
      {"-nan", Value::FloatBits(0xfff8000000000000)},
      {"nan(0x7ff8000000000000)", Value::FloatBits(0x7ff8000000000000)},
      {"nan(0x7ff0000000000001)", Value::FloatBits(0x7ff0000000000001)},
      {"1+2j", Value::Complex(1, 2)},
      {"1.0-2.0j", Value::Complex(1, -2)},
      {"0.+2.j", Value::Complex(0, 2)},
      {"2j", Value::Complex(0, 2)},
      {"-inf-infj", Value::Complex(-kInf, -kInf)},
      {"\"a\\n\"", Value::String("a\n")},
      {"'\"'", Value::String("\"")},
      {"\"\\303\\251\"", Value::String("\xc3\xa9")},
      {"long", Value::Word("long")},
      {"info", Value::Word("info")},
      {"tensor", Value::Word("tensor")},
      {"[]", Value::List({})},
      {"[1, [2.]]",
       Value::List({Value::Int(1), Value::List({Value::Float(2)})})},
      {"()", Value::Tuple({})},
      {"(1,)", Value::Tuple({Value::Int(1)})},
      {"(1, \"a\")", Value::Tuple({Value::Int(1), Value::String("a")})},
      {"{}", Value::Dict({})},
      {"{\"k\": 1, 2: None}", Value::Dict({Value::String("k"), Value::Int(1),
                                           Value::Int(2), Value::None()})},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(Parse(c.text), IsOkAndHolds(c.value)) << c.text;
  }
}

TEST(LiteralParserTest, PrintAndParseIsTheIdentityOnGeneratedLiterals) {
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    SchemaGenerator generator(seed);
    const Value value = generator.NextLiteral(5);
    EXPECT_THAT(Parse(value.ToString()), IsOkAndHolds(value))
        << value.ToString();
  }
}

TEST(LiteralParserTest, EveryFloatReadsBackBitForBit) {
  SchemaGenerator generator(1);
  for (int i = 0; i < 20000; ++i) {
    const Value value = Value::Float(generator.NextFloat());
    EXPECT_THAT(Parse(value.ToString()), IsOkAndHolds(value));
  }
}

TEST(LiteralParserTest, EveryByteOfAStringReadsBack) {
  for (int a = 0; a < 256; ++a) {
    for (const char b : {'\0', '0', '"', '\\', 'n', '\x80', '\xa9', '\xff'}) {
      const std::string text = {static_cast<char>(a), b};
      const Value value = Value::String(text);
      EXPECT_THAT(Parse(value.ToString()), IsOkAndHolds(value));
    }
  }
}

TEST(LiteralParserTest, TensorsCarryDtypeShapeAndBytes) {
  const absl::string_view text =
      "tensor(float32, [2, 1], hex\"0000803f00000000\")";
  const absl::StatusOr<Value> value = Parse(text);
  ASSERT_THAT(value, IsOk());
  ASSERT_EQ(value->kind(), ValueKind::kTensor);
  EXPECT_EQ(value->tensor().dtype, "float32");
  EXPECT_EQ(value->tensor().shape, std::vector<int64_t>({2, 1}));
  EXPECT_EQ(value->tensor().bytes,
            absl::string_view("\0\0\x80\x3f\0\0\0\0", 8));
  EXPECT_EQ(value->ToString(), text);
  for (absl::string_view other :
       {"tensor(int64, [], hex\"0000000000000000\")",
        "tensor(bool, [0, 9223372036854775807, 9223372036854775807], hex\"\")",
        "tensor(complex128, [1], hex\"00000000000000000000000000000000\")"}) {
    const absl::StatusOr<Value> parsed = Parse(other);
    ASSERT_THAT(parsed, IsOk()) << other;
    EXPECT_EQ(parsed->ToString(), other);
  }
}

TEST(LiteralParserTest, MalformedLiteralsAreRefusedWithPlaceFoundAndExpected) {
  struct Case {
    absl::string_view text;
    absl::string_view message;
  };
  const Case cases[] = {
      {"", "1:1: expected a literal, found the end"},
      {")", "1:1: expected a literal, found ')'"},
      {"%x", "1:1: expected a literal, found '%x'"},
      {"0x10", "1:1: '0x10' is not a number: ints are decimal"},
      {"1_000", "1:1: '1_000' is not a number"},
      {"007", "1:1: '007' has needless zeros"},
      {"-01", "1:1: '-01' has needless zeros"},
      {"-0", "1:1: '-0' is no int of its own"},
      {"+1", "1:1: expected a literal, found '+'"},
      {"9223372036854775808", "1:1: '9223372036854775808' is beyond int64"},
      {"-9223372036854775809", "1:1: '-9223372036854775809' is beyond int64"},
      {"1e999", "1:1: '1e999' is out of range for a float"},
      {"-1e999", "1:1: '-1e999' is out of range for a float"},
      {"1e-999", "1:1: '1e-999' is out of range for a float"},
      {"1e", "1:1: '1e' is not a number"},
      {"1.5x", "1:1: '1.5x' is not a number"},
      {"1+2", "1:2: expected the end, found '+'"},
      {"1+2k", "1:2: expected the end, found '+'"},
      {"nan(0x3ff0000000000000)",
       "1:1: 'nan(0x3ff0000000000000)' has the bits"},
      {"nan(0x7ff0000000000000)",
       "1:1: 'nan(0x7ff0000000000000)' has the bits"},
      {"nan(0x)", "1:1: 'nan(0x)' is not nan(0x...)"},
      {"nan(0x7ff80000000000001)", "1:1: 'nan(0x7ff80000000000001)' is not"},
      {"-nan(0x7ff8000000000000)",
       "1:1: '-nan(0x7ff8000000000000)' has a sign"},
      {"nan(1)", "1:4: expected the end, found '('"},
      {"\"abc", "1:1: expected a literal, found a string that does not end"},
      {"\"a\nb\"", "1:1: expected a literal, found a string that does not end"},
      {"\"\\q\"", "1:1: unknown escape \\q"},
      {"[1", "1:3: expected ',' or ']', found the end"},
      {"[1 2]", "1:4: expected ',' or ']', found '2'"},
      {"[1,]", "1:4: expected a literal, found ']'"},
      {"[,]", "1:2: expected a literal, found ','"},
      {"(1)", "1:1: a tuple of one is written `(a,)`"},
      {"(1, 2,)", "1:7: expected a literal, found ')'"},
      {"{1}", "1:3: expected ':', found '}'"},
      {"{1: 2,}", "1:7: expected a literal, found '}'"},
      {"{1: 2, 1: 3}", "1:8: the key 1 is repeated"},
      {"{1: 2 3: 4}", "1:7: expected ',' or '}', found '3'"},
      {"tensor(quaternion, [1], hex\"00\")", "1:8: expected the dtype"},
      {"tensor(bool, [-1], hex\"00\")", "1:15: expected a size"},
      {"tensor(bool, [1,], hex\"00\")", "1:17: expected a size"},
      {"tensor(bool, [1], \"00\")", "1:19: expected the bytes"},
      {"tensor(bool, [1], hex \"00\")", "1:19: expected the bytes"},
      {"tensor(bool, [1], hex\"0g\")", "1:24: expected a hexadecimal digit"},
      {"tensor(bool, [1], hex\"0\")", "1:19: expected 1 bytes"},
      {"tensor(bool, [2], hex\"00\")", "1:19: expected 2 bytes"},
      {"tensor(int8, [9223372036854775807, 9], hex\"00\")",
       "1:40: expected many more bytes"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(Parse(c.text),
                StatusIs(kInvalid, StartsWith(std::string(c.message))))
        << c.text;
  }
}

TEST(LiteralParserTest, NestingIsBoundedHoweverItIsSpelled) {
  const auto nested = [](size_t n) {
    return absl::StrCat(std::string(n, '['), std::string(n, ']'));
  };
  EXPECT_THAT(Parse(nested(kMaxValueDepth)), IsOk());
  EXPECT_THAT(Parse(nested(kMaxValueDepth + 1)),
              StatusIs(kInvalid, HasSubstr("nested deeper than 64")));
  std::string dicts;
  for (int i = 0; i < 1000000; ++i) dicts += "{1:";
  for (const std::string& text :
       {nested(1000000), std::string(1000000, '('), dicts}) {
    EXPECT_THAT(Parse(text),
                StatusIs(kInvalid, HasSubstr("nested deeper than 64")));
  }
}

TEST(LiteralParserTest, ALiteralAtATypeTakesTheTypesForm) {
  struct Case {
    absl::string_view text;
    absl::string_view type;
    absl::string_view value;
  };
  const Case cases[] = {
      {"1", "float", "1.0"},
      {"1", "Scalar", "1"},
      {"1", "int[2]", "[1, 1]"},
      {"long", "ScalarType", "4"},
      {"long", "ScalarType?", "4"},
      {"strided", "Layout", "0"},
      {"contiguous_format", "MemoryFormat", "0"},
      {"Mean", "Reduction", "1"},
      {"None", "Tensor?", "None"},
      {"[None]", "Tensor?[]", "[None]"},
  };
  for (const Case& c : cases) {
    const absl::StatusOr<Type> type = ParseType(c.type);
    ASSERT_THAT(type, IsOk());
    const absl::StatusOr<Value> value = ParseLiteralAt(c.text, *type);
    ASSERT_THAT(value, IsOk()) << c.text << " at " << c.type;
    EXPECT_EQ(value->ToString(), c.value);
  }
  EXPECT_THAT(ParseLiteralAt(" 1.5", Type(TypeKind::kInt)),
              StatusIs(kInvalid, "1:2: expected int, found 1.5"));
  EXPECT_THAT(ParseLiteralAt("1 2", Type(TypeKind::kInt)),
              StatusIs(kInvalid,
                       "1:3: expected the end of the literal, found "
                       "'2'"));
}

}  // namespace
}  // namespace opcompat
