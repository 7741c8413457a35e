#include "schema/enum_words.h"

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace opcompat {
namespace {

struct Entry {
  TypeKind kind;
  int64_t number;
  absl::string_view word;
  absl::string_view alias;
};

constexpr Entry kEntries[] = {
    {TypeKind::kScalarType, 0, "uint8", "byte"},
    {TypeKind::kScalarType, 1, "int8", "char"},
    {TypeKind::kScalarType, 2, "int16", "short"},
    {TypeKind::kScalarType, 3, "int32", "int"},
    {TypeKind::kScalarType, 4, "int64", "long"},
    {TypeKind::kScalarType, 5, "float16", "half"},
    {TypeKind::kScalarType, 6, "float32", "float"},
    {TypeKind::kScalarType, 7, "float64", "double"},
    {TypeKind::kScalarType, 8, "complex32", ""},
    {TypeKind::kScalarType, 9, "complex64", "cfloat"},
    {TypeKind::kScalarType, 10, "complex128", "cdouble"},
    {TypeKind::kScalarType, 11, "bool", ""},
    {TypeKind::kScalarType, 12, "qint8", ""},
    {TypeKind::kScalarType, 13, "quint8", ""},
    {TypeKind::kScalarType, 14, "qint32", ""},
    {TypeKind::kScalarType, 15, "bfloat16", ""},
    {TypeKind::kLayout, 0, "strided", ""},
    {TypeKind::kLayout, 1, "sparse_coo", ""},
    {TypeKind::kLayout, 2, "sparse_csr", ""},
    {TypeKind::kLayout, 3, "mkldnn", ""},
    {TypeKind::kMemoryFormat, 0, "contiguous_format", ""},
    {TypeKind::kMemoryFormat, 1, "preserve_format", ""},
    {TypeKind::kMemoryFormat, 2, "channels_last", ""},
    {TypeKind::kMemoryFormat, 3, "channels_last_3d", ""},
    {TypeKind::kReduction, 0, "None", ""},
    {TypeKind::kReduction, 1, "Mean", ""},
    {TypeKind::kReduction, 2, "Sum", ""},
};

}  // namespace

absl::optional<int64_t> EnumNumber(TypeKind kind, absl::string_view word) {
  if (word.empty()) return absl::nullopt;
  for (const Entry& entry : kEntries) {
    if (entry.kind == kind && (entry.word == word || entry.alias == word)) {
      return entry.number;
    }
  }
  return absl::nullopt;
}

absl::string_view EnumWord(TypeKind kind, int64_t number) {
  for (const Entry& entry : kEntries) {
    if (entry.kind == kind && entry.number == number) return entry.word;
  }
  return "";
}

}  // namespace opcompat
