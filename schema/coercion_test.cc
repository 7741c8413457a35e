// CoerceLiteral and TypeOfLiteral of schema/typing.h.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "schema/random_types.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;

const Type kInt(TypeKind::kInt);
const Type kFloat(TypeKind::kFloat);
const Type kBool(TypeKind::kBool);
const Type kComplex(TypeKind::kComplex);
const Type kString(TypeKind::kString);
const Type kScalar(TypeKind::kScalar);
const Type kScalarType(TypeKind::kScalarType);
const Type kReduction(TypeKind::kReduction);
const Type kTensor(TypeKind::kTensor);
const Type kAny(TypeKind::kAny);
const Type kNone(TypeKind::kNone);
const Type kSymInt(TypeKind::kSymInt);
const Type kSymFloat(TypeKind::kSymFloat);
const Type kSymBool(TypeKind::kSymBool);
const Type kDevice(TypeKind::kDevice);
const Type kQScheme(TypeKind::kQScheme);
const Type kVariable = Type::Variable("t");
const Type kClass = Type::Named("__torch__.Net");

constexpr int64_t kMaxExact = int64_t{1} << 53;

Value Ints(std::vector<int64_t> ints) {
  std::vector<Value> elements;
  for (int64_t i : ints) elements.push_back(Value::Int(i));
  return Value::List(std::move(elements));
}

Value SomeTensor() { return Value::Tensor({"int8", {2}, "ab", nullptr}); }

struct Case {
  Value literal;
  Type type;
  Value coerced;
};

TEST(CoerceLiteralTest, GivesALiteralTheFormOfItsType) {
  const Case kCases[] = {
      {Value::Int(1), kInt, Value::Int(1)},
      {Value::Int(1), kSymInt, Value::Int(1)},
      {Value::Int(1), kFloat, Value::Float(1)},
      {Value::Int(1), kSymFloat, Value::Float(1)},
      {Value::Int(-kMaxExact), kFloat, Value::Float(-9007199254740992.0)},
      {Value::Int(std::numeric_limits<int64_t>::min()), kFloat,
       Value::Float(-9223372036854775808.0)},
      {Value::Float(-0.0), kFloat, Value::Float(-0.0)},
      {Value::Int(1), kComplex, Value::Complex(1, 0)},
      {Value::Float(-0.0), kComplex, Value::Complex(-0.0, 0)},
      {Value::Complex(1, -0.0), kComplex, Value::Complex(1, -0.0)},
      {Value::Bool(true), kBool, Value::Bool(true)},
      {Value::Bool(true), kSymBool, Value::Bool(true)},
      {Value::String("a"), kString, Value::String("a")},
      {Value::String("cpu"), kDevice, Value::String("cpu")},
      {Value::String("N"), Type(TypeKind::kDimname), Value::String("N")},
      {SomeTensor(), kTensor, SomeTensor()},
      // A Scalar keeps what it was given.
      {Value::Int(1), kScalar, Value::Int(1)},
      {Value::Float(1), kScalar, Value::Float(1)},
      {Value::Complex(1, 2), kScalar, Value::Complex(1, 2)},
      {Value::Bool(true), kScalar, Value::Bool(true)},
      // Enum words.
      {Value::Word("long"), kScalarType, Value::Int(4)},
      {Value::Word("int64"), kScalarType, Value::Int(4)},
      {Value::Int(4), kScalarType, Value::Int(4)},
      {Value::Int(99), kScalarType, Value::Int(99)},
      {Value::Word("float8"), kScalarType, Value::Word("float8")},
      {Value::Word("strided"), Type(TypeKind::kLayout), Value::Int(0)},
      {Value::Word("channels_last"), Type(TypeKind::kMemoryFormat),
       Value::Int(2)},
      {Value::Word("Sum"), kReduction, Value::Int(2)},
      {Value::Word("None"), kReduction, Value::Int(0)},
      {Value::Word("Mean"), kInt, Value::Int(1)},
      {Value::Word("Sum"), Type::Optional(kInt), Value::Int(2)},
      {Value::Word("Sum"), Type::List(kInt, 2), Ints({2, 2})},
      {Value::Word("strided"), kScalarType, Value::Word("strided")},
      {Value::Word("per_tensor"), kQScheme, Value::Word("per_tensor")},
      {Value::Word("Red"), kClass, Value::Word("Red")},
      // None.
      {Value::None(), Type::Optional(kInt), Value::None()},
      {Value::None(), kNone, Value::None()},
      {Value::None(), kAny, Value::None()},
      {Value::None(), kVariable, Value::None()},
      {Value::None(), kClass, Value::None()},
      {Value::None(), kReduction, Value::Int(0)},
      {Value::None(), Type::Optional(kReduction), Value::None()},
      {Value::None(), Type::List(Type::Optional(kTensor)), Value::None()},
      // Optional.
      {Value::Int(1), Type::Optional(kFloat), Value::Float(1)},
      {Value::Word("float"), Type::Optional(kScalarType), Value::Int(6)},
      // Lists, and what stands for copies.
      {Ints({}), Type::List(kInt), Ints({})},
      {Ints({}), Type::List(kInt, 2), Ints({})},
      {Ints({1, 2, 3}), Type::List(kInt, 2), Ints({1, 2, 3})},
      {Ints({1, 2}), Type::List(kFloat),
       Value::List({Value::Float(1), Value::Float(2)})},
      {Value::List({Value::Int(1), Value::None()}),
       Type::List(Type::Optional(kFloat)),
       Value::List({Value::Float(1), Value::None()})},
      {Value::Int(7), Type::List(kInt, 1), Ints({7})},
      {Value::Int(7), Type::List(kInt, 3), Ints({7, 7, 7})},
      {Value::Int(7), Type::Optional(Type::List(kInt, 2)), Ints({7, 7})},
      {Value::Int(7), Type::List(kFloat, 2),
       Value::List({Value::Float(7), Value::Float(7)})},
      {Value::Word("long"), Type::List(kScalarType, 2), Ints({4, 4})},
      {Ints({1, 2}), Type::List(Type::List(kInt, 2)),
       Value::List({Ints({1, 1}), Ints({2, 2})})},
      // Tuples and dicts.
      {Value::Tuple({}), Type::Tuple({}), Value::Tuple({})},
      {Value::Tuple({Value::Int(1), Value::Int(2)}),
       Type::Tuple({kInt, kFloat}),
       Value::Tuple({Value::Int(1), Value::Float(2)})},
      {Value::Tuple({Value::Int(1)}), Type::NamedTuple({"a"}, {kFloat}),
       Value::Tuple({Value::Float(1)})},
      {Value::Dict({Value::String("a"), Value::Int(1)}),
       Type::Dict(kString, kFloat),
       Value::Dict({Value::String("a"), Value::Float(1)})},
      {Value::Dict({}), Type::Dict(kString, kFloat), Value::Dict({})},
      // As it is.
      {Ints({1}), kAny, Ints({1})},
      {Ints({1}), kVariable, Ints({1})},
      {Value::Tuple({Value::Word("x"), Ints({})}), kClass,
       Value::Tuple({Value::Word("x"), Ints({})})},
  };
  for (const Case& c : kCases) {
    const absl::StatusOr<Value> coerced = CoerceLiteral(c.literal, c.type);
    ASSERT_THAT(coerced, IsOk())
        << c.literal.ToString() << " at " << c.type.ToString();
    EXPECT_EQ(*coerced, c.coerced)
        << c.literal.ToString() << " at " << c.type.ToString() << " gives "
        << coerced->ToString() << ", not " << c.coerced.ToString();
  }
}

TEST(CoerceLiteralTest, RefusesWhatNoValueOfTheTypeIs) {
  struct Refusal {
    Value literal;
    Type type;
    absl::string_view message;
  };
  const Refusal kCases[] = {
      {Value::Float(1.5), kInt, "expected int, found 1.5"},
      {Value::Float(1), kInt, "expected int, found 1.0"},
      {Value::Bool(true), kInt, "expected int, found True"},
      {Value::String("x"), kInt, "expected int, found \"x\""},
      {Value::Word("long"), kInt, "expected int, found long"},
      {Value::Int(1), kBool, "expected bool, found 1"},
      {Value::Bool(true), kFloat, "expected float, found True"},
      {Value::Int(kMaxExact + 1), kFloat,
       "expected float, found 9007199254740993"},
      {Value::Int(std::numeric_limits<int64_t>::max()), kFloat,
       "expected float, found 9223372036854775807"},
      {Value::Int(std::numeric_limits<int64_t>::max()), kComplex,
       "expected complex, found 9223372036854775807"},
      {Value::Complex(1, 0), kFloat, "expected float, found 1.0+0.0j"},
      {Value::Bool(true), kComplex, "expected complex, found True"},
      {Value::Float(1), kSymInt, "expected SymInt, found 1.0"},
      {Value::String("1"), kScalar, "expected Scalar, found \"1\""},
      {Value::None(), kScalar, "expected Scalar, found None"},
      {Value::String("long"), kScalarType,
       "expected ScalarType, found \"long\""},
      {Value::None(), kScalarType, "expected ScalarType, found None"},
      {Value::Bool(true), kScalarType, "expected ScalarType, found True"},
      {Value::Word("cpu"), kDevice, "expected Device, found cpu"},
      {Value::Int(0), kDevice, "expected Device, found 0"},
      {Value::String("x"), kQScheme, "expected QScheme, found \"x\""},
      {Value::Word("Max"), kInt, "expected int, found Max"},
      {Value::Word("strided"), kInt, "expected int, found strided"},
      {Value::None(), kInt, "expected int, found None"},
      {Value::Word("Mean"), kSymInt, "expected SymInt, found Mean"},
      {Value::Word("Mean"), kFloat, "expected float, found Mean"},
      {Value::Word("x"), kAny, "expected Any, found x"},
      {Value::List({Value::Tuple({Value::Word("x")})}), kVariable,
       "expected t, found [(x,)]"},
      {Value::Int(1), kTensor, "expected Tensor, found 1"},
      {SomeTensor(), kInt, "expected int, found tensor(int8, [2], 2 bytes)"},
      {Value::Int(1), kNone, "expected None, found 1"},
      {Value::Int(1), Type(TypeKind::kGenerator),
       "expected Generator, found 1"},
      {Value::Int(1), Type::Wrapper(TypeKind::kFuture, kInt),
       "expected Future(int), found 1"},
      {Value::Int(1), Type::List(kInt), "expected int[], found 1"},
      {Value::None(), Type::List(kInt), "expected int[], found None"},
      {Value::None(), Type::List(kReduction, 2),
       "expected Reduction[2], found None"},
      {Value::Float(1.5), Type::List(kInt, 2), "expected int[2], found 1.5"},
      {Value::Int(1), Type::List(Type::List(kInt, 2), 2),
       "expected int[2][2], found 1"},
      {Value::Tuple({Value::Int(1)}), Type::List(kInt),
       "expected int[], found (1,)"},
      {Value::Tuple({Value::Int(1)}), Type::List(Type::Tuple({kInt}), 2),
       "expected (int,)[2], found (1,)"},
      {Ints({1}), Type::Tuple({kInt}), "expected (int,), found [1]"},
      {Value::Tuple({Value::Int(1)}), Type::Tuple({kInt, kInt}),
       "expected (int, int), found (1,)"},
      {Value::Tuple({Value::Int(1), Value::None()}), Type::Tuple({kInt, kInt}),
       "expected int, found None as element 1"},
      {Value::List({Value::Int(1), Value::String("a")}), Type::List(kInt),
       "expected int, found \"a\" as element 1"},
      {Ints({}), Type::Dict(kInt, kInt), "expected Dict(int, int), found []"},
      {Value::Dict({Value::Int(1), Value::Int(2), Value::Int(3), Value()}),
       Type::Dict(kInt, kInt), "expected int, found None as element 1"},
      {Value::Dict({Value::Int(1), Value(), Value::Float(1), Value()}),
       Type::Dict(kFloat, kNone),
       "the key 1.0 stands twice in {1: None, 1.0: None}"},
      {Value::Dict({}), Type::List(kInt), "expected int[], found {}"},
  };
  for (const Refusal& c : kCases) {
    EXPECT_THAT(
        CoerceLiteral(c.literal, c.type),
        StatusIs(absl::StatusCode::kInvalidArgument, std::string(c.message)))
        << c.literal.ToString() << " at " << c.type.ToString();
  }
}

TEST(CoerceLiteralTest, ALoneValueDoesNotAskForUnboundedMemory) {
  const int64_t kHuge = int64_t{1} << 40;
  EXPECT_THAT(
      CoerceLiteral(Value::Int(1), Type::List(kInt, kHuge)),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("copies")));
  // Neither one of many, each of which is small enough.
  EXPECT_THAT(
      CoerceLiteral(Value::List(std::vector<Value>(100, Value::Int(1))),
                    Type::List(Type::List(kInt, 1000))),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("copies")));
  // A list that was written is as long as it is.
  EXPECT_THAT(CoerceLiteral(Ints({1, 2}), Type::List(kInt, kHuge)),
              IsOkAndHolds(Ints({1, 2})));
}

Value Nested(int levels) {
  Value value = Value::Int(1);
  for (int i = 1; i < levels; ++i) value = Value::List({value});
  return value;
}

TEST(CoerceLiteralTest, BoundsTheDepthOfLiteralsAndTypes) {
  EXPECT_THAT(CoerceLiteral(Nested(kMaxValueDepth), kAny), IsOk());
  EXPECT_THAT(CoerceLiteral(Nested(kMaxValueDepth + 1), kAny),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(CoerceLiteral(Nested(1000), kAny),
              StatusIs(absl::StatusCode::kInvalidArgument));
  Type type = kInt;
  for (int i = 1; i < kMaxTypeDepth; ++i) type = Type::List(type);
  EXPECT_THAT(CoerceLiteral(Nested(kMaxValueDepth), type), IsOk());
  EXPECT_THAT(CoerceLiteral(Value::List({}), Type::List(type)),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(CoerceLiteralTest, CoercingTwiceIsCoercingOnce) {
  RandomTypes random(3);
  int fitting = 0;
  int changed = 0;
  for (int i = 0; i < 20000; ++i) {
    const Type type = random.NextType(4, true);
    const Value literal = random.NextLiteralFor(type);
    const absl::StatusOr<Value> once = CoerceLiteral(literal, type);
    if (!once.ok()) continue;
    ++fitting;
    if (*once != literal) ++changed;
    const absl::StatusOr<Value> twice = CoerceLiteral(*once, type);
    ASSERT_THAT(twice, IsOk()) << once->ToString() << " at " << type.ToString();
    EXPECT_EQ(*once, *twice) << type.ToString();
  }
  EXPECT_GT(fitting, 5000);
  EXPECT_GT(changed, 500);
}

TEST(TypeOfLiteralTest, IsTheTypeThatALiteralHasByItself) {
  const struct {
    Value literal;
    absl::string_view type;
  } kCases[] = {
      {Value::None(), "None"},
      {Value::Bool(true), "bool"},
      {Value::Int(1), "int"},
      {Value::Float(1), "float"},
      {Value::Complex(1, 2), "complex"},
      {Value::String("a"), "str"},
      {SomeTensor(), "Tensor"},
      {Ints({1, 2}), "int[]"},
      {Value::List({Ints({1}), Ints({2, 3})}), "int[][]"},
      {Value::List({Value::None(), Value::Int(1)}), "int?[]"},
      {Value::List({Value::Int(1), Value::None()}), "int?[]"},
      {Value::List({Value::None()}), "None[]"},
      {Value::Tuple({}), "()"},
      {Value::Tuple({Value::Int(1), Value::String("")}), "(int, str)"},
      {Value::Dict({Value::Int(1), Value::None(), Value::Int(2), SomeTensor()}),
       "Dict(int, Tensor?)"},
  };
  for (const auto& c : kCases) {
    const absl::StatusOr<Type> type = TypeOfLiteral(c.literal);
    ASSERT_THAT(type, IsOk()) << c.literal.ToString();
    EXPECT_EQ(type->ToString(), c.type) << c.literal.ToString();
  }
}

TEST(TypeOfLiteralTest, RefusesLiteralsThatNeedAType) {
  const Value kCases[] = {
      Ints({}),
      Value::Dict({}),
      Value::Word("float"),
      Value::List({Value::Int(1), Value::Float(1)}),
      Value::List({Value::Int(1), Value::Bool(true)}),
      Value::List({Ints({1}), Ints({})}),
      Value::List({Ints({1}), Value::List({Value::String("")})}),
      Value::Tuple({Value::Int(1), Ints({})}),
      Value::Dict(
          {Value::Int(1), Value::Int(1), Value::String(""), Value::Int(1)}),
      Nested(kMaxValueDepth + 1),
  };
  for (const Value& literal : kCases) {
    EXPECT_THAT(TypeOfLiteral(literal),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << literal.ToShortString();
  }
}

TEST(TypeOfLiteralTest, ALiteralFitsItsOwnTypeAsItIs) {
  RandomTypes random(4);
  int typed = 0;
  for (int i = 0; i < 20000; ++i) {
    const Value literal = random.NextLiteral(3);
    const absl::StatusOr<Type> type = TypeOfLiteral(literal);
    if (!type.ok()) continue;
    ++typed;
    const absl::StatusOr<Value> coerced = CoerceLiteral(literal, *type);
    // A dict may have a key twice as long as no type is expected.
    if (!coerced.ok()) {
      EXPECT_THAT(coerced, StatusIs(absl::StatusCode::kInvalidArgument,
                                    HasSubstr("stands twice")));
      continue;
    }
    EXPECT_EQ(*coerced, literal) << type->ToString();
  }
  EXPECT_GT(typed, 5000);
}

TEST(TypeOfLiteralTest, ALiteralFitsEveryTypeThatItsOwnIsASubtypeOf) {
  RandomTypes random(5);
  int subtypes = 0;
  for (int i = 0; i < 100000; ++i) {
    const Type type = random.NextType(3);
    const Value literal = random.NextLiteralFor(type);
    const absl::StatusOr<Type> own = TypeOfLiteral(literal);
    if (!own.ok() || !IsSubtype(*own, type)) continue;
    ++subtypes;
    const absl::StatusOr<Value> coerced = CoerceLiteral(literal, type);
    EXPECT_TRUE(coerced.ok() ||
                absl::StrContains(coerced.status().message(), "stands twice"))
        << literal.ToString() << " at " << type.ToString() << ": "
        << coerced.status();
  }
  EXPECT_GT(subtypes, 10000);
}

}  // namespace
}  // namespace opcompat
