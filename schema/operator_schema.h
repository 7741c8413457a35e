// One operator's schema as the schema language writes it: what a call must
// pass, what it may leave out, and what it gets back. This is the text of one
// version; what a version *knows* beyond it (neutral values, retired
// arguments, earlier names) is an OperatorEntry.
//
//   aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
#ifndef OPCOMPAT_SCHEMA_OPERATOR_SCHEMA_H_
#define OPCOMPAT_SCHEMA_OPERATOR_SCHEMA_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

// The annotation at one place of a type: `(a)`, `(a!)`, `(a -> *)`, `(a|b!)`,
// `(*)`, or `!` alone. Sets keep the order written, for printing.
struct AliasAnnotation {
  // Which node of the type carries it, in preorder: 0 for the `[]` of
  // `Tensor[](a!)`, 1 for `Tensor(a!)[]`, whose list is 0.
  uint32_t place = 0;
  std::vector<std::string> before;
  // Equal to `before` unless `->` was written.
  std::vector<std::string> after;
  bool write = false;

  friend bool operator==(const AliasAnnotation& a, const AliasAnnotation& b) {
    return a.place == b.place && a.before == b.before && a.after == b.after &&
           a.write == b.write;
  }
  friend bool operator!=(const AliasAnnotation& a, const AliasAnnotation& b) {
    return !(a == b);
  }
};

// The annotations of one argument or result, by rising place. Mostly empty.
using AliasAnnotations = std::vector<AliasAnnotation>;

// Whether any place is written to.
bool IsWritten(const AliasAnnotations& annotations);
// Whether any place may be in any alias set: `(*)`, `(a -> *)`.
bool MentionsWildcard(const AliasAnnotations& annotations);
// Whether a place of the one and a place of the other are in one alias set.
bool ShareASet(const AliasAnnotations& a, const AliasAnnotations& b);

struct Argument {
  std::string name;
  Type type;
  AliasAnnotations alias;
  // In the form that CoerceLiteral gives it at `type`; nullopt: required.
  absl::optional<Value> default_value;
  // How the default was spelled, where the canonical spelling
  // (DefaultToString) differs; printing uses it.
  std::string default_spelling;
  bool keyword_only = false;

  // A keyword-only argument that is written to: the schema language has no
  // other mark for out arguments.
  bool is_out() const { return keyword_only && IsWritten(alias); }
};

struct Result {
  std::string name;  // may be empty
  Type type;
  AliasAnnotations alias;
};

// How a schema was spelled where the language leaves a choice.
struct SchemaSpelling {
  // `-> (Tensor)` for one result, `-> (...)` for any number of them.
  bool single_result_in_parentheses = false;
};

// Immutable once created, so safe to share between threads.
class OperatorSchema {
 public:
  // Establishes what every reader of a schema relies on:
  //   * `name` is `ns::name`, both parts not empty;
  //   * argument names are unique and not empty;
  //   * a default is a value of its argument's type (stored in the form that
  //     CoerceLiteral gives it), and for `T[n]`, n > 1, a list default has 0 or
  //     n elements;
  //   * no positional required argument stands after a defaulted one;
  //   * keyword-only arguments come last;
  //   * types nest no deeper than kMaxTypeDepth.
  // Returns InvalidArgument naming the operator and the argument at fault.
  static absl::StatusOr<OperatorSchema> Create(
      std::string name, std::string overload, std::vector<Argument> arguments,
      std::vector<Result> results, bool is_vararg = false,
      bool is_varret = false, SchemaSpelling spelling = {});

  // As Create, but lets repeated argument names pass, which one real operator
  // has. Such a schema prints but is not usable (has_repeated_name()).
  static absl::StatusOr<OperatorSchema> CreateLenient(
      std::string name, std::string overload, std::vector<Argument> arguments,
      std::vector<Result> results, bool is_vararg, bool is_varret,
      SchemaSpelling spelling);

  // `aten::add`
  const std::string& name() const { return name_; }
  // `Tensor`; empty: none.
  const std::string& overload() const { return overload_; }
  // `aten::add.Tensor`, or the name alone where there is no overload.
  std::string full_name() const;

  // Positional ones first, in the order written.
  const std::vector<Argument>& arguments() const { return arguments_; }
  const std::vector<Result>& results() const { return results_; }
  // `...` after the last argument: any number of further operands.
  bool is_vararg() const { return is_vararg_; }
  // `-> ...`: any number of results.
  bool is_varret() const { return is_varret_; }
  bool has_repeated_name() const { return has_repeated_name_; }

  // Index of `name` in arguments(), or nullopt. Not a Status: an unknown name
  // is an ordinary answer when two versions are compared.
  absl::optional<size_t> FindArgument(absl::string_view name) const;

  // The schema in one line, canonical up to the spellings that it remembers.
  std::string ToString() const;

 private:
  OperatorSchema() = default;

  std::string name_;
  std::string overload_;
  std::vector<Argument> arguments_;
  std::vector<Result> results_;
  bool is_vararg_ = false;
  bool is_varret_ = false;
  bool has_repeated_name_ = false;
  SchemaSpelling spelling_;
};

// A type with its annotations: `Tensor(a!)[]`, `t(c -> *)`.
std::string TypeToString(const Type& type, const AliasAnnotations& alias);

// The schema in one line, for whatever has the parts of one.
std::string SchemaToString(absl::string_view full_name,
                           const std::vector<Argument>& arguments,
                           bool is_vararg, const std::vector<Result>& results,
                           bool is_varret, SchemaSpelling spelling = {});

// The canonical spelling of a default in a schema: as Value::ToString, except
// that floats print as the real runtimes do: with up to 17 significant digits,
// as `%.17g` does, plus a trailing `.` where that would read as an int (`1.`).
std::string DefaultToString(const Value& value);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_OPERATOR_SCHEMA_H_
