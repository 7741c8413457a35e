#include "compat_matrix/oracle/values.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "schema/text/literal_parser.h"
#include "schema/text/type_parser.h"

namespace opcompat {
namespace oracle {
namespace {

Type ParsedType(const std::string& text) {
  const absl::StatusOr<Type> type = ParseType(text);
  EXPECT_TRUE(type.ok()) << text << ": " << type.status();
  return type.ok() ? *type : Type();
}

Constant Parsed(const std::string& type, const std::string& literal) {
  Constant constant{ParsedType(type), Value()};
  const absl::StatusOr<Value> value = ParseLiteralAt(literal, constant.type);
  EXPECT_TRUE(value.ok()) << type << " " << literal << ": " << value.status();
  if (value.ok()) constant.value = *value;
  return constant;
}

struct Relation {
  const char* from;
  const char* value;
  const char* to;
  const char* related;  // null: does not fit
};

// Each row is checked in both directions: the relation is symmetric.
TEST(OracleValuesTest, RelatedIsSymmetricAndExact) {
  const Relation kRelations[] = {
      {"int", "1", "float", "1.0"},
      {"int", "0", "float", "0.0"},
      {"int", "9007199254740993", "float", nullptr},
      {"int", "9223372036854775807", "float", nullptr},
      {"int", "-9223372036854775808", "float", "-9223372036854775808.0"},
      {"float", "-0.0", "int", nullptr},
      {"float", "1.5", "int", nullptr},
      {"float", "nan", "int", nullptr},
      {"float", "inf", "int", nullptr},
      {"float", "1e300", "int", nullptr},
      {"float", "9223372036854775808.0", "int", nullptr},
      {"int", "1", "Scalar", "1"},
      {"float", "1.0", "Scalar", "1.0"},
      {"float", "-0.0", "Scalar", "-0.0"},
      {"Scalar", "1", "float", nullptr},
      {"Scalar", "1.0", "int", nullptr},
      {"int", "1", "bool", nullptr},
      {"bool", "True", "int", nullptr},
      {"bool", "True", "Scalar", nullptr},
      {"int", "4", "SymInt", "4"},
      {"int", "6", "ScalarType", "float32"},
      {"int?", "4", "ScalarType?", "long"},
      {"int", "1", "int?", "1"},
      {"int?", "None", "int", nullptr},
      {"int?", "None", "float?", "None"},
      {"Tensor?", "None", "Tensor", nullptr},
      {"int", "3", "int[2]", "[3, 3]"},
      {"int", "3", "int[]", nullptr},
      {"int[2]", "[3, 4]", "int", nullptr},
      {"int[2]", "[3]", "int", nullptr},
      {"int[2]", "[3, 3]", "int[]", "[3, 3]"},
      {"int[2]", "[]", "int[3]", "[]"},
      {"int[]", "[1, 2]", "float[]", "[1.0, 2.0]"},
      {"int[]", "[1, 9007199254740993]", "float[]", nullptr},
      {"int[]?", "None", "int[]", nullptr},
      {"int?[]", "[1, None]", "int[]", nullptr},
      {"(int, str)", "(1, \"a\")", "(float, str)", "(1.0, \"a\")"},
      {"(int, int)", "(1, 2)", "(int, int, int)", nullptr},
      {"Dict(str, int)", "{\"a\": 1}", "Dict(str, float)", "{\"a\": 1.0}"},
      {"str", "\"cpu\"", "Device", nullptr},
      {"str", "\"1\"", "int", nullptr},
  };
  for (const Relation& relation : kRelations) {
    SCOPED_TRACE(testing::Message() << relation.from << " " << relation.value
                                    << " at " << relation.to);
    const Constant from = Parsed(relation.from, relation.value);
    const absl::optional<Value> related =
        RelatedValue(from, ParsedType(relation.to));
    ASSERT_EQ(related.has_value(), relation.related != nullptr);
    if (!related.has_value()) continue;
    const Constant to = Parsed(relation.to, relation.related);
    EXPECT_EQ(*related, to.value);
    const absl::optional<Value> back = RelatedValue(to, from.type);
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(*back, from.value);
    EXPECT_TRUE(SameValue(from, to, {}));
    EXPECT_TRUE(SameValue(to, from, {}));
  }
}

TEST(OracleValuesTest, BitsDecide) {
  const char* const kDifferent[][3] = {
      {"float", "0.0", "-0.0"},   {"float", "nan", "nan(0x7ff8000000000001)"},
      {"Scalar", "1", "1.0"},     {"int[]", "[1, 2]", "[2, 1]"},
      {"int[]", "[1]", "[1, 1]"}, {"str", "\"a\"", "\"A\""},
      {"int?", "None", "0"},
  };
  for (const auto& row : kDifferent) {
    const Constant a = Parsed(row[0], row[1]);
    const Constant b = Parsed(row[0], row[2]);
    EXPECT_TRUE(SameValue(a, a, {})) << row[1];
    EXPECT_FALSE(SameValue(a, b, {})) << row[1] << " " << row[2];
    EXPECT_FALSE(SameValue(b, a, {})) << row[1] << " " << row[2];
  }
}

EqualValues Equal(const std::string& type, const std::string& value,
                  const std::string& means) {
  const Constant a = Parsed(type, value);
  const Constant b = Parsed(type, means);
  return {{a.type, a.value}, {b.type, b.value}};
}

TEST(OracleValuesTest, EqualValuesReplaceBeforeComparing) {
  const std::vector<EqualValues> equals = {Equal("int?", "None", "0")};
  const Constant none = Parsed("int?", "None");
  const Constant zero = Parsed("int", "0");
  EXPECT_TRUE(SameValue(none, zero, equals));
  EXPECT_TRUE(SameValue(zero, none, equals));
  EXPECT_FALSE(SameValue(none, Parsed("int", "1"), equals));
  EXPECT_FALSE(SameValue(none, zero, {}));
}

TEST(OracleValuesTest, AValueThatFitsStaysAsItIs) {
  const std::vector<EqualValues> equals = {Equal("int?", "None", "0")};
  EXPECT_EQ(FittedValue(Parsed("int?", "None"), ParsedType("int?"), equals),
            Value::None());
  EXPECT_EQ(FittedValue(Parsed("int?", "None"), ParsedType("int"), equals),
            Value::Int(0));
  EXPECT_EQ(FittedValue(Parsed("int?", "None"), ParsedType("int"), {}),
            absl::nullopt);
}

// A declaration that leads back to itself must not hang.
TEST(OracleValuesTest, EqualValuesInACircleEnd) {
  const std::vector<EqualValues> equals = {Equal("int", "1", "2"),
                                           Equal("int", "2", "1")};
  EXPECT_FALSE(SameValue(Parsed("int", "1"), Parsed("int", "3"), equals));
  EXPECT_EQ(FittedValue(Parsed("int", "1"), ParsedType("str"), equals),
            absl::nullopt);
}

// Equal to its own bytes, but nothing can be said of it elsewhere.
TEST(OracleValuesTest, WhatCannotBeDecodedNeverFits) {
  const Constant word{Type(TypeKind::kLayout), Value::Word("of_tomorrow")};
  EXPECT_TRUE(SameValue(word, word, {}));
  EXPECT_EQ(RelatedValue(word, word.type), absl::nullopt);
  const Constant opaque{Type::Named("OfTomorrow"), Value::Int(1)};
  EXPECT_TRUE(SameValue(opaque, opaque, {}));
  EXPECT_EQ(RelatedValue(opaque, opaque.type), absl::nullopt);
}

TEST(OracleValuesTest, NoneAtAListOfOptionalsIsItself) {
  const Constant none{ParsedType("Tensor?[]"), Value::None()};
  EXPECT_EQ(RelatedValue(none, none.type), none.value);
  EXPECT_EQ(RelatedValue(none, ParsedType("Tensor[]")), absl::nullopt);
}

}  // namespace
}  // namespace oracle
}  // namespace opcompat
