// Whether an operator's entry in a file is one that is at hand already. Most
// files are read by programs that know most of their operators exactly as they
// are written: then no entry has to be made, and binding sees that nothing
// changed by the address alone.
#ifndef OPCOMPAT_DESERIALIZER_ENTRY_MATCH_H_
#define OPCOMPAT_DESERIALIZER_ENTRY_MATCH_H_

#include "deserializer/entry_fields.h"
#include "deserializer/tables.h"
#include "schema/operator_entry.h"

namespace opcompat {
namespace decoding {

// Whether the message with these fields says what `entry` is, to the last
// value. False also if one inside is malformed, and for the rare things that
// are not looked at (equal values, covered marks): reading the entry says what
// is what.
bool MatchesEntry(const EntryFields& fields, const Tables& tables,
                  const OperatorEntry& entry);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_ENTRY_MATCH_H_
