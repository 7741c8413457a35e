#include "schema/enum_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "schema/type.h"

namespace opcompat {
namespace {

struct Case {
  TypeKind kind;
  int64_t number;
  absl::string_view word;
  absl::string_view alias;
};

constexpr TypeKind kScalarType = TypeKind::kScalarType;
constexpr TypeKind kLayout = TypeKind::kLayout;
constexpr TypeKind kMemoryFormat = TypeKind::kMemoryFormat;
constexpr TypeKind kReduction = TypeKind::kReduction;

constexpr Case kCases[] = {
    {kScalarType, 0, "uint8", "byte"},
    {kScalarType, 1, "int8", "char"},
    {kScalarType, 2, "int16", "short"},
    {kScalarType, 3, "int32", "int"},
    {kScalarType, 4, "int64", "long"},
    {kScalarType, 5, "float16", "half"},
    {kScalarType, 6, "float32", "float"},
    {kScalarType, 7, "float64", "double"},
    {kScalarType, 8, "complex32", ""},
    {kScalarType, 9, "complex64", "cfloat"},
    {kScalarType, 10, "complex128", "cdouble"},
    {kScalarType, 11, "bool", ""},
    {kScalarType, 12, "qint8", ""},
    {kScalarType, 13, "quint8", ""},
    {kScalarType, 14, "qint32", ""},
    {kScalarType, 15, "bfloat16", ""},
    {kLayout, 0, "strided", ""},
    {kLayout, 1, "sparse_coo", ""},
    {kLayout, 2, "sparse_csr", ""},
    {kLayout, 3, "mkldnn", ""},
    {kMemoryFormat, 0, "contiguous_format", ""},
    {kMemoryFormat, 1, "preserve_format", ""},
    {kMemoryFormat, 2, "channels_last", ""},
    {kMemoryFormat, 3, "channels_last_3d", ""},
    {kReduction, 0, "None", ""},
    {kReduction, 1, "Mean", ""},
    {kReduction, 2, "Sum", ""},
};

TEST(EnumWordsTest, EveryWordHasItsNumberAtItsTypeOnly) {
  for (const Case& entry : kCases) {
    EXPECT_EQ(EnumWord(entry.kind, entry.number), entry.word);
    for (absl::string_view word : {entry.word, entry.alias}) {
      if (word.empty()) continue;
      for (TypeKind kind : {kScalarType, kLayout, kMemoryFormat, kReduction}) {
        const absl::optional<int64_t> number = EnumNumber(kind, word);
        EXPECT_EQ(number.has_value(), kind == entry.kind) << word;
        if (kind == entry.kind) {
          EXPECT_EQ(number, entry.number) << word;
        }
      }
      EXPECT_EQ(EnumNumber(TypeKind::kInt, word), absl::nullopt);
    }
  }
}

TEST(EnumWordsTest, UnknownWordsAndNumbersHaveNoAnswer) {
  for (absl::string_view word : {"", "float8", "Float", "mean"}) {
    for (TypeKind kind : {kScalarType, kLayout, kMemoryFormat, kReduction}) {
      EXPECT_EQ(EnumNumber(kind, word), absl::nullopt) << word;
    }
  }
  EXPECT_EQ(EnumWord(kScalarType, 16), "");
  EXPECT_EQ(EnumWord(kScalarType, -1), "");
  EXPECT_EQ(EnumWord(TypeKind::kInt, 0), "");
}

}  // namespace
}  // namespace opcompat
