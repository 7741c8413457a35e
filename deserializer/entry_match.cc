#include "deserializer/entry_match.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "deserializer/field_reader.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace decoding {
namespace {

class Matcher {
 public:
  explicit Matcher(const Tables& tables) : tables_(tables) {}

  bool Entry(const EntryFields& fields, const OperatorEntry& entry) const {
    return entry.covered_marks.empty() && fields.covered_marks.empty() &&
           fields.revision == entry.revision &&
           fields.is_vararg == entry.is_vararg &&
           fields.is_varret == entry.is_varret &&
           Strings(fields.names, entry.names) &&
           String(fields.history, entry.history) &&
           Origin(fields.origin, entry.origin) &&
           Origin(fields.revision_origin, entry.revision_origin) &&
           All(fields.arguments, entry.arguments) &&
           All(fields.results, entry.results);
  }

 private:
  // Whether the messages are those expected, one by one.
  template <typename Expected>
  bool All(absl::Span<const FileSpan> spans,
           const std::vector<Expected>& expected) const {
    if (spans.size() != expected.size()) return false;
    for (size_t i = 0; i < spans.size(); ++i) {
      if (!One(spans[i], expected[i])) return false;
    }
    return true;
  }

  bool One(const FileSpan& span, const EntryArgument& argument) const {
    ArgumentFields fields;
    return argument.equal_values.empty() && ReadFields(span, &fields).ok() &&
           fields.equal_values.empty() &&
           fields.keyword_only == argument.keyword_only &&
           fields.ignorable == argument.ignorable &&
           fields.state == (argument.is_exposed() ? kExposed : kRetired) &&
           IsType(fields.type, argument.type) &&
           Strings(fields.names, argument.names) &&
           Origin(fields.origin, argument.origin) &&
           Default(fields.default_value, argument.default_value) &&
           Typed(fields.neutral, fields.neutral_type, argument.neutral) &&
           Typed(fields.retired, fields.retired_type, argument.retired) &&
           All(fields.alias, argument.alias);
  }

  bool One(const FileSpan& span, const EntryResult& result) const {
    ResultFields fields;
    return ReadFields(span, &fields).ok() &&
           OptionalString(fields.name, result.name) &&
           IsType(fields.type, result.type) && All(fields.alias, result.alias);
  }

  bool One(const FileSpan& span, const AliasAnnotation& annotation) const {
    AliasFields fields;
    return ReadFields(span, &fields).ok() && fields.place == annotation.place &&
           fields.write == annotation.write &&
           Strings(fields.before, annotation.before) &&
           Strings(fields.after, annotation.after);
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

  bool Default(uint32_t reference,
               const absl::optional<Value>& expected) const {
    if (!expected.has_value()) return reference == kNoValue;
    return reference >= kFirstValue &&
           IsValue(reference - kFirstValue, *expected);
  }

  bool Typed(uint32_t reference, uint32_t type,
             const absl::optional<TypedValue>& expected) const {
    if (!expected.has_value()) return reference == kNoValue && type == 0;
    return reference >= kFirstValue && type > 0 &&
           IsType(type - 1, expected->type) &&
           IsValue(reference - kFirstValue, expected->value);
  }

  const Tables& tables_;
};

}  // namespace

bool MatchesEntry(const EntryFields& fields, const Tables& tables,
                  const OperatorEntry& entry) {
  return Matcher(tables).Entry(fields, entry);
}

}  // namespace decoding
}  // namespace opcompat
