#include "binding/value_relation.h"

#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

const Type kInt(TypeKind::kInt);
const Type kFloat(TypeKind::kFloat);
const Type kBool(TypeKind::kBool);
const Type kScalar(TypeKind::kScalar);
const Type kSymInt(TypeKind::kSymInt);
const Type kScalarType(TypeKind::kScalarType);
const Type kLayout(TypeKind::kLayout);
const Type kString(TypeKind::kString);

Type Opt(const Type& type) { return Type::Optional(type); }
Value Ints(std::vector<int64_t> ints) {
  std::vector<Value> elements;
  for (const int64_t i : ints) elements.push_back(Value::Int(i));
  return Value::List(elements);
}

struct FitCase {
  std::string name;
  Value value;
  Type from;
  Type to;
  absl::optional<Value> fitted;
};

TEST(ValueRelation, AValueFitsIffExactlyOneIsRelated) {
  constexpr int64_t kBig = 9007199254740993;  // no double is equal to it
  const FitCase cases[] = {
      {"the same type", Value::Int(1), kInt, kInt, Value::Int(1)},
      {"int at float", Value::Int(2), kInt, kFloat, Value::Float(2.0)},
      {"an int that no float has", Value::Int(kBig), kInt, kFloat,
       absl::nullopt},
      {"the greatest int at float",
       Value::Int(std::numeric_limits<int64_t>::max()), kInt, kFloat,
       absl::nullopt},
      {"the least int at float",
       Value::Int(std::numeric_limits<int64_t>::min()), kInt, kFloat,
       Value::Float(-9223372036854775808.0)},
      {"a whole float at int", Value::Float(2.0), kFloat, kInt, Value::Int(2)},
      {"a broken float at int", Value::Float(2.5), kFloat, kInt, absl::nullopt},
      {"-0.0 at int", Value::Float(-0.0), kFloat, kInt, absl::nullopt},
      {"nan at int", Value::Float(std::numeric_limits<double>::quiet_NaN()),
       kFloat, kInt, absl::nullopt},
      {"inf at int", Value::Float(std::numeric_limits<double>::infinity()),
       kFloat, kInt, absl::nullopt},
      {"2^63 at int", Value::Float(9223372036854775808.0), kFloat, kInt,
       absl::nullopt},
      {"int at Scalar", Value::Int(1), kInt, kScalar, Value::Int(1)},
      {"float at Scalar", Value::Float(1.0), kFloat, kScalar,
       Value::Float(1.0)},
      {"an int in a Scalar, at int", Value::Int(1), kScalar, kInt,
       Value::Int(1)},
      {"an int in a Scalar, at float", Value::Int(1), kScalar, kFloat,
       absl::nullopt},
      {"a float in a Scalar, at int", Value::Float(1.0), kScalar, kInt,
       absl::nullopt},
      {"bool at int", Value::Bool(true), kBool, kInt, absl::nullopt},
      {"int at bool", Value::Int(1), kInt, kBool, absl::nullopt},
      {"int at SymInt", Value::Int(3), kInt, kSymInt, Value::Int(3)},
      {"int at an enum", Value::Int(4), kInt, kScalarType, Value::Int(4)},
      {"an enum at int", Value::Int(4), kScalarType, kInt, Value::Int(4)},
      {"an enum at another", Value::Int(1), kScalarType, kLayout,
       absl::nullopt},
      {"T at T?", Value::Int(1), kInt, Opt(kInt), Value::Int(1)},
      {"T? at T", Value::Int(1), Opt(kInt), kInt, Value::Int(1)},
      {"None at T", Value::None(), Opt(kInt), kInt, absl::nullopt},
      {"None at another T?", Value::None(), Opt(kInt), Opt(kString),
       Value::None()},
      {"int? at ScalarType?", Value::Int(6), Opt(kInt), Opt(kScalarType),
       Value::Int(6)},
      {"a lone n at T[2]", Value::Int(3), kInt, Type::List(kInt, 2),
       Ints({3, 3})},
      {"a lone n at T[]", Value::Int(3), kInt, Type::List(kInt), absl::nullopt},
      {"copies at T", Ints({3, 3}), Type::List(kInt, 2), kInt, Value::Int(3)},
      {"different elements at T", Ints({3, 4}), Type::List(kInt, 2), kInt,
       absl::nullopt},
      {"another number of copies at T", Ints({3, 3, 3}), Type::List(kInt, 2),
       kInt, absl::nullopt},
      {"T[2] at T[]", Ints({1, 2, 3}), Type::List(kInt, 2), Type::List(kInt),
       Ints({1, 2, 3})},
      {"lists by element", Ints({1, 2}), Type::List(kInt), Type::List(kFloat),
       Value::List({Value::Float(1.0), Value::Float(2.0)})},
      {"one element does not fit", Ints({1, kBig}), Type::List(kInt),
       Type::List(kFloat), absl::nullopt},
      {"an opaque word at its own type", Value::Word("new_format"), kScalarType,
       kScalarType, absl::nullopt},
      {"a constant of an unknown type at that type", Value::Int(1),
       Type::Named("Kind"), Type::Named("Kind"), absl::nullopt},
      {"None at an unknown type?", Value::None(), Opt(Type::Named("Kind")),
       Opt(Type::Named("Kind")), Value::None()},
      {"str at int", Value::String("1"), kString, kInt, absl::nullopt},
  };
  for (const FitCase& c : cases) {
    EXPECT_EQ(FitValue(c.value, c.from, c.to), c.fitted) << c.name;
  }
}

// Values of a small universe at each of a set of types.
std::vector<TypedValue> Universe(const std::vector<Type>& types) {
  std::vector<Value> literals = {
      Value::None(),
      Value::Bool(false),
      Value::Bool(true),
      Value::Int(0),
      Value::Int(1),
      Value::Int(9007199254740993),
      Value::Float(0.0),
      Value::Float(-0.0),
      Value::Float(1.0),
      Value::Float(0.5),
      Ints({}),
      Ints({0}),
      Ints({1, 1}),
      Ints({0, 1}),
      Value::List({Value::Float(1.0), Value::Float(1.0)})};
  std::vector<TypedValue> universe;
  for (const Type& type : types) {
    for (const Value& literal : literals) {
      // Those that are values of the type as they stand.
      if (FitValue(literal, type, type).has_value()) {
        const bool none = literal.is_none();
        const Type& inner =
            type.kind() == TypeKind::kOptional ? type.child() : type;
        const bool fits =
            none ? type.kind() == TypeKind::kOptional
            : inner.kind() == TypeKind::kList
                ? literal.kind() == ValueKind::kList &&
                      (literal.elements().empty() ||
                       (literal.elements()[0].kind() == ValueKind::kInt) ==
                           (inner.child().kind() == TypeKind::kInt))
            : inner.kind() == TypeKind::kInt ? literal.kind() == ValueKind::kInt
            : inner.kind() == TypeKind::kFloat
                ? literal.kind() == ValueKind::kFloat
                : literal.kind() == ValueKind::kInt ||
                      literal.kind() == ValueKind::kFloat;
        if (fits) universe.push_back({type, literal});
      }
    }
  }
  return universe;
}

TEST(ValueRelation, CopiesAndSharedPartsAreBounded) {
  const Type ints = Type::List(Type(TypeKind::kInt), int64_t{1} << 40);
  EXPECT_EQ(FitValue(Value::Int(1), Type(TypeKind::kInt), ints), absl::nullopt);
  // A list that doubles: a million parts, of which twenty are made.
  Value list = Value::Int(1);
  Type from(TypeKind::kInt);
  Type to(TypeKind::kFloat);
  for (int i = 0; i < 20; ++i) {
    list = Value::List({list, list});
    from = Type::List(from);
    to = Type::List(to, 2);
  }
  const absl::optional<Value> fitted = FitValue(list, from, to);
  ASSERT_TRUE(fitted.has_value());
  EXPECT_EQ(fitted->num_parts(), list.num_parts());
  EXPECT_EQ(fitted->elements()[0].elements().data(),
            fitted->elements()[1].elements().data());
}

TEST(ValueRelation, EqualityIsAnEquivalenceWhereTypesComeFromTwoClasses) {
  const std::vector<std::vector<Type>> families = {
      {kInt, Opt(kInt), kScalar, Opt(kScalar)},
      {kFloat, Opt(kFloat), kScalar, Opt(kScalar)},
      {kInt, Opt(kInt), kFloat, Opt(kFloat)},
      {kInt, Opt(kInt), Type::List(kInt, 2), Opt(Type::List(kInt, 2))},
      {Type::List(kInt), Type::List(kInt, 2), Type::List(kInt, 3),
       Type::List(kFloat)},
  };
  const ValueRelation relation;
  for (const std::vector<Type>& family : families) {
    const std::vector<TypedValue> all = Universe(family);
    ASSERT_GT(all.size(), 4u);
    for (const TypedValue& a : all) {
      EXPECT_TRUE(relation.Equal(a, a));
      for (const TypedValue& b : all) {
        EXPECT_EQ(relation.Equal(a, b), relation.Equal(b, a))
            << a.type.ToString() << " " << a.value.ToString() << " / "
            << b.type.ToString() << " " << b.value.ToString();
        if (a.type == b.type) {
          EXPECT_EQ(relation.Equal(a, b), a.value == b.value);
        }
        if (!relation.Equal(a, b)) continue;
        for (const TypedValue& c : all) {
          EXPECT_TRUE(!relation.Equal(b, c) || relation.Equal(a, c))
              << a.value.ToString() << " " << b.value.ToString() << " "
              << c.value.ToString();
        }
      }
    }
  }
}

TEST(ValueRelation, WhatFitsIsEqualToWhatItWas) {
  const std::vector<Type> types = {
      kInt,    Opt(kInt),           kFloat,
      kScalar, Type::List(kInt, 2), Type::List(kFloat)};
  const ValueRelation relation;
  for (const TypedValue& a : Universe(types)) {
    for (const Type& to : types) {
      const absl::optional<Value> fitted = FitValue(a.value, a.type, to);
      if (!fitted.has_value()) continue;
      EXPECT_TRUE(relation.Equal(a, {to, *fitted}));
      EXPECT_EQ(FitValue(*fitted, to, a.type), a.value)
          << a.type.ToString() << " -> " << to.ToString();
    }
  }
}

TEST(ValueRelation, AnEqualValueIsReplacedByWhatItMeansBeforeComparing) {
  const std::vector<EqualValues> none_is_0 = {
      {{Opt(kInt), Value::None()}, {Opt(kInt), Value::Int(0)}}};
  const ValueRelation relation(&none_is_0, nullptr);
  const TypedValue none{Opt(kInt), Value::None()};
  EXPECT_TRUE(relation.Equal(none, {kInt, Value::Int(0)}));
  EXPECT_TRUE(relation.Equal({kInt, Value::Int(0)}, none));
  EXPECT_FALSE(relation.Equal(none, {kInt, Value::Int(1)}));
  EXPECT_FALSE(ValueRelation().Equal(none, {kInt, Value::Int(0)}));
  // It stays itself where it fits.
  EXPECT_EQ(relation.Fit(none, Opt(kInt)), Value::None());
  EXPECT_EQ(relation.Fit(none, kInt), Value::Int(0));
  EXPECT_EQ(ValueRelation().Fit(none, kInt), absl::nullopt);
}

TEST(ValueRelation, DeclarationsInACircleEnd) {
  const std::vector<EqualValues> circle = {
      {{kInt, Value::Int(1)}, {kInt, Value::Int(2)}},
      {{kInt, Value::Int(2)}, {kInt, Value::Int(1)}}};
  const ValueRelation relation(&circle, &circle);
  EXPECT_TRUE(relation.Equal({kInt, Value::Int(1)}, {kInt, Value::Int(2)}));
  EXPECT_FALSE(relation.Equal({kInt, Value::Int(1)}, {kInt, Value::Int(3)}));
}

TEST(ValueRelation, OpaqueWordsEqualTheirOwnBytes) {
  const ValueRelation relation;
  const TypedValue word{kScalarType, Value::Word("float4")};
  EXPECT_TRUE(relation.Equal(word, word));
  EXPECT_FALSE(relation.Equal(word, {kScalarType, Value::Word("float2")}));
  EXPECT_FALSE(relation.Equal(word, {kScalarType, Value::Int(6)}));
}

}  // namespace
}  // namespace opcompat
