// The table of docs/compatibility.md ("Binding"), asked not of one call but of
// all: is there anything that a call may give to an argument which the other
// version refuses?
#ifndef OPCOMPAT_CHECK_ARGUMENT_RULES_H_
#define OPCOMPAT_CHECK_ARGUMENT_RULES_H_

#include "absl/types/optional.h"
#include "binding/value_relation.h"
#include "check/breach.h"
#include "check/call_text.h"
#include "schema/operator_entry.h"

namespace opcompat {

// One argument that at least one of two entries knows, as the writer and as
// the reader has it; null: not known.
struct ArgumentPair {
  OperatorEntryPtr writer_entry;
  OperatorEntryPtr reader_entry;
  // Index in the writer's entry, where it has one.
  size_t writer_index = 0;
  const EntryArgument* writer = nullptr;
  const EntryArgument* reader = nullptr;
};

// The first thing that a call of the writer may give to the argument and the
// reader refuses, by `reading`; nullopt: there is none. Type variables are not
// looked at here.
absl::optional<Breach> CheckArgument(const ArgumentPair& pair,
                                     const Reading& reading);

// Whether the argument may be dropped where the reader refuses it: a hint.
bool MayBeDropped(const ArgumentPair& pair);

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_ARGUMENT_RULES_H_
