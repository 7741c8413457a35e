#include "ir/plain_calls.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_matchers.h"
#include "gtest/gtest.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// All kinds, alone and in every container of them.
std::vector<Type> ManyTypes() {
  std::vector<Type> types;
  for (int kind = static_cast<int>(TypeKind::kTensor);
       kind <= static_cast<int>(TypeKind::kReduction); ++kind) {
    const auto k = static_cast<TypeKind>(kind);
    if (k < TypeKind::kVariable || k == TypeKind::kReduction) {
      types.emplace_back(k);
    }
  }
  types.push_back(Type::Variable("t"));
  types.push_back(Type::Named("__torch__.Net"));
  const std::vector<Type> alone = types;
  for (const Type& type : alone) {
    types.push_back(Type::List(type));
    types.push_back(Type::List(type, 2));
    types.push_back(Type::Tuple({type}));
    types.push_back(Type::List(Type::Optional(type)));
  }
  const std::vector<Type> so_far = types;
  for (const Type& type : so_far) types.push_back(Type::Optional(type));
  return types;
}

TEST(PlainCalls, PlainLiteralsHaveTheFormThatTheTypeGivesThem) {
  const std::vector<std::pair<LiteralKind, std::vector<Value>>> literals = {
      {LiteralKind::kNone, {Value::None()}},
      {LiteralKind::kBool, {Value::Bool(true), Value::Bool(false)}},
      {LiteralKind::kInt, {Value::Int(0), Value::Int(-7)}},
      {LiteralKind::kFloat, {Value::Float(-0.0), Value::Float(0.5)}},
      {LiteralKind::kString, {Value::String(""), Value::String("cpu")}},
      {LiteralKind::kInts,
       {Value::List({Value::Int(1)}),
        Value::List({Value::Int(1), Value::Int(2), Value::Int(3)})}},
  };
  int num_plain = 0;
  for (const Type& type : ManyTypes()) {
    for (const auto& [kind, values] : literals) {
      if (!IsPlainLiteral(kind, type)) continue;
      ++num_plain;
      for (const Value& value : values) {
        EXPECT_TRUE(FixesLiterals(type) || TypeOfLiteral(value).ok())
            << type.ToString();
        const absl::StatusOr<Value> coerced = CoerceLiteral(value, type);
        ASSERT_THAT(coerced, IsOk()) << value.ToString() << type.ToString();
        EXPECT_EQ(*coerced, value) << type.ToString();
      }
    }
    EXPECT_FALSE(IsPlainLiteral(LiteralKind::kOther, type));
  }
  EXPECT_GT(num_plain, 30);
}

TEST(PlainCalls, PlainValuesAreSubtypesAndNeedNoLookAtWhatIsWritten) {
  const std::vector<Type> types = ManyTypes();
  int num_plain = 0;
  for (const Type& value : types) {
    for (const Type& slot : types) {
      if (slot.has_variables() || !IsPlainValue(value, slot)) continue;
      ++num_plain;
      bool covariant = false;
      TypeVariables none;
      EXPECT_TRUE(IsSubtype(value, slot, &none, &covariant))
          << value.ToString() << " at " << slot.ToString();
      EXPECT_FALSE(covariant) << value.ToString() << " at " << slot.ToString();
    }
  }
  EXPECT_GT(num_plain, static_cast<int>(types.size()));
}

}  // namespace
}  // namespace opcompat
