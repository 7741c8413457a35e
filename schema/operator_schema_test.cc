#include "schema/operator_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;

const Type kTensor(TypeKind::kTensor);
const Type kInt(TypeKind::kInt);
const Type kFloat(TypeKind::kFloat);
const Type kT = Type::Variable("t");

AliasAnnotation Mark(uint32_t place, std::vector<std::string> before,
                     bool write = false) {
  return AliasAnnotation{place, before, before, write};
}

AliasAnnotation Move(uint32_t place, std::vector<std::string> before,
                     std::vector<std::string> after, bool write = false) {
  return AliasAnnotation{place, std::move(before), std::move(after), write};
}

// Makes arguments in few words.
class A {
 public:
  A(absl::string_view name, Type type) {
    argument_.name = std::string(name);
    argument_.type = std::move(type);
  }
  A Alias(AliasAnnotations alias) && {
    argument_.alias = std::move(alias);
    return std::move(*this);
  }
  A Default(Value value, absl::string_view spelling = "") && {
    argument_.default_value = std::move(value);
    argument_.default_spelling = std::string(spelling);
    return std::move(*this);
  }
  A KeywordOnly() && {
    argument_.keyword_only = true;
    return std::move(*this);
  }
  operator Argument() const { return argument_; }  // NOLINT: that is its use

 private:
  Argument argument_;
};

TEST(TypeToStringTest, PutsAnnotationsBehindTheirPlaces) {
  const Type tensors = Type::List(kTensor);
  const struct {
    Type type;
    AliasAnnotations alias;
    absl::string_view text;
  } kCases[] = {
      {kTensor, {}, "Tensor"},
      {kTensor, {Mark(0, {"a"})}, "Tensor(a)"},
      {kTensor, {Mark(0, {"a"}, true)}, "Tensor(a!)"},
      {kTensor, {Mark(0, {}, true)}, "Tensor!"},
      {kTensor, {Mark(0, {"*"})}, "Tensor(*)"},
      {kTensor, {Mark(0, {"b", "a"})}, "Tensor(b|a)"},
      {kTensor, {Mark(0, {"a", "b"}, true)}, "Tensor(a|b!)"},
      {kTensor, {Move(0, {"a"}, {"*"})}, "Tensor(a -> *)"},
      {kTensor, {Move(0, {"a"}, {"b", "c"}, true)}, "Tensor(a! -> b|c)"},
      {tensors, {Mark(0, {"a"}, true)}, "Tensor[](a!)"},
      {tensors, {Mark(1, {"a"}, true)}, "Tensor(a!)[]"},
      {tensors, {Mark(0, {"a"}), Mark(1, {"b"})}, "Tensor(b)[](a)"},
      {Type::List(kInt, 2), {Mark(0, {"a"})}, "int[2](a)"},
      {Type::Optional(kT), {Mark(1, {"*"})}, "t(*)?"},
      {Type::Optional(kT), {Mark(0, {"*"})}, "t?(*)"},
      {Type::Dict(kInt, kT), {Mark(0, {"a"}, true)}, "Dict(int, t)(a!)"},
      {Type::Dict(kInt, kT),
       {Mark(1, {"a"}), Mark(2, {"b"})},
       "Dict(int(a), t(b))"},
      {Type::Tuple({kTensor, tensors, kTensor}),
       {Mark(1, {"a"}), Mark(3, {"b"}), Mark(4, {"c"})},
       "(Tensor(a), Tensor(b)[], Tensor(c))"},
      {Type::Tuple({kTensor}), {Mark(0, {"a"})}, "(Tensor,)(a)"},
      {Type::NamedTuple({"x", "y"}, {kTensor, kInt}),
       {Mark(1, {"a"})},
       "NamedTuple(x : Tensor(a), y : int)"},
      {Type::Wrapper(TypeKind::kFuture, kT), {Mark(1, {"a"})}, "Future(t(a))"},
      {Type::Wrapper(TypeKind::kRRef, kT), {Mark(1, {"a"})}, "RRef(t(a))"},
      {Type::Wrapper(TypeKind::kAwait, kT), {Mark(1, {"a"})}, "Await(t(a))"},
      {Type::Named("__torch__.Net"), {Mark(0, {"a"})}, "__torch__.Net(a)"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TypeToString(c.type, c.alias), c.text);
    EXPECT_EQ(TypeToString(c.type, {}), c.type.ToString());
  }
}

TEST(DefaultToStringTest, SpellsDefaultsAsTheRealRuntimesDo) {
  const std::pair<Value, absl::string_view> kCases[] = {
      {Value::None(), "None"},
      {Value::Bool(false), "False"},
      {Value::Int(-100), "-100"},
      {Value::Float(1), "1."},
      {Value::Float(-0.0), "-0."},
      {Value::Float(60), "60."},
      {Value::Float(0.5), "0.5"},
      {Value::Float(0.05), "0.050000000000000003"},
      {Value::Float(0.1), "0.10000000000000001"},
      {Value::Float(1.0 / 3), "0.33333333333333331"},
      {Value::Float(1e-5), "1.0000000000000001e-05"},
      {Value::Float(1e-8), "1e-08"},
      {Value::Float(1e20), "1e+20"},
      {Value::Float(123456789012345680.0), "1.2345678901234568e+17"},
      {Value::Float(HUGE_VAL), "inf"},
      {Value::Float(-HUGE_VAL), "-inf"},
      {Value::FloatBits(0x7ff8000000000000), "nan"},
      {Value::FloatBits(0x7ff8000000000001), "nan(0x7ff8000000000001)"},
      {Value::String("nearest"), "\"nearest\""},
      {Value::Word("float8"), "float8"},
      {Value::List({Value::Int(1), Value::Int(1)}), "[1, 1]"},
      {Value::List({}), "[]"},
      {Value::List({Value::Float(1), Value::List({Value::Float(0.1)})}),
       "[1., [0.10000000000000001]]"},
      {Value::Tuple({Value::Float(1)}), "(1.,)"},
      {Value::Tuple({Value::Float(1), Value::Float(2)}), "(1., 2.)"},
      {Value::Dict({Value::String("a"), Value::Float(1), Value::String("b"),
                    Value::Float(2)}),
       "{\"a\": 1., \"b\": 2.}"},
  };
  for (const auto& [value, text] : kCases) {
    EXPECT_EQ(DefaultToString(value), text);
  }
}

struct Printed {
  absl::StatusOr<OperatorSchema> schema;
  absl::string_view text;
};

TEST(OperatorSchemaTest, PrintsInOneLine) {
  const Value kTwoOnes = Value::List({Value::Int(1), Value::Int(1)});
  SchemaSpelling parentheses;
  parentheses.single_result_in_parentheses = true;
  const Printed kCases[] = {
      {OperatorSchema::Create("aten::f", "", {}, {}), "aten::f() -> ()"},
      {OperatorSchema::Create("aten::add", "Tensor",
                              {A("self", kTensor), A("other", kTensor),
                               A("alpha", Type(TypeKind::kScalar))
                                   .Default(Value::Int(1))
                                   .KeywordOnly()},
                              {{"", kTensor, {}}}),
       "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> "
       "Tensor"},
      {OperatorSchema::Create(
           "aten::f", "out",
           {A("p", kFloat).Default(Value::Int(1)).KeywordOnly(),
            A("out", kTensor).Alias({Mark(0, {"a"}, true)}).KeywordOnly()},
           {{"", kTensor, {Mark(0, {"a"}, true)}}}),
       "aten::f.out(*, float p=1., Tensor(a!) out) -> Tensor(a!)"},
      // The spelling that was kept, and the canonical one.
      {OperatorSchema::Create(
           "aten::f", "",
           {A("stride", Type::List(kInt, 2)).Default(kTwoOnes, "1"),
            A("padding", Type::List(kInt, 2)).Default(Value::Int(1)),
            A("dtype", Type(TypeKind::kScalarType))
                .Default(Value::Word("long"), "long")},
           {}),
       "aten::f(int[2] stride=1, int[2] padding=[1, 1], "
       "ScalarType dtype=long) -> ()"},
      // Any number of arguments and results.
      {OperatorSchema::Create("prim::f", "", {}, {}, true, true),
       "prim::f(...) -> ..."},
      {OperatorSchema::Create("prim::f", "", {}, {}, true, true, parentheses),
       "prim::f(...) -> (...)"},
      {OperatorSchema::Create("prim::f", "", {A("a", kTensor)},
                              {{"", kInt, {}}}, true, true),
       "prim::f(Tensor a, ...) -> (int, ...)"},
      // Results.
      {OperatorSchema::Create("aten::f", "", {}, {{"", kTensor, {}}}, false,
                              false, parentheses),
       "aten::f() -> (Tensor)"},
      {OperatorSchema::Create("aten::f", "", {}, {{"grid", kTensor, {}}}),
       "aten::f() -> Tensor grid"},
      {OperatorSchema::Create("aten::f", "", {},
                              {{"a", kTensor, {}}, {"", kInt, {}}}),
       "aten::f() -> (Tensor a, int)"},
      {OperatorSchema::Create("aten::f", "", {},
                              {{"", Type::Tuple({kInt, kT}), {}}}),
       "aten::f() -> ((int, t))"},
      {OperatorSchema::Create("aten::f", "", {},
                              {{"", Type::List(Type::Tuple({kInt, kT})), {}}},
                              false, false, parentheses),
       "aten::f() -> ((int, t)[])"},
  };
  for (const Printed& c : kCases) {
    ASSERT_THAT(c.schema, IsOk()) << c.text;
    EXPECT_EQ(c.schema->ToString(), c.text);
  }
}

TEST(OperatorSchemaTest, GivesADefaultTheFormOfItsType) {
  const absl::StatusOr<OperatorSchema> schema = OperatorSchema::Create(
      "ns::f", "",
      {A("a", kFloat).Default(Value::Int(1)),
       A("b", Type::Optional(Type::List(kInt, 3))).Default(Value::Int(0)),
       A("c", Type(TypeKind::kScalarType)).Default(Value::Word("long"))},
      {});
  ASSERT_THAT(schema, IsOk());
  const std::vector<Argument>& arguments = schema->arguments();
  EXPECT_EQ(arguments[0].default_value, Value::Float(1));
  EXPECT_EQ(arguments[1].default_value,
            Value::List({Value::Int(0), Value::Int(0), Value::Int(0)}));
  EXPECT_EQ(arguments[2].default_value, Value::Int(4));
}

TEST(OperatorSchemaTest, FindsArgumentsByName) {
  const absl::StatusOr<OperatorSchema> schema = OperatorSchema::Create(
      "ns::f", "x", {A("self", kInt), A("from", kInt)}, {});
  ASSERT_THAT(schema, IsOk());
  EXPECT_EQ(schema->full_name(), "ns::f.x");
  EXPECT_EQ(schema->FindArgument("self"), 0);
  EXPECT_EQ(schema->FindArgument("from"), 1);
  EXPECT_EQ(schema->FindArgument("to"), absl::nullopt);
  EXPECT_EQ(schema->FindArgument(""), absl::nullopt);
}

TEST(OperatorSchemaTest, AnOutArgumentIsKeywordOnlyAndWritten) {
  const AliasAnnotations written = {Mark(0, {"a"}), Mark(1, {"b"}, true)};
  const Type list = Type::List(kTensor);
  const Argument both = A("out", list).Alias(written).KeywordOnly();
  const Argument positional = A("out", list).Alias(written);
  const Argument read = A("out", list).Alias({Mark(0, {"a"})}).KeywordOnly();
  EXPECT_TRUE(both.is_out());
  EXPECT_FALSE(positional.is_out());
  EXPECT_FALSE(read.is_out());
}

Value Ints(size_t count) {
  return Value::List(std::vector<Value>(count, Value::Int(1)));
}

TEST(OperatorSchemaTest, AListDefaultHasNoneOrAllElements) {
  for (int64_t n : {1, 2, 3}) {
    for (size_t count : {0, 1, 2, 3, 4}) {
      const bool fits = n == 1 || count == 0 || count == static_cast<size_t>(n);
      for (const Type& type :
           {Type::List(kInt, n), Type::Optional(Type::List(kInt, n)),
            Type::Optional(Type::List(Type::Optional(kInt), n))}) {
        EXPECT_EQ(OperatorSchema::Create(
                      "ns::f", "", {A("a", type).Default(Ints(count))}, {})
                      .ok(),
                  fits)
            << type.ToString() << " with " << count;
      }
    }
  }
  EXPECT_THAT(OperatorSchema::Create(
                  "ns::f", "", {A("a", Type::List(kInt)).Default(Ints(5))}, {}),
              IsOk());
  EXPECT_FALSE(
      OperatorSchema::Create("ns::f", "",
                             {A("a", Type::List(Type::List(kInt, 2)))
                                  .Default(Value::List({Ints(2), Ints(3)}))},
                             {})
          .ok());
}

Type Deep() {
  Type type = kInt;
  for (int i = 0; i < kMaxTypeDepth; ++i) type = Type::List(type);
  return type;
}

TEST(OperatorSchemaTest, RefusesWhatNoSchemaMayBe) {
  const struct {
    absl::StatusOr<OperatorSchema> schema;
    absl::string_view message;
  } kCases[] = {
      {OperatorSchema::Create("f", "", {}, {}),
       "f: expected an operator name `namespace::name`"},
      {OperatorSchema::Create("::f", "", {}, {}), "expected an operator name"},
      {OperatorSchema::Create("ns::", "", {}, {}), "expected an operator name"},
      {OperatorSchema::Create("", "", {}, {}), "expected an operator name"},
      {OperatorSchema::Create("ns::f", "x", {A("a", kInt), A("", kInt)}, {}),
       "ns::f.x: argument 1: its name is empty"},
      {OperatorSchema::Create("ns::f", "",
                              {A("a", kInt), A("b", kInt), A("a", kFloat)}, {}),
       "ns::f: expected argument names that differ, found `a` twice"},
      {OperatorSchema::Create("ns::f", "",
                              {A("b", kInt).Default(Value::Float(1.5))}, {}),
       "ns::f: argument `b`: expected int, found 1.5"},
      {OperatorSchema::Create("ns::f", "",
                              {A("b", kInt).Default(Value::None())}, {}),
       "argument `b`: expected int, found None"},
      {OperatorSchema::Create(
           "ns::f", "",
           {A("b", Type(TypeKind::kBool)).Default(Value::Int(1)).KeywordOnly()},
           {}),
       "argument `b`: expected bool, found 1"},
      {OperatorSchema::Create(
           "ns::f", "", {A("b", Type::List(kInt, 3)).Default(Ints(2))}, {}),
       "ns::f: argument `b`: expected 0 or 3 elements for int[3], found 2 in "
       "[1, 1]"},
      {OperatorSchema::Create(
           "ns::f", "", {A("b", kInt).Default(Value::Int(1)), A("c", kInt)},
           {}),
       "ns::f: the positional argument `c` has no default, but stands after "
       "`b`"},
      {OperatorSchema::Create("ns::f", "",
                              {A("b", kInt).KeywordOnly(), A("c", kInt)}, {}),
       "ns::f: the positional argument `c` stands after the keyword-only `b`"},
      {OperatorSchema::Create("ns::f", "", {A("b", Deep())}, {}),
       "ns::f: argument `b`: the type is nested deeper than 64"},
      {OperatorSchema::Create("ns::f", "", {}, {{"", Deep(), {}}}),
       "ns::f: result 0: the type is nested deeper than 64"},
      {OperatorSchema::Create("ns::f", "",
                              {A("b", kTensor).Alias({Mark(1, {"a"})})}, {}),
       "argument `b`: expected alias annotations by rising place below 1, "
       "found place 1"},
      {OperatorSchema::Create(
           "ns::f", "", {},
           {{"", Type::List(kTensor), {Mark(1, {"a"}), Mark(1, {"b"})}}}),
       "result 0: expected alias annotations by rising place below 2, found "
       "place 1"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(c.schema, StatusIs(absl::StatusCode::kInvalidArgument,
                                   HasSubstr(std::string(c.message))));
  }
}

TEST(OperatorSchemaTest, AKeywordOnlyArgumentMayBeRequiredAfterADefault) {
  EXPECT_THAT(
      OperatorSchema::Create("ns::f", "",
                             {A("a", kInt).Default(Value::Int(1)),
                              A("b", kInt).Default(Value::Int(1)).KeywordOnly(),
                              A("c", kInt).KeywordOnly()},
                             {}),
      IsOk());
}

TEST(OperatorSchemaTest, OnlyARepeatedNamePassesLeniently) {
  const absl::StatusOr<OperatorSchema> schema = OperatorSchema::CreateLenient(
      "ns::f", "", {A("a", kInt), A("posinf", kInt), A("posinf", kInt)}, {},
      false, false, {});
  ASSERT_THAT(schema, IsOk());
  EXPECT_TRUE(schema->has_repeated_name());
  EXPECT_EQ(schema->ToString(), "ns::f(int a, int posinf, int posinf) -> ()");

  const absl::StatusOr<OperatorSchema> usable = OperatorSchema::CreateLenient(
      "ns::f", "", {A("a", kInt), A("b", kInt)}, {}, false, false, {});
  ASSERT_THAT(usable, IsOk());
  EXPECT_FALSE(usable->has_repeated_name());

  EXPECT_FALSE(OperatorSchema::CreateLenient(
                   "ns::f", "", {A("a", kInt).Default(Value::None())}, {},
                   false, false, {})
                   .ok());
}

}  // namespace
}  // namespace opcompat
