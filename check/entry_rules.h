// Two entries of one operator at one revision: everything that lets a reader
// refuse a call of the writer's.
#ifndef OPCOMPAT_CHECK_ENTRY_RULES_H_
#define OPCOMPAT_CHECK_ENTRY_RULES_H_

#include <vector>

#include "check/breach.h"
#include "schema/operator_entry.h"

namespace opcompat {

// Empty iff the reader refuses no valid call: whatever constants that opcompat
// can decode, whatever graph values of whatever subtypes, whatever arguments
// left out, results used or not. One for each thing at fault.
//
// Exact but for operators with type variables: there any change of an argument
// or result whose type has one is a breach (`type-variables-changed`), although
// some such changes let every call type-check.
std::vector<Breach> CheckEntries(const OperatorEntryPtr& writer,
                                 const OperatorEntryPtr& reader,
                                 const Reading& reading);

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_ENTRY_RULES_H_
