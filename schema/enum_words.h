// The words of the enum types and the numbers that they stand for. Schemas
// spell the word (`dtype=long`), modules print the number; both mean the same.
#ifndef OPCOMPAT_SCHEMA_ENUM_WORDS_H_
#define OPCOMPAT_SCHEMA_ENUM_WORDS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "schema/type.h"

namespace opcompat {

// The number of `word` at an enum type (IsEnumKind), or nullopt: unknown words
// are not an error, they stay opaque.
absl::optional<int64_t> EnumNumber(TypeKind kind, absl::string_view word);

// The preferred word of `number` (`float32`, not `float`), or empty.
absl::string_view EnumWord(TypeKind kind, int64_t number);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_ENUM_WORDS_H_
