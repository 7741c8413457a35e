#include "schema/operator_entry.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/concat.h"
#include "schema/operator_schema.h"

namespace opcompat {

bool operator==(const EntryArgument& a, const EntryArgument& b) {
  return a.names == b.names && a.origin == b.origin && a.state == b.state &&
         a.type == b.type && a.alias == b.alias &&
         a.keyword_only == b.keyword_only && a.ignorable == b.ignorable &&
         a.equal_values == b.equal_values &&
         a.default_value == b.default_value && a.neutral == b.neutral &&
         a.retired == b.retired;
}

bool operator==(const OperatorEntry& a, const OperatorEntry& b) {
  return a.names == b.names && a.history == b.history && a.origin == b.origin &&
         a.revision == b.revision && a.revision_origin == b.revision_origin &&
         a.arguments == b.arguments && a.is_vararg == b.is_vararg &&
         a.results == b.results && a.is_varret == b.is_varret &&
         a.covered_marks == b.covered_marks;
}

size_t OperatorEntry::num_exposed() const {
  // From behind: few are retired.
  size_t count = arguments.size();
  while (count > 0 && !arguments[count - 1].is_exposed()) --count;
  return count;
}

absl::optional<size_t> OperatorEntry::FindExposed(
    absl::string_view name) const {
  for (size_t i = 0; i < arguments.size() && arguments[i].is_exposed(); ++i) {
    if (arguments[i].name() == name) return i;
  }
  return absl::nullopt;
}

std::string OperatorEntry::ToString() const {
  std::vector<Argument> formals;
  for (const EntryArgument& argument : arguments) {
    if (!argument.is_exposed()) break;
    Argument formal;
    formal.name = argument.name();
    formal.type = argument.type;
    formal.alias = argument.alias;
    formal.default_value = argument.default_value;
    formal.keyword_only = argument.keyword_only;
    formals.push_back(std::move(formal));
  }
  std::vector<Result> returned;
  returned.reserve(results.size());
  for (const EntryResult& result : results) {
    returned.push_back(Result{result.name, result.type, result.alias});
  }
  return SchemaToString(name(), formals, is_vararg, returned, is_varret);
}

std::string OperatorEntry::ToShortString(size_t max_bytes) const {
  size_t bytes = name().size();
  for (const EntryArgument& argument : arguments) {
    if (!argument.is_exposed() || bytes > max_bytes) break;
    bytes += argument.name().size() +
             argument.type.ToShortString(max_bytes).size() + 2;
    if (argument.default_value.has_value()) {
      bytes += argument.default_value->ToShortString(max_bytes).size();
    }
    for (const AliasAnnotation& annotation : argument.alias) {
      for (const std::string& set : annotation.before) bytes += set.size();
      for (const std::string& set : annotation.after) bytes += set.size();
    }
  }
  for (const EntryResult& result : results) {
    if (bytes > max_bytes) break;
    bytes += result.name.size() + result.type.ToShortString(max_bytes).size();
  }
  if (bytes <= max_bytes) return ToString();
  return Concat(absl::string_view(name()).substr(0, max_bytes),
                ", a schema with ", num_exposed(), " arguments and ",
                results.size(), " results");
}

namespace {

// How much of what is bounded over a whole entry there is.
struct EntryTotals {
  size_t names = 0;
  size_t marks = 0;
  size_t longest_name = 0;

  void AddNames(const std::vector<std::string>& added) {
    names += added.size();
    for (const std::string& name : added) AddBytes(name);
  }
  void AddMarks(const AliasAnnotations& alias) {
    for (const AliasAnnotation& annotation : alias) {
      marks += 1 + annotation.before.size() + annotation.after.size();
      for (const std::string& set : annotation.before) AddBytes(set);
      for (const std::string& set : annotation.after) AddBytes(set);
    }
  }
  void AddBytes(const std::string& name) {
    longest_name = std::max(longest_name, name.size());
  }
};

}  // namespace

std::string BeyondEntryLimits(const OperatorEntry& entry) {
  EntryTotals totals;
  size_t most_equal_values = 0;
  totals.AddNames(entry.names);
  totals.AddBytes(entry.history);
  for (const EntryArgument& argument : entry.arguments) {
    totals.AddNames(argument.names);
    totals.AddMarks(argument.alias);
    most_equal_values =
        std::max(most_equal_values, argument.equal_values.size());
  }
  for (const EntryResult& result : entry.results) {
    totals.AddBytes(result.name);
    totals.AddMarks(result.alias);
  }
  for (const CoveredMarks& covered : entry.covered_marks) {
    totals.marks += 1 + covered.arguments.size() + covered.results.size();
    for (const CoveredMarks::OfArgument& argument : covered.arguments) {
      totals.AddBytes(argument.name);
      totals.AddMarks(argument.alias);
    }
    for (const AliasAnnotations& alias : covered.results) {
      totals.AddMarks(alias);
    }
  }
  struct Bound {
    size_t found;
    size_t most;
    const char* what;
  };
  for (const Bound& bound : {
           Bound{entry.arguments.size(), kMaxEntryArguments, "arguments"},
           Bound{entry.results.size(), kMaxEntryResults, "results"},
           Bound{totals.names, kMaxEntryNames, "names"},
           Bound{totals.marks, kMaxEntryMarks, "alias marks and sets"},
           Bound{most_equal_values, kMaxEqualValues,
                 "equal values of one argument"},
           Bound{totals.longest_name, kMaxNameBytes, "bytes in a name"},
       }) {
    if (bound.found <= bound.most) continue;
    return Concat(bound.found, " ", bound.what, "; at most ", bound.most,
                  " are possible");
  }
  return "";
}

OperatorEntry EntryOfSchema(const OperatorSchema& schema) {
  OperatorEntry entry;
  entry.names = {schema.full_name()};
  for (const Argument& formal : schema.arguments()) {
    EntryArgument argument;
    argument.names = {formal.name};
    argument.type = formal.type;
    argument.alias = formal.alias;
    argument.keyword_only = formal.keyword_only;
    argument.default_value = formal.default_value;
    entry.arguments.push_back(std::move(argument));
  }
  entry.is_vararg = schema.is_vararg();
  for (const Result& result : schema.results()) {
    entry.results.push_back({result.name, result.type, result.alias});
  }
  entry.is_varret = schema.is_varret();
  return entry;
}

}  // namespace opcompat
