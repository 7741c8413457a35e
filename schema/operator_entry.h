// What one version knows of one operator at one revision: all that the meaning
// of a call depends on (docs/compatibility.md), and nothing else. A file
// carries the writer's entries; an opset holds the reader's; binding compares
// the two. Nothing is implied by absence: each default, neutral and retired
// value is explicitly a value or none.
#ifndef OPCOMPAT_SCHEMA_OPERATOR_ENTRY_H_
#define OPCOMPAT_SCHEMA_OPERATOR_ENTRY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "schema/operator_schema.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

// The version that introduced an operator, an argument or a revision.
//   * base (`first` empty): before the history began; matches any origin;
//   * a version (`after` empty): that one exactly;
//   * an interval, across a gap: later than `after`, at the latest `first`.
struct Origin {
  std::string after;
  std::string first;

  bool is_base() const { return first.empty(); }
  friend bool operator==(const Origin& a, const Origin& b) {
    return a.after == b.after && a.first == b.first;
  }
  friend bool operator!=(const Origin& a, const Origin& b) { return !(a == b); }
};

// A value with the type at which it was declared: the argument's type may have
// changed since.
struct TypedValue {
  Type type;
  Value value;

  friend bool operator==(const TypedValue& a, const TypedValue& b) {
    return a.type == b.type && a.value == b.value;
  }
};

// `value` means the same as `means`.
struct EqualValues {
  TypedValue value;
  TypedValue means;

  friend bool operator==(const EqualValues& a, const EqualValues& b) {
    return a.value == b.value && a.means == b.means;
  }
};

enum class ArgumentState : uint8_t {
  kExposed = 0,  // a call may pass it
  kRetired = 1,  // an earlier version exposed it
};

struct EntryArgument {
  // The name at this version first (for a retired one, the last it had), then
  // the earlier ones, oldest last.
  std::vector<std::string> names;
  Origin origin;
  ArgumentState state = ArgumentState::kExposed;
  // At this version; for a retired one, the last it had.
  Type type;
  AliasAnnotations alias;
  bool keyword_only = false;
  bool ignorable = false;
  std::vector<EqualValues> equal_values;
  // At `type`. Always nullopt for a retired one.
  absl::optional<Value> default_value;
  absl::optional<TypedValue> neutral;
  // Nullopt for an exposed one; for a retired one nullopt means none.
  absl::optional<TypedValue> retired;

  const std::string& name() const { return names[0]; }
  bool is_exposed() const { return state == ArgumentState::kExposed; }
  bool is_written() const { return IsWritten(alias); }
  bool is_out() const { return keyword_only && is_written(); }

  friend bool operator==(const EntryArgument& a, const EntryArgument& b);
};

struct EntryResult {
  std::string name;  // may be empty; no part of the meaning
  Type type;
  AliasAnnotations alias;

  friend bool operator==(const EntryResult& a, const EntryResult& b) {
    return a.name == b.name && a.type == b.type && a.alias == b.alias;
  }
};

// Alias marks that an `annotation_fixed` declaration makes equal to the
// entry's own: those of the arguments (by name at that time) and results.
struct CoveredMarks {
  struct OfArgument {
    std::string name;
    AliasAnnotations alias;
    friend bool operator==(const OfArgument& a, const OfArgument& b) {
      return a.name == b.name && a.alias == b.alias;
    }
  };
  std::vector<OfArgument> arguments;
  std::vector<AliasAnnotations> results;

  friend bool operator==(const CoveredMarks& a, const CoveredMarks& b) {
    return a.arguments == b.arguments && a.results == b.results;
  }
};

// A plain value type. Share it as shared_ptr<const OperatorEntry>.
struct OperatorEntry {
  // Full names (`aten::add.Tensor`): the one at this version first, then the
  // earlier ones, oldest last.
  std::vector<std::string> names;
  // The history that the operator belongs to (`torch`).
  std::string history;
  Origin origin;
  uint32_t revision = 1;
  // Of the revision; for revision 1 the operator's own.
  Origin revision_origin;
  // Exposed ones first, in schema order (positional, then keyword-only), then
  // the retired ones in the order in which they were retired.
  std::vector<EntryArgument> arguments;
  bool is_vararg = false;
  std::vector<EntryResult> results;
  bool is_varret = false;
  std::vector<CoveredMarks> covered_marks;

  const std::string& name() const { return names[0]; }
  // How many of `arguments` are exposed; they come first.
  size_t num_exposed() const;
  // Index of the exposed argument whose name at this version is `name`, or
  // nullopt.
  absl::optional<size_t> FindExposed(absl::string_view name) const;
  // The schema line that a reader of the entry can reconstruct.
  std::string ToString() const;
  // The same for a message: where it would be long, the name and how many
  // arguments there are.
  std::string ToShortString(size_t max_bytes = 1000) const;

  friend bool operator==(const OperatorEntry& a, const OperatorEntry& b);
  friend bool operator!=(const OperatorEntry& a, const OperatorEntry& b) {
    return !(a == b);
  }
};

using OperatorEntryPtr = std::shared_ptr<const OperatorEntry>;

// Bounds of one entry, far above what any operator has. Decoders and the
// verifier refuse what is beyond, so that code over one entry may hold each of
// its parts against each other.
inline constexpr size_t kMaxEntryArguments = 1024;  // retired ones too
inline constexpr size_t kMaxEntryResults = 1024;
// Names of the operator and of arguments; alias sets, and places that are
// marked, covered ones too.
inline constexpr size_t kMaxEntryNames = 4096;
inline constexpr size_t kMaxEntryMarks = 4096;
inline constexpr size_t kMaxEqualValues = 32;  // of one argument
inline constexpr size_t kMaxNameBytes = 1024;  // of each of those names

// What the entry has more of than these bounds allow ("2000 arguments; at most
// 1024 are possible"); empty: nothing.
std::string BeyondEntryLimits(const OperatorEntry& entry);

// What a schema line alone says: an entry of no history, with nothing but base
// origins and no neutral values.
OperatorEntry EntryOfSchema(const OperatorSchema& schema);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_OPERATOR_ENTRY_H_
