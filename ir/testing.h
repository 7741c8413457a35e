// Helpers for tests of modules. Not for use outside of tests.
#ifndef OPCOMPAT_IR_TESTING_H_
#define OPCOMPAT_IR_TESTING_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {

// The entry of an operator as old as its history, from its schema:
// `EntryOf("t::add(Tensor a, int b=1) -> Tensor")`. The history is the name's
// namespace. Ends the program if the schema does not parse.
OperatorEntryPtr EntryOf(absl::string_view schema);

// A few operators of every kind that modules care about: defaults,
// keyword-only and out arguments, lists, type variables, Any, `...`, views,
// writes, enum types, optional containers.
std::vector<OperatorEntryPtr> EntriesForTesting();

// A runtime of one opset `t 1` with these operators.
Runtime RuntimeOf(const std::vector<OperatorEntryPtr>& entries);

// The current entries of the runtime's usable operators.
std::vector<OperatorEntryPtr> EntriesOf(const Runtime& runtime);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TESTING_H_
