// The fields of an operator's entry as they stand in a file: numbers that refer
// to tables, and messages inside that are not read yet. Says only whether the
// encoding is right; entry_reader.h says what the fields mean and must be, and
// entry_match.h whether they are those of an entry at hand.
#ifndef OPCOMPAT_DESERIALIZER_ENTRY_FIELDS_H_
#define OPCOMPAT_DESERIALIZER_ENTRY_FIELDS_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "deserializer/field_reader.h"

namespace opcompat {
namespace decoding {

// ArgumentFields::state.
constexpr uint32_t kExposed = 1;
constexpr uint32_t kRetired = 2;
// Values that may be none: 1 is none, 2 + i is others[i]. 0: nothing is said.
constexpr uint32_t kNoValue = 1;
constexpr uint32_t kFirstValue = 2;

// Strings, plus one; 0: none.
struct OriginFields {
  uint32_t first = 0;
  uint32_t after = 0;
};

struct EntryFields {
  VarintColumn names;
  uint32_t history = 0;
  OriginFields origin;
  uint32_t revision = 0;
  OriginFields revision_origin;
  absl::InlinedVector<FileSpan, 8> arguments;
  bool is_vararg = false;
  absl::InlinedVector<FileSpan, 2> results;
  bool is_varret = false;
  absl::InlinedVector<FileSpan, 1> covered_marks;
};

struct ArgumentFields {
  VarintColumn names;
  OriginFields origin;
  uint32_t state = 0;
  uint32_t type = 0;
  absl::InlinedVector<FileSpan, 1> alias;
  bool keyword_only = false;
  bool ignorable = false;
  absl::InlinedVector<FileSpan, 1> equal_values;
  // Values that may be none; the types are plus one, 0: none.
  uint32_t default_value = 0;
  uint32_t neutral = 0;
  uint32_t neutral_type = 0;
  uint32_t retired = 0;
  uint32_t retired_type = 0;
};

struct ResultFields {
  uint32_t name = 0;  // a string, plus one; 0: none
  uint32_t type = 0;
  absl::InlinedVector<FileSpan, 1> alias;
};

struct AliasFields {
  uint32_t place = 0;
  VarintColumn before;
  VarintColumn after;
  bool write = false;
};

// Each reads one message into an object that is as it was made. Returns
// InvalidArgument if the message is malformed.
absl::Status ReadFields(const FileSpan& span, EntryFields* entry);
absl::Status ReadFields(const FileSpan& span, ArgumentFields* argument);
absl::Status ReadFields(const FileSpan& span, ResultFields* result);
absl::Status ReadFields(const FileSpan& span, AliasFields* alias);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_ENTRY_FIELDS_H_
