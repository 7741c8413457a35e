// The table of docs/compatibility.md: one call, as the writer's entry means it,
// in terms of the reader's entry.
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_BIND_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_BIND_H_

#include <vector>

#include "absl/types/optional.h"
#include "compat_matrix/oracle/call.h"
#include "compat_matrix/oracle/identity.h"
#include "schema/operator_entry.h"

namespace opcompat {
namespace oracle {

enum class Ignorable { kMayBeDropped, kMustBeKept };

// `call` at `reader`, or nullopt with the reasons in `problems`, all of them.
// `pairing` is Pair(*call.entry, *reader). Graph values keep their ids and
// types.
absl::optional<Call> BindCall(const Call& call, const OperatorEntryPtr& reader,
                              const Pairing& pairing, Ignorable ignorable,
                              std::vector<Problem>* problems);

}  // namespace oracle
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_BIND_H_
