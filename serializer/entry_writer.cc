#include "serializer/entry_writer.h"

#include <cstdint>
#include <vector>

#include "absl/types/optional.h"

namespace opcompat {
namespace encoding {
namespace {

constexpr uint32_t kOperators = 10;

// "Plus one" of wire/module.proto: 0 stands for nothing.
constexpr uint64_t PlusOne(uint32_t index) { return uint64_t{index} + 1; }

// Values that may be none: 1 is none, 2 + i is others[i].
constexpr uint64_t kNoValue = 1;
constexpr uint64_t ValueReference(uint32_t other) {
  return uint64_t{other} + 2;
}

// Writes messages where they stay: fields of one entry are many and small.
class EntryWriter {
 public:
  EntryWriter(TableWriter* tables, std::set<std::string>* features,
              ByteWriter* out)
      : tables_(*tables), features_(*features), out_(*out) {}

  void Write(const OperatorEntry& entry) {
    const ByteWriter::Nested message = out_.BeginElement(kOperators);
    Strings(1, entry.names);
    out_.Uint(2, tables_.String(entry.history));
    WriteOrigin(3, entry.origin);
    out_.Uint(4, entry.revision);
    WriteOrigin(5, entry.revision_origin);
    if (entry.revision > 1) features_.insert("revisions");
    for (const EntryArgument& argument : entry.arguments) {
      const ByteWriter::Nested element = out_.BeginElement(6);
      Argument(argument);
      out_.EndElement(element);
    }
    out_.Uint(7, entry.is_vararg);
    for (const EntryResult& result : entry.results) {
      const ByteWriter::Nested element = out_.BeginElement(8);
      if (!result.name.empty()) {
        out_.Uint(1, PlusOne(tables_.String(result.name)));
      }
      out_.Uint(2, tables_.Type(result.type));
      WriteAlias(3, result.alias);
      out_.EndElement(element);
    }
    out_.Uint(9, entry.is_varret);
    for (const CoveredMarks& marks : entry.covered_marks) {
      features_.insert("covered_marks");
      const ByteWriter::Nested element = out_.BeginElement(10);
      Marks(marks);
      out_.EndElement(element);
    }
    out_.EndElement(message);
  }

 private:
  void Strings(uint32_t field, const std::vector<std::string>& strings) {
    const ByteWriter::Nested column = out_.BeginColumn(field);
    for (const std::string& s : strings) out_.Varint(tables_.String(s));
    out_.EndColumn(column);
  }

  void WriteOrigin(uint32_t field, const Origin& origin) {
    if (origin.is_base()) return;
    features_.insert("origins");
    const ByteWriter::Nested message = out_.BeginElement(field);
    out_.Uint(1, PlusOne(tables_.String(origin.first)));
    if (!origin.after.empty()) {
      out_.Uint(2, PlusOne(tables_.String(origin.after)));
    }
    out_.EndElement(message);
  }

  void WriteAlias(uint32_t field, const AliasAnnotations& annotations) {
    for (const AliasAnnotation& annotation : annotations) {
      const ByteWriter::Nested message = out_.BeginElement(field);
      out_.Uint(1, annotation.place);
      Strings(2, annotation.before);
      Strings(3, annotation.after);
      out_.Uint(4, annotation.write);
      out_.EndElement(message);
    }
  }

  // A value or none, explicitly, and the type at which it was declared.
  void WriteTypedValue(uint32_t value_field, uint32_t type_field,
                       const absl::optional<TypedValue>& value) {
    if (!value) {
      out_.Uint(value_field, kNoValue);
      return;
    }
    out_.Uint(value_field, ValueReference(tables_.Other(value->value)));
    out_.Uint(type_field, PlusOne(tables_.Type(value->type)));
  }

  void Argument(const EntryArgument& argument) {
    Strings(1, argument.names);
    WriteOrigin(2, argument.origin);
    out_.Uint(3, argument.is_exposed() ? 1 : 2);
    out_.Uint(4, tables_.Type(argument.type));
    WriteAlias(5, argument.alias);
    out_.Uint(6, argument.keyword_only);
    out_.Uint(7, argument.ignorable);
    for (const EqualValues& equal : argument.equal_values) {
      const ByteWriter::Nested message = out_.BeginElement(8);
      out_.Uint(1, tables_.Other(equal.value.value));
      out_.Uint(2, tables_.Type(equal.value.type));
      out_.Uint(3, tables_.Other(equal.means.value));
      out_.Uint(4, tables_.Type(equal.means.type));
      out_.EndElement(message);
    }
    out_.Uint(9, argument.default_value
                     ? ValueReference(tables_.Other(*argument.default_value))
                     : kNoValue);
    WriteTypedValue(10, 11, argument.neutral);
    WriteTypedValue(12, 13, argument.retired);

    if (argument.neutral) features_.insert("neutral_values");
    if (!argument.is_exposed()) features_.insert("retired_arguments");
    if (argument.ignorable) features_.insert("ignorable_arguments");
    if (!argument.equal_values.empty()) features_.insert("equal_values");
  }

  void Marks(const CoveredMarks& marks) {
    for (const CoveredMarks::OfArgument& argument : marks.arguments) {
      const ByteWriter::Nested message = out_.BeginElement(1);
      out_.Uint(1, tables_.String(argument.name));
      WriteAlias(2, argument.alias);
      out_.EndElement(message);
    }
    for (const AliasAnnotations& result : marks.results) {
      const ByteWriter::Nested message = out_.BeginElement(2);
      WriteAlias(1, result);
      out_.EndElement(message);
    }
  }

  TableWriter& tables_;
  std::set<std::string>& features_;
  ByteWriter& out_;
};

}  // namespace

void WriteEntry(const OperatorEntry& entry, TableWriter* tables,
                ByteWriter* out, std::set<std::string>* features) {
  EntryWriter(tables, features, out).Write(entry);
}

}  // namespace encoding
}  // namespace opcompat
