// Operator entries of a file: what the writer knew. They must satisfy the same
// rules as a schema that a person wrote.
#ifndef OPCOMPAT_DESERIALIZER_ENTRY_READER_H_
#define OPCOMPAT_DESERIALIZER_ENTRY_READER_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "deserializer/budget.h"
#include "deserializer/file_fields.h"
#include "deserializer/known_entries.h"
#include "deserializer/tables.h"
#include "schema/operator_entry.h"

namespace opcompat {
namespace decoding {

// In the order of the file, which call forms refer to. At most one per operator
// and revision; what an entry uses that is a feature is among the required
// ones. An entry that is one of `known` (may be null) is that object.
// Returns InvalidArgument, or ResourceExhausted over a limit.
absl::StatusOr<std::vector<OperatorEntryPtr>> ReadEntries(
    const FileFields& file, const Tables& tables, const KnownEntries* known,
    Budget* budget);

// As ReadEntries, element `i` alone.
absl::StatusOr<OperatorEntryPtr> ReadEntry(const FileFields& file, size_t i,
                                           const Tables& tables,
                                           Budget* budget);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_ENTRY_READER_H_
