#include "schema/operator_entry.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
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
  const auto end = std::find_if_not(
      arguments.begin(), arguments.end(),
      [](const EntryArgument& argument) { return argument.is_exposed(); });
  return end - arguments.begin();
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
