#include "deserializer/entry_reader.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "base/concat.h"
#include "base/escape.h"
#include "base/hash_map.h"
#include "base/status_macros.h"
#include "deserializer/entry_fields.h"
#include "deserializer/entry_match.h"
#include "schema/operator_schema.h"
#include "schema/typing.h"

namespace opcompat {
namespace decoding {
namespace {

// A name for messages: readable, and not longer than people read.
std::string Shorten(absl::string_view name) {
  constexpr size_t kMaxBytes = 200;
  return HexEscape(name.substr(0, kMaxBytes));
}

class EntryReader {
 public:
  EntryReader(const FileFields& file, const Tables& tables,
              const KnownEntries* known, Budget* budget)
      : file_(file), tables_(tables), known_(known), budget_(*budget) {}

  absl::StatusOr<std::vector<OperatorEntryPtr>> ReadAll() {
    std::vector<OperatorEntryPtr> entries;
    entries.reserve(file_.operators.size());
    HashSet<std::pair<absl::string_view, uint32_t>> seen;
    seen.reserve(file_.operators.size());
    for (size_t i = 0; i < file_.operators.size(); ++i) {
      OPCOMPAT_ASSIGN_OR_RETURN(OperatorEntryPtr entry, ReadOne(i));
      if (!seen.emplace(entry->name(), entry->revision).second) {
        SetPlace(i, entry->name());
        return Malformed("its revision ", entry->revision, " is there twice");
      }
      entries.push_back(std::move(entry));
    }
    return entries;
  }

  absl::StatusOr<OperatorEntryPtr> ReadOne(size_t i) {
    SetPlace(i, "");
    EntryFields fields;
    OPCOMPAT_RETURN_IF_ERROR(ReadFields(file_.operators[i], &fields));
    if (OperatorEntryPtr known = FindKnown(fields); known != nullptr) {
      OPCOMPAT_RETURN_IF_ERROR(CheckFeatures(i, *known));
      return known;
    }
    OPCOMPAT_ASSIGN_OR_RETURN(OperatorEntry entry, ReadEntry(fields));
    OPCOMPAT_RETURN_IF_ERROR(CheckFeatures(i, entry));
    return std::make_shared<const OperatorEntry>(std::move(entry));
  }

 private:
  // The known entry that these are the fields of; null: none.
  OperatorEntryPtr FindKnown(const EntryFields& fields) const {
    if (known_ == nullptr) return nullptr;
    const absl::string_view names = fields.names.bytes();
    const char* p = names.data();
    uint64_t name = 0;
    if (!ReadVarint(&p, names.data() + names.size(), &name) ||
        name >= tables_.strings.size() ||
        fields.history >= tables_.strings.size()) {
      return nullptr;
    }
    for (OperatorEntryPtr& entry : known_->Find(
             tables_.strings[fields.history],
             tables_.strings[static_cast<size_t>(name)], fields.revision)) {
      if (entry != nullptr && MatchesEntry(fields, tables_, *entry)) {
        return std::move(entry);
      }
    }
    return nullptr;
  }

  void SetPlace(size_t i, absl::string_view name) {
    index_ = i;
    name_ = name;
    argument_ = absl::string_view();
  }

  // Where in the file we are, as far as that is known.
  std::string Where() const {
    std::string where = Concat("operator ", index_, " (offset ",
                               file_.operators[index_].offset, ")");
    if (!name_.empty()) ConcatTo(&where, ", ", Shorten(name_));
    if (!argument_.empty()) {
      ConcatTo(&where, ", argument `", Shorten(argument_), "`");
    }
    return where;
  }

  template <typename... What>
  absl::Status Malformed(const What&... what) const {
    return absl::InvalidArgumentError(
        Concat("malformed file: ", Where(), ": ", what...));
  }

  absl::StatusOr<OperatorEntry> ReadEntry(const EntryFields& fields) {
    OperatorEntry entry;
    entry.revision = fields.revision;
    entry.is_vararg = fields.is_vararg;
    entry.is_varret = fields.is_varret;
    OPCOMPAT_ASSIGN_OR_RETURN(entry.names, ReadNames(fields.names, "name"));
    name_ = entry.name();
    if (entry.revision == 0) {
      return Malformed("no revision; they count from 1");
    }
    OPCOMPAT_ASSIGN_OR_RETURN(entry.history,
                              ReadAnyString(fields.history, "history"));
    OPCOMPAT_ASSIGN_OR_RETURN(entry.origin, MakeOrigin(fields.origin));
    OPCOMPAT_ASSIGN_OR_RETURN(entry.revision_origin,
                              MakeOrigin(fields.revision_origin));
    entry.arguments.reserve(fields.arguments.size());
    for (const FileSpan& argument : fields.arguments) {
      OPCOMPAT_ASSIGN_OR_RETURN(EntryArgument read, ReadArgument(argument));
      if (read.is_exposed() && !entry.arguments.empty() &&
          !entry.arguments.back().is_exposed()) {
        return Malformed("the exposed argument `", read.name(),
                         "` stands after a retired one");
      }
      entry.arguments.push_back(std::move(read));
    }
    entry.results.reserve(fields.results.size());
    for (const FileSpan& result : fields.results) {
      OPCOMPAT_ASSIGN_OR_RETURN(EntryResult read, ReadResult(result));
      entry.results.push_back(std::move(read));
    }
    for (const FileSpan& marks : fields.covered_marks) {
      OPCOMPAT_ASSIGN_OR_RETURN(CoveredMarks read, ReadMarks(marks));
      entry.covered_marks.push_back(std::move(read));
    }
    if (const std::string beyond = BeyondEntryLimits(entry); !beyond.empty()) {
      return absl::ResourceExhaustedError(Concat(Where(), ": ", beyond));
    }
    OPCOMPAT_RETURN_IF_ERROR(CheckAsSchema(entry));
    return entry;
  }

  // Copied; strings may be shared by many, so it costs.
  absl::StatusOr<std::string> ReadAnyString(uint32_t index,
                                            absl::string_view what) {
    if (index >= tables_.strings.size()) {
      return Malformed("its ", what, " is string ", index, " of ",
                       tables_.strings.size());
    }
    const absl::string_view s = tables_.strings[index];
    OPCOMPAT_RETURN_IF_ERROR(budget_.SpendText(s.size() + 1, "names"));
    return std::string(s);
  }

  // Names are not empty.
  absl::StatusOr<std::string> ReadString(uint32_t index,
                                         absl::string_view what) {
    OPCOMPAT_ASSIGN_OR_RETURN(std::string s, ReadAnyString(index, what));
    if (s.empty()) return Malformed("its ", what, " is empty");
    return s;
  }

  absl::StatusOr<std::vector<std::string>> ReadStrings(
      const VarintColumn& column, absl::string_view what) {
    OPCOMPAT_ASSIGN_OR_RETURN(const std::vector<uint32_t> indices,
                              ReadUint32s(column, what));
    std::vector<std::string> strings;
    strings.reserve(indices.size());
    for (const uint32_t index : indices) {
      OPCOMPAT_ASSIGN_OR_RETURN(std::string s, ReadString(index, what));
      strings.push_back(std::move(s));
    }
    return strings;
  }

  // At least one name, each once.
  absl::StatusOr<std::vector<std::string>> ReadNames(const VarintColumn& column,
                                                     absl::string_view what) {
    OPCOMPAT_ASSIGN_OR_RETURN(std::vector<std::string> names,
                              ReadStrings(column, what));
    if (names.empty()) return Malformed("there is no ", what);
    if (names.size() == 1) return names;
    HashSet<absl::string_view> seen;
    for (const std::string& name : names) {
      if (!seen.insert(name).second) {
        return Malformed("the ", what, " `", name, "` is there twice");
      }
    }
    return names;
  }

  absl::StatusOr<Origin> MakeOrigin(const OriginFields& raw) {
    Origin origin;
    if (raw.first != 0) {
      OPCOMPAT_ASSIGN_OR_RETURN(origin.first,
                                ReadString(raw.first - 1, "version of origin"));
    }
    if (raw.after != 0) {
      if (raw.first == 0) {
        return Malformed("an origin has a beginning but no end");
      }
      OPCOMPAT_ASSIGN_OR_RETURN(origin.after,
                                ReadString(raw.after - 1, "version of origin"));
    }
    return origin;
  }

  absl::StatusOr<Type> ReadType(uint32_t index) {
    if (index >= tables_.types.size()) {
      return Malformed("it names type ", index, " of ", tables_.types.size());
    }
    OPCOMPAT_RETURN_IF_ERROR(
        budget_.SpendText(tables_.type_sizes[index], "types of operators"));
    return tables_.types[index];
  }

  // The form of a constant depends on the type at which it stands.
  absl::StatusOr<Value> ReadValue(uint32_t other, const Type& type,
                                  absl::string_view what) {
    if (other >= tables_.others.size()) {
      return Malformed("its ", what, " is constant ", other, " of ",
                       tables_.others.size());
    }
    const Value& value = tables_.others[other];
    OPCOMPAT_RETURN_IF_ERROR(
        budget_.SpendParts(tables_.other_sizes[other], "values of operators"));
    const absl::StatusOr<Value> coerced = CoerceLiteral(value, type);
    if (!coerced.ok()) {
      return Malformed("its ", what, ": ", coerced.status().message());
    }
    if (*coerced != value) {
      return Malformed("its ", what, " is ", value.ToShortString(), "; at ",
                       type.ToShortString(), " ", coerced->ToShortString(),
                       " was expected");
    }
    return value;
  }

  // `reference` says explicitly: a value or none.
  absl::StatusOr<absl::optional<TypedValue>> ReadTypedValue(
      uint32_t reference, uint32_t type, absl::string_view what) {
    if (reference == 0) {
      return Malformed("it does not say whether there is a ", what);
    }
    if ((reference == kNoValue) != (type == 0)) {
      return Malformed("its ", what, " has a value without a type or a type ",
                       "without a value");
    }
    if (reference == kNoValue) return absl::optional<TypedValue>();
    TypedValue typed;
    OPCOMPAT_ASSIGN_OR_RETURN(typed.type, ReadType(type - 1));
    OPCOMPAT_ASSIGN_OR_RETURN(
        typed.value, ReadValue(reference - kFirstValue, typed.type, what));
    return absl::make_optional(std::move(typed));
  }

  absl::StatusOr<EntryArgument> ReadArgument(const FileSpan& span) {
    ArgumentFields fields;
    OPCOMPAT_RETURN_IF_ERROR(ReadFields(span, &fields));
    EntryArgument argument;
    argument.keyword_only = fields.keyword_only;
    argument.ignorable = fields.ignorable;
    OPCOMPAT_ASSIGN_OR_RETURN(argument.names,
                              ReadNames(fields.names, "name of an argument"));
    argument_ = argument.name();
    if (fields.state != kExposed && fields.state != kRetired) {
      return Malformed("it is neither exposed nor retired, but in state ",
                       fields.state);
    }
    argument.state = fields.state == kExposed ? ArgumentState::kExposed
                                              : ArgumentState::kRetired;
    OPCOMPAT_ASSIGN_OR_RETURN(argument.origin, MakeOrigin(fields.origin));
    OPCOMPAT_ASSIGN_OR_RETURN(argument.type, ReadType(fields.type));
    OPCOMPAT_ASSIGN_OR_RETURN(argument.alias, ReadAlias(fields.alias));
    for (const FileSpan& equal : fields.equal_values) {
      OPCOMPAT_ASSIGN_OR_RETURN(EqualValues read, ReadEqualValues(equal));
      argument.equal_values.push_back(std::move(read));
    }
    if (fields.default_value == 0) {
      return Malformed("it does not say whether there is a default");
    }
    if (fields.default_value != kNoValue) {
      if (!argument.is_exposed())
        return Malformed("a retired one has no default");
      OPCOMPAT_ASSIGN_OR_RETURN(argument.default_value,
                                ReadValue(fields.default_value - kFirstValue,
                                          argument.type, "default"));
    }
    OPCOMPAT_ASSIGN_OR_RETURN(
        argument.neutral,
        ReadTypedValue(fields.neutral, fields.neutral_type, "neutral value"));
    OPCOMPAT_ASSIGN_OR_RETURN(
        argument.retired,
        ReadTypedValue(fields.retired, fields.retired_type, "retired value"));
    if (argument.is_exposed() && argument.retired.has_value()) {
      return Malformed("an exposed one has no retired value");
    }
    argument_ = absl::string_view();
    return argument;
  }

  absl::StatusOr<EqualValues> ReadEqualValues(const FileSpan& span) {
    uint32_t value = 0;
    uint32_t value_type = 0;
    uint32_t means = 0;
    uint32_t means_type = 0;
    FieldReader fields(span, "an equal value");
    while (fields.Next()) {
      switch (fields.number()) {
        case 1:
          value = fields.Uint32();
          break;
        case 2:
          value_type = fields.Uint32();
          break;
        case 3:
          means = fields.Uint32();
          break;
        case 4:
          means_type = fields.Uint32();
          break;
        default:
          break;
      }
    }
    OPCOMPAT_RETURN_IF_ERROR(fields.status());
    EqualValues equal;
    OPCOMPAT_ASSIGN_OR_RETURN(equal.value.type, ReadType(value_type));
    OPCOMPAT_ASSIGN_OR_RETURN(
        equal.value.value, ReadValue(value, equal.value.type, "equal value"));
    OPCOMPAT_ASSIGN_OR_RETURN(equal.means.type, ReadType(means_type));
    OPCOMPAT_ASSIGN_OR_RETURN(
        equal.means.value, ReadValue(means, equal.means.type, "equal value"));
    return equal;
  }

  // Places in the type are checked with the schema; their order is here.
  absl::StatusOr<AliasAnnotations> ReadAlias(absl::Span<const FileSpan> spans) {
    AliasAnnotations annotations;
    for (const FileSpan& span : spans) {
      AliasFields fields;
      OPCOMPAT_RETURN_IF_ERROR(ReadFields(span, &fields));
      AliasAnnotation annotation;
      annotation.place = fields.place;
      annotation.write = fields.write;
      OPCOMPAT_ASSIGN_OR_RETURN(annotation.before,
                                ReadStrings(fields.before, "alias set"));
      OPCOMPAT_ASSIGN_OR_RETURN(annotation.after,
                                ReadStrings(fields.after, "alias set"));
      if (!annotations.empty() &&
          annotation.place <= annotations.back().place) {
        return Malformed("alias annotations stand at place ", annotation.place,
                         " after place ", annotations.back().place);
      }
      annotations.push_back(std::move(annotation));
    }
    return annotations;
  }

  absl::StatusOr<EntryResult> ReadResult(const FileSpan& span) {
    ResultFields fields;
    OPCOMPAT_RETURN_IF_ERROR(ReadFields(span, &fields));
    EntryResult result;
    if (fields.name != 0) {
      OPCOMPAT_ASSIGN_OR_RETURN(
          result.name, ReadString(fields.name - 1, "name of a result"));
    }
    OPCOMPAT_ASSIGN_OR_RETURN(result.type, ReadType(fields.type));
    OPCOMPAT_ASSIGN_OR_RETURN(result.alias, ReadAlias(fields.alias));
    return result;
  }

  absl::StatusOr<CoveredMarks> ReadMarks(const FileSpan& span) {
    CoveredMarks marks;
    std::vector<FileSpan> arguments;
    std::vector<FileSpan> results;
    FieldReader fields(span, "covered marks");
    while (fields.Next()) {
      if (fields.number() == 1) arguments.push_back(fields.Span());
      if (fields.number() == 2) results.push_back(fields.Span());
    }
    OPCOMPAT_RETURN_IF_ERROR(fields.status());
    HashSet<std::string> names;
    for (const FileSpan& argument : arguments) {
      uint32_t name = 0;
      std::vector<FileSpan> alias;
      FieldReader inner(argument, "covered marks of an argument");
      while (inner.Next()) {
        if (inner.number() == 1) name = inner.Uint32();
        if (inner.number() == 2) alias.push_back(inner.Span());
      }
      OPCOMPAT_RETURN_IF_ERROR(inner.status());
      CoveredMarks::OfArgument read;
      OPCOMPAT_ASSIGN_OR_RETURN(read.name,
                                ReadString(name, "name of an argument"));
      OPCOMPAT_ASSIGN_OR_RETURN(read.alias, ReadAlias(alias));
      if (!names.insert(read.name).second) {
        return Malformed("covered marks of `", read.name, "` are there twice");
      }
      marks.arguments.push_back(std::move(read));
    }
    for (const FileSpan& result : results) {
      std::vector<FileSpan> alias;
      FieldReader inner(result, "covered marks of a result");
      while (inner.Next()) {
        if (inner.number() == 1) alias.push_back(inner.Span());
      }
      OPCOMPAT_RETURN_IF_ERROR(inner.status());
      OPCOMPAT_ASSIGN_OR_RETURN(AliasAnnotations read, ReadAlias(alias));
      marks.results.push_back(std::move(read));
    }
    return marks;
  }

  // Builds the schema that the entry's exposed part is; it checks the rest.
  absl::Status CheckAsSchema(const OperatorEntry& entry) const {
    const size_t colons = entry.name().find("::");
    const size_t dot = colons == std::string::npos
                           ? std::string::npos
                           : entry.name().find('.', colons);
    std::vector<Argument> arguments;
    arguments.reserve(entry.arguments.size());
    for (const EntryArgument& argument : entry.arguments) {
      if (!argument.is_exposed()) break;
      Argument formal;
      formal.name = argument.name();
      formal.type = argument.type;
      formal.alias = argument.alias;
      formal.default_value = argument.default_value;
      formal.keyword_only = argument.keyword_only;
      arguments.push_back(std::move(formal));
    }
    std::vector<Result> results;
    results.reserve(entry.results.size());
    for (const EntryResult& result : entry.results) {
      results.push_back({result.name, result.type, result.alias});
    }
    const absl::StatusOr<OperatorSchema> schema = OperatorSchema::Create(
        entry.name().substr(0, dot),
        dot == std::string::npos ? "" : entry.name().substr(dot + 1),
        std::move(arguments), std::move(results), entry.is_vararg,
        entry.is_varret);
    if (!schema.ok()) return Malformed(schema.status().message());
    return absl::OkStatus();
  }

  // A reader that does not know a feature must have been warned of it.
  absl::Status CheckFeatures(size_t i, const OperatorEntry& entry) {
    const auto require = [&](bool used, absl::string_view feature) {
      if (!used || file_.required_features.contains(feature)) {
        return absl::OkStatus();
      }
      SetPlace(i, entry.name());
      return Malformed("it uses the feature \"", feature,
                       "\", which the file does not require");
    };
    bool origins = !entry.origin.is_base() || !entry.revision_origin.is_base();
    bool neutral_values = false;
    bool retired_arguments = false;
    bool ignorable_arguments = false;
    bool equal_values = false;
    for (const EntryArgument& argument : entry.arguments) {
      origins |= !argument.origin.is_base();
      neutral_values |= argument.neutral.has_value();
      retired_arguments |= !argument.is_exposed();
      ignorable_arguments |= argument.ignorable;
      equal_values |= !argument.equal_values.empty();
    }
    OPCOMPAT_RETURN_IF_ERROR(require(origins, "origins"));
    OPCOMPAT_RETURN_IF_ERROR(require(entry.revision > 1, "revisions"));
    OPCOMPAT_RETURN_IF_ERROR(
        require(!entry.covered_marks.empty(), "covered_marks"));
    OPCOMPAT_RETURN_IF_ERROR(require(neutral_values, "neutral_values"));
    OPCOMPAT_RETURN_IF_ERROR(require(retired_arguments, "retired_arguments"));
    OPCOMPAT_RETURN_IF_ERROR(
        require(ignorable_arguments, "ignorable_arguments"));
    return require(equal_values, "equal_values");
  }

  const FileFields& file_;
  const Tables& tables_;
  const KnownEntries* const known_;  // may be null
  Budget& budget_;
  // What is being read, for messages. The names are those of entries.
  size_t index_ = 0;
  absl::string_view name_;
  absl::string_view argument_;
};

}  // namespace

absl::StatusOr<std::vector<OperatorEntryPtr>> ReadEntries(
    const FileFields& file, const Tables& tables, const KnownEntries* known,
    Budget* budget) {
  return EntryReader(file, tables, known, budget).ReadAll();
}

absl::StatusOr<OperatorEntryPtr> ReadEntry(const FileFields& file, size_t i,
                                           const Tables& tables,
                                           Budget* budget) {
  return EntryReader(file, tables, nullptr, budget).ReadOne(i);
}

}  // namespace decoding
}  // namespace opcompat
