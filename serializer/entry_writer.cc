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

class EntryWriter {
 public:
  EntryWriter(TableWriter* tables, std::set<std::string>* features)
      : tables_(tables), features_(features) {}

  ByteWriter Entry(const OperatorEntry& entry) {
    ByteWriter out;
    out.Column(1, Strings(entry.names));
    out.Uint(2, tables_->String(entry.history));
    WriteOrigin(3, entry.origin, &out);
    out.Uint(4, entry.revision);
    WriteOrigin(5, entry.revision_origin, &out);
    if (entry.revision > 1) features_->insert("revisions");
    for (const EntryArgument& argument : entry.arguments) {
      out.Element(6, Argument(argument).bytes());
    }
    out.Uint(7, entry.is_vararg);
    for (const EntryResult& result : entry.results) {
      ByteWriter message;
      if (!result.name.empty()) {
        message.Uint(1, PlusOne(tables_->String(result.name)));
      }
      message.Uint(2, tables_->Type(result.type));
      WriteAlias(3, result.alias, &message);
      out.Element(8, message.bytes());
    }
    out.Uint(9, entry.is_varret);
    for (const CoveredMarks& marks : entry.covered_marks) {
      features_->insert("covered_marks");
      out.Element(10, Marks(marks).bytes());
    }
    return out;
  }

 private:
  ByteWriter Strings(const std::vector<std::string>& strings) {
    ByteWriter column;
    for (const std::string& s : strings) column.Varint(tables_->String(s));
    return column;
  }

  void WriteOrigin(uint32_t field, const Origin& origin, ByteWriter* out) {
    if (origin.is_base()) return;
    features_->insert("origins");
    ByteWriter message;
    message.Uint(1, PlusOne(tables_->String(origin.first)));
    if (!origin.after.empty()) {
      message.Uint(2, PlusOne(tables_->String(origin.after)));
    }
    out->Element(field, message.bytes());
  }

  void WriteAlias(uint32_t field, const AliasAnnotations& annotations,
                  ByteWriter* out) {
    for (const AliasAnnotation& annotation : annotations) {
      ByteWriter message;
      message.Uint(1, annotation.place);
      message.Column(2, Strings(annotation.before));
      message.Column(3, Strings(annotation.after));
      message.Uint(4, annotation.write);
      out->Element(field, message.bytes());
    }
  }

  // A value or none, explicitly, and the type at which it was declared.
  void WriteTypedValue(uint32_t value_field, uint32_t type_field,
                       const absl::optional<TypedValue>& value,
                       ByteWriter* out) {
    if (!value) {
      out->Uint(value_field, kNoValue);
      return;
    }
    out->Uint(value_field, ValueReference(tables_->Other(value->value)));
    out->Uint(type_field, PlusOne(tables_->Type(value->type)));
  }

  ByteWriter Argument(const EntryArgument& argument) {
    ByteWriter out;
    out.Column(1, Strings(argument.names));
    WriteOrigin(2, argument.origin, &out);
    out.Uint(3, argument.is_exposed() ? 1 : 2);
    out.Uint(4, tables_->Type(argument.type));
    WriteAlias(5, argument.alias, &out);
    out.Uint(6, argument.keyword_only);
    out.Uint(7, argument.ignorable);
    for (const EqualValues& equal : argument.equal_values) {
      ByteWriter message;
      message.Uint(1, tables_->Other(equal.value.value));
      message.Uint(2, tables_->Type(equal.value.type));
      message.Uint(3, tables_->Other(equal.means.value));
      message.Uint(4, tables_->Type(equal.means.type));
      out.Element(8, message.bytes());
    }
    out.Uint(9, argument.default_value
                    ? ValueReference(tables_->Other(*argument.default_value))
                    : kNoValue);
    WriteTypedValue(10, 11, argument.neutral, &out);
    WriteTypedValue(12, 13, argument.retired, &out);

    if (argument.neutral) features_->insert("neutral_values");
    if (!argument.is_exposed()) features_->insert("retired_arguments");
    if (argument.ignorable) features_->insert("ignorable_arguments");
    if (!argument.equal_values.empty()) features_->insert("equal_values");
    return out;
  }

  ByteWriter Marks(const CoveredMarks& marks) {
    ByteWriter out;
    for (const CoveredMarks::OfArgument& argument : marks.arguments) {
      ByteWriter message;
      message.Uint(1, tables_->String(argument.name));
      WriteAlias(2, argument.alias, &message);
      out.Element(1, message.bytes());
    }
    for (const AliasAnnotations& result : marks.results) {
      ByteWriter message;
      WriteAlias(1, result, &message);
      out.Element(2, message.bytes());
    }
    return out;
  }

  TableWriter* tables_;
  std::set<std::string>* features_;
};

}  // namespace

void WriteEntry(const OperatorEntry& entry, TableWriter* tables,
                ByteWriter* out, std::set<std::string>* features) {
  out->Element(kOperators, EntryWriter(tables, features).Entry(entry).bytes());
}

}  // namespace encoding
}  // namespace opcompat
