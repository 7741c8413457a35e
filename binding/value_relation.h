// How constants of two versions relate: which value at the reader's type is
// the same as a value at the writer's type, and when two are equal. The rules
// are those of docs/compatibility.md, "Values".
#ifndef OPCOMPAT_BINDING_VALUE_RELATION_H_
#define OPCOMPAT_BINDING_VALUE_RELATION_H_

#include <vector>

#include "absl/types/optional.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

// The one value of type `to` that is related to `value` of type `from`:
//   * int 2 and float 2.0 (if exact), both ways; -0.0 is no int;
//   * int 2 and Scalar 2; float 2.0 and Scalar 2.0; never Scalar 2 and 2.0;
//   * int and SymInt, int and the number of an enum word;
//   * T and T? (None only at `T?`); containers by element;
//   * a lone n and n copies at `T[n]`; otherwise `T[n]` is `T[]`.
// Nullopt: there is none ("does not fit"). A word that has no number, and a
// constant of a type that is not known, are opaque: they fit nowhere.
absl::optional<Value> FitValue(const Value& value, const Type& from,
                               const Type& to);

// The equal values that two entries declare for one argument, applied to
// comparisons and fits between them. Keeps pointers: the entries must outlive
// it.
class ValueRelation {
 public:
  ValueRelation() = default;
  // Either may be null.
  ValueRelation(const std::vector<EqualValues>* first,
                const std::vector<EqualValues>* second);

  // Whether the two mean the same: related, or so after equal values are
  // replaced by what they mean. Opaque words equal their own bytes.
  bool Equal(const TypedValue& a, const TypedValue& b) const;

  // The form of `value` at `to`: itself if it fits, else what it means.
  absl::optional<Value> Fit(const TypedValue& value, const Type& to) const;

  bool has_equal_values() const;

 private:
  // What `value` means by one declaration, or nullopt.
  absl::optional<TypedValue> Meaning(const TypedValue& value) const;
  // The value, what it means, what that means, and so on.
  std::vector<TypedValue> Meanings(const TypedValue& value) const;

  const std::vector<EqualValues>* lists_[2] = {nullptr, nullptr};
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_VALUE_RELATION_H_
