// How constants of two versions relate ("Values" in docs/compatibility.md): bit
// for bit, and across types exactly. The judge's own reading; binding/ has
// another one, and the two share no line.
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_VALUES_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_VALUES_H_

#include <vector>

#include "absl/types/optional.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace oracle {

// A constant has the type of the argument that it stands in.
struct Constant {
  Type type;
  Value value;
};

// The one value of `to` that is related to `constant`, or nullopt: it does not
// fit. Related are: a value and itself; an int and the float, SymInt or enum
// word of that number; an int or float and the Scalar of that kind; a value of
// T and the same at T?; a lone value and n copies of it at `T[n]`; lists,
// tuples and dicts by element. What cannot be decoded (unknown words, values of
// opaque types) never fits.
absl::optional<Value> RelatedValue(const Constant& constant, const Type& to);

// Whether two constants are one and the same value. `equals` says which values
// mean others.
bool SameValue(const Constant& a, const Constant& b,
               const std::vector<EqualValues>& equals);

// What an argument of type `to` gets for `constant`: the related value, else
// the one related to what it means by `equals`; nullopt: it does not fit.
absl::optional<Value> FittedValue(Constant constant, const Type& to,
                                  const std::vector<EqualValues>& equals);

}  // namespace oracle
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_VALUES_H_
