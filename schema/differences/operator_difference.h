// What differs between two versions of one operator, as data: one Difference
// for each thing that a person would name ("argument renamed", "default
// changed"). Says nothing of what a difference breaks; check/ does.
//
// Values are compared, not spellings: `[1, 1]` is `1` at `int[2]`.
#ifndef OPCOMPAT_SCHEMA_DIFFERENCES_OPERATOR_DIFFERENCE_H_
#define OPCOMPAT_SCHEMA_DIFFERENCES_OPERATOR_DIFFERENCE_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"

namespace opcompat {

// In the order in which they are listed.
enum class DifferenceKind {
  kOperatorAdded,
  kOperatorRemoved,
  kOperatorRenamed,
  // The meaning changed, by declaration.
  kRevisionChanged,
  kArgumentAdded,
  kArgumentRemoved,
  kArgumentRenamed,
  // Arguments that both have stand in another order.
  kArgumentsReordered,
  kMadeKeywordOnly,
  kMadePositional,
  kTypeChanged,
  // Added, removed, or another value at the argument's type.
  kDefaultChanged,
  // `...` after the arguments.
  kVarargChanged,
  kResultAdded,
  kResultRemoved,
  kResultRetyped,
  kResultRenamed,
  // `...` as results.
  kVarretChanged,
  // Alias sets or write marks.
  kAliasChanged,
  // Declarations about an argument that both have.
  kIgnorableChanged,
  kEqualValuesChanged,
  // A schema line that cannot be used was repaired, or the reverse.
  kUsabilityChanged,
};

inline constexpr int kNumDifferenceKinds =
    static_cast<int>(DifferenceKind::kUsabilityChanged) + 1;

// `argument_added`: stable, for programs.
absl::string_view DifferenceKindId(DifferenceKind kind);
// `arguments added`: the title of a list of such differences.
absl::string_view DifferenceKindTitle(DifferenceKind kind);

struct Difference {
  DifferenceKind kind;
  // By its name in the newer version (in the older one, if it is removed).
  std::string op;
  // By its name in the newer version (in the older one, if it is removed); of
  // a result without a name `result N`, from 0; empty: about the whole.
  std::string argument;
  // The part of the schema line that changed, as it was and as it is. Empty:
  // there was (is) none.
  std::string before;
  std::string after;

  friend bool operator==(const Difference& a, const Difference& b) {
    return a.kind == b.kind && a.op == b.op && a.argument == b.argument &&
           a.before == b.before && a.after == b.after;
  }
};

// The exposed arguments that both entries have, as indices into arguments() of
// each, in the newer order. One argument is known by any of its names.
std::vector<std::pair<size_t, size_t>> MatchArguments(
    const OperatorEntry& older, const OperatorEntry& newer);

// Precondition: both are the same operator. Without differences, the schema
// lines are equal up to spelling. In the order of kinds, then of arguments.
std::vector<Difference> DiffOperators(const OperatorEntry& older,
                                      const OperatorEntry& newer);

// An argument as it stands in a schema line: `*, str mode="sum"`, with `*, ` if
// it is keyword-only.
std::string ArgumentText(const EntryArgument& argument);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_DIFFERENCES_OPERATOR_DIFFERENCE_H_
