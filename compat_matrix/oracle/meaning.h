// The meaning of a call by its definition (docs/compatibility.md): operator,
// revision, and the arguments whose value is not neutral. Says nothing about
// how one call is made from another (oracle_bind.h does).
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_MEANING_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_MEANING_H_

#include <functional>
#include <string>

#include "absl/types/optional.h"
#include "compat_matrix/oracle/call.h"
#include "compat_matrix/oracle/identity.h"

namespace opcompat {
namespace oracle {

// Whether two things that calls give are the same, at least one of them a graph
// value. The types are those of the arguments where they stand.
using SameGiven = std::function<bool(const Given& a, const Type& at_a,
                                     const Given& b, const Type& at_b)>;

// Nullopt if `a` and `b`, calls of one operator at one revision, have one
// meaning; else the first argument in which they differ, in words. `pairing`
// is of their entries.
absl::optional<std::string> MeaningsDiffer(const Call& a, const Call& b,
                                           const Pairing& pairing,
                                           const SameGiven& same_given);

}  // namespace oracle
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_MEANING_H_
