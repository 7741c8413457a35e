#include "schema/type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "schema/random_types.h"

namespace opcompat {
namespace {

const Type kInt(TypeKind::kInt);
const Type kTensor(TypeKind::kTensor);
const Type kString(TypeKind::kString);

TEST(TypeTest, PrintsTheSpellingOfTheSchemaLanguage) {
  const std::pair<Type, absl::string_view> kCases[] = {
      {kTensor, "Tensor"},
      {kString, "str"},
      {Type(), "None"},
      {Type(TypeKind::kReduction), "Reduction"},
      {Type::Variable("tVal"), "tVal"},
      {Type::Named("__torch__.torch.classes.rnn.CellParamsBase"),
       "__torch__.torch.classes.rnn.CellParamsBase"},
      {Type::Optional(kTensor), "Tensor?"},
      {Type::List(kInt), "int[]"},
      {Type::List(kInt, 2), "int[2]"},
      {Type::Optional(Type::List(Type::Optional(kTensor))), "Tensor?[]?"},
      {Type::List(Type::List(kString)), "str[][]"},
      {Type::Dict(kString, Type::List(kTensor)), "Dict(str, Tensor[])"},
      {Type::Tuple({}), "()"},
      {Type::Tuple({kInt}), "(int,)"},
      {Type::List(Type::Tuple({kInt, Type::Variable("t")})), "(int, t)[]"},
      {Type::NamedTuple({"a", "b"}, {kInt, kString}),
       "NamedTuple(a : int, b : str)"},
      {Type::NamedTuple({"a"}, {kInt}), "NamedTuple(a : int)"},
      {Type::Wrapper(TypeKind::kFuture, kInt), "Future(int)"},
      {Type::Wrapper(TypeKind::kRRef, kInt), "RRef(int)"},
      {Type::Wrapper(TypeKind::kAwait, kInt), "Await(int)"},
  };
  for (const auto& [type, text] : kCases) EXPECT_EQ(type.ToString(), text);
}

TEST(TypeTest, TypesAreEqualIffTheyPrintAlike) {
  RandomTypes random(1);
  std::vector<Type> types;
  for (int i = 0; i < 400; ++i) types.push_back(random.NextType(3, true));
  int equal = 0;
  for (const Type& a : types) {
    for (const Type& b : types) {
      EXPECT_EQ(a == b, a.ToString() == b.ToString()) << a.ToString();
      EXPECT_EQ(a != b, !(a == b));
      if (a == b) {
        ++equal;
        EXPECT_EQ(absl::HashOf(a), absl::HashOf(b));
      }
    }
  }
  EXPECT_GT(equal, 400);  // Others than each with itself.
}

TEST(TypeTest, TypesOfOneSpellingButAnotherKindDiffer) {
  EXPECT_NE(Type::Variable("t"), Type::Named("t"));
  EXPECT_NE(Type::Named("int"), kInt);
  EXPECT_NE(Type::List(kInt), Type::List(kInt, 2));
}

TEST(TypeTest, EveryWordNamesItsKindAndBack) {
  int words = 0;
  for (int i = 1; i <= 32; ++i) {
    const TypeKind kind = static_cast<TypeKind>(i);
    const absl::string_view word = WordOfTypeKind(kind);
    if (word.empty()) continue;
    ++words;
    EXPECT_EQ(TypeKindOfWord(word), kind) << word;
    EXPECT_EQ(Type(kind).ToString(), word);
  }
  EXPECT_EQ(words, 22);
  for (absl::string_view word : {"", "NoneType", "number", "tensor", "t"}) {
    EXPECT_EQ(TypeKindOfWord(word), TypeKind::kNamed) << word;
  }
}

TEST(TypeTest, VariablesAreNamedByALetterT) {
  for (absl::string_view name : {"t", "t1", "t23", "tVal", "tKey"}) {
    EXPECT_TRUE(IsTypeVariableName(name)) << name;
  }
  for (absl::string_view name : {"", "T", "s", "tensor", "t_", "AnyEnumType"}) {
    EXPECT_FALSE(IsTypeVariableName(name)) << name;
  }
}

TEST(TypeTest, NamesAreProperWhoseTextIsTheType) {
  for (absl::string_view name :
       {"__torch__.Net", "Foo", "a", "_._", "__torch__.m_1.2x", "tensor"}) {
    EXPECT_TRUE(HasProperNames(Type::Named(name))) << name;
    EXPECT_TRUE(HasProperNames(
        Type::NamedTuple({"a", "_1"}, {Type::Named(name), kInt})))
        << name;
  }
  for (absl::string_view name :
       {"", "a b", "a.", ".a", "a..b", "1a", "!r", "a:b", "a\"", "\xc3\xa9",
        "int", "t", "tVal", "Dict", "Future", "RRef", "Await"}) {
    EXPECT_FALSE(HasProperNames(Type::Named(name))) << name;
  }
  EXPECT_TRUE(HasProperNames(Type::Variable("tVal")));
  EXPECT_FALSE(HasProperNames(Type::Variable("t1 2")));
  EXPECT_FALSE(HasProperNames(Type::Variable("x")));
  for (const char* field : {"", "a.b", "1", "a b"}) {
    EXPECT_FALSE(HasProperNames(Type::NamedTuple({field}, {kInt}))) << field;
  }
  EXPECT_TRUE(HasProperNames(kInt));
}

TEST(TypeTest, CountsLevelsAndParts) {
  EXPECT_EQ(kInt.depth(), 1);
  EXPECT_EQ(kInt.num_parts(), 1);
  const Type type = Type::Dict(kString, Type::Optional(Type::List(kInt)));
  EXPECT_EQ(type.depth(), 4);
  EXPECT_EQ(type.num_parts(), 5);
  EXPECT_TRUE(IsWithinTypeLimits(type));
}

TEST(TypeTest, SharedPartsDoNotHideHowLargeATypeIs) {
  Type type = kInt;
  for (int i = 0; i < kMaxTypeDepth - 1; ++i) type = Type::Tuple({type, type});
  EXPECT_EQ(type.depth(), kMaxTypeDepth);
  EXPECT_GT(type.num_parts(), kMaxTypeParts);
  EXPECT_FALSE(IsWithinTypeLimits(type));
}

TEST(TypeTest, ATypeOfManyLevelsIsOverTheLimit) {
  Type type = kInt;
  for (int i = 1; i < kMaxTypeDepth; ++i) type = Type::List(type);
  EXPECT_TRUE(IsWithinTypeLimits(type));
  EXPECT_FALSE(IsWithinTypeLimits(Type::List(type)));
}

TEST(TypeTest, IsPrintedShortlyForMessagesWhateverItShares) {
  EXPECT_EQ(Type::List(kInt).ToShortString(), "int[]");
  Type type = Type::Named(std::string(1000, 'n'));
  for (int i = 0; i < kMaxTypeDepth - 1; ++i) type = Type::Dict(type, type);
  const std::string text = type.ToShortString(100);
  EXPECT_EQ(text.size(), 103u);
  EXPECT_EQ(text.substr(0, 5), "Dict(");
  EXPECT_EQ(text.substr(100), "...");
}

TEST(TypeTest, KnowsWhetherATypeVariableIsAmongItsParts) {
  EXPECT_FALSE(Type::Dict(kString, kInt).has_variables());
  EXPECT_TRUE(
      Type::Dict(kString, Type::Optional(Type::Variable("t"))).has_variables());
}

}  // namespace
}  // namespace opcompat
