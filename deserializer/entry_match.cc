#include "deserializer/entry_match.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace decoding {
namespace {

// As in entry_reader.cc: Argument.state, and values that may be none.
constexpr uint32_t kExposed = 1;
constexpr uint32_t kRetired = 2;
constexpr uint32_t kNoValue = 1;
constexpr uint32_t kFirstValue = 2;

class Matcher {
 public:
  explicit Matcher(const Tables& tables) : tables_(tables) {}

  bool Entry(const FileSpan& span, const OperatorEntry& entry) const {
    if (!entry.covered_marks.empty()) return false;
    VarintColumn names;
    uint32_t history = 0;
    OriginFields origin;
    OriginFields revision_origin;
    uint32_t revision = 0;
    bool is_vararg = false;
    bool is_varret = false;
    size_t num_arguments = 0;
    size_t num_results = 0;
    FieldReader fields(span, "an operator");
    while (fields.Next()) {
      switch (fields.number()) {
        case 1:
          fields.AddTo(&names);
          break;
        case 2:
          history = fields.Uint32();
          break;
        case 3:
          if (!ReadOrigin(fields.Span(), &origin)) return false;
          break;
        case 4:
          revision = fields.Uint32();
          break;
        case 5:
          if (!ReadOrigin(fields.Span(), &revision_origin)) return false;
          break;
        case 6:
          if (num_arguments == entry.arguments.size() ||
              !Argument(fields.Span(), entry.arguments[num_arguments++])) {
            return false;
          }
          break;
        case 7:
          is_vararg = fields.Bool();
          break;
        case 8:
          if (num_results == entry.results.size() ||
              !Result(fields.Span(), entry.results[num_results++])) {
            return false;
          }
          break;
        case 9:
          is_varret = fields.Bool();
          break;
        case 10:
          return false;
        default:
          break;
      }
    }
    return fields.status().ok() && num_arguments == entry.arguments.size() &&
           num_results == entry.results.size() && revision == entry.revision &&
           is_vararg == entry.is_vararg && is_varret == entry.is_varret &&
           Strings(names, entry.names) && String(history, entry.history) &&
           Origin(origin, entry.origin) &&
           Origin(revision_origin, entry.revision_origin);
  }

 private:
  // Strings, plus one; 0: none.
  struct OriginFields {
    uint32_t first = 0;
    uint32_t after = 0;
  };

  static bool ReadOrigin(const FileSpan& span, OriginFields* origin) {
    FieldReader fields(span, "an origin");
    while (fields.Next()) {
      if (fields.number() == 1) origin->first = fields.Uint32();
      if (fields.number() == 2) origin->after = fields.Uint32();
    }
    return fields.status().ok();
  }

  bool Origin(const OriginFields& fields,
              const opcompat::Origin& origin) const {
    return OptionalString(fields.first, origin.first) &&
           OptionalString(fields.after, origin.after);
  }

  bool String(uint32_t index, absl::string_view expected) const {
    return index < tables_.strings.size() && tables_.strings[index] == expected;
  }

  // `reference`: a string, plus one; 0: none, which is empty.
  bool OptionalString(uint32_t reference, absl::string_view expected) const {
    return reference == 0
               ? expected.empty()
               : !expected.empty() && String(reference - 1, expected);
  }

  bool Strings(const VarintColumn& column,
               const std::vector<std::string>& expected) const {
    const char* p = column.bytes().data();
    const char* const end = p + column.bytes().size();
    for (const std::string& s : expected) {
      uint64_t index = 0;
      if (!ReadVarint(&p, end, &index) || index >= tables_.strings.size() ||
          tables_.strings[static_cast<size_t>(index)] != s) {
        return false;
      }
    }
    return p == end;
  }

  bool IsType(uint32_t index, const Type& expected) const {
    return index < tables_.types.size() && tables_.types[index] == expected;
  }

  bool IsValue(uint32_t other, const Value& expected) const {
    return other < tables_.others.size() && tables_.others[other] == expected;
  }

  bool Typed(uint32_t reference, uint32_t type,
             const absl::optional<TypedValue>& expected) const {
    if (!expected.has_value()) return reference == kNoValue && type == 0;
    return reference >= kFirstValue && type > 0 &&
           IsType(type - 1, expected->type) &&
           IsValue(reference - kFirstValue, expected->value);
  }

  bool Argument(const FileSpan& span, const EntryArgument& argument) const {
    if (!argument.equal_values.empty()) return false;
    VarintColumn names;
    OriginFields origin;
    uint32_t state = 0;
    uint32_t type = 0;
    size_t num_marks = 0;
    bool keyword_only = false;
    bool ignorable = false;
    uint32_t default_value = 0;
    uint32_t neutral = 0;
    uint32_t neutral_type = 0;
    uint32_t retired = 0;
    uint32_t retired_type = 0;
    FieldReader fields(span, "an argument");
    while (fields.Next()) {
      switch (fields.number()) {
        case 1:
          fields.AddTo(&names);
          break;
        case 2:
          if (!ReadOrigin(fields.Span(), &origin)) return false;
          break;
        case 3:
          state = fields.Uint32();
          break;
        case 4:
          type = fields.Uint32();
          break;
        case 5:
          if (!Mark(fields.Span(), argument.alias, num_marks++)) return false;
          break;
        case 6:
          keyword_only = fields.Bool();
          break;
        case 7:
          ignorable = fields.Bool();
          break;
        case 8:
          return false;
        case 9:
          default_value = fields.Uint32();
          break;
        case 10:
          neutral = fields.Uint32();
          break;
        case 11:
          neutral_type = fields.Uint32();
          break;
        case 12:
          retired = fields.Uint32();
          break;
        case 13:
          retired_type = fields.Uint32();
          break;
        default:
          break;
      }
    }
    const bool same_default =
        argument.default_value.has_value()
            ? default_value >= kFirstValue &&
                  IsValue(default_value - kFirstValue, *argument.default_value)
            : default_value == kNoValue;
    return fields.status().ok() && same_default &&
           num_marks == argument.alias.size() &&
           keyword_only == argument.keyword_only &&
           ignorable == argument.ignorable &&
           state == (argument.is_exposed() ? kExposed : kRetired) &&
           IsType(type, argument.type) && Strings(names, argument.names) &&
           Origin(origin, argument.origin) &&
           Typed(neutral, neutral_type, argument.neutral) &&
           Typed(retired, retired_type, argument.retired);
  }

  // Whether the annotation is number `i` of those expected.
  bool Mark(const FileSpan& span, const AliasAnnotations& expected,
            size_t i) const {
    if (i >= expected.size()) return false;
    uint32_t place = 0;
    bool write = false;
    VarintColumn before;
    VarintColumn after;
    FieldReader fields(span, "an alias annotation");
    while (fields.Next()) {
      switch (fields.number()) {
        case 1:
          place = fields.Uint32();
          break;
        case 2:
          fields.AddTo(&before);
          break;
        case 3:
          fields.AddTo(&after);
          break;
        case 4:
          write = fields.Bool();
          break;
        default:
          break;
      }
    }
    return fields.status().ok() && place == expected[i].place &&
           write == expected[i].write && Strings(before, expected[i].before) &&
           Strings(after, expected[i].after);
  }

  bool Result(const FileSpan& span, const EntryResult& result) const {
    uint32_t name = 0;
    uint32_t type = 0;
    size_t num_marks = 0;
    FieldReader fields(span, "a result");
    while (fields.Next()) {
      switch (fields.number()) {
        case 1:
          name = fields.Uint32();
          break;
        case 2:
          type = fields.Uint32();
          break;
        case 3:
          if (!Mark(fields.Span(), result.alias, num_marks++)) return false;
          break;
        default:
          break;
      }
    }
    return fields.status().ok() && num_marks == result.alias.size() &&
           OptionalString(name, result.name) && IsType(type, result.type);
  }

  const Tables& tables_;
};

}  // namespace

bool MatchesEntry(const FileSpan& span, const Tables& tables,
                  const OperatorEntry& entry) {
  return Matcher(tables).Entry(span, entry);
}

}  // namespace decoding
}  // namespace opcompat
