// Changes what calls of a module pass: what `opcompat readers` tries before it
// proposes an edit.
#ifndef OPCOMPAT_TOOLS_EDIT_CALLS_H_
#define OPCOMPAT_TOOLS_EDIT_CALLS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/value.h"

namespace opcompat {

// Of all calls of `op` whose `argument` is `value`, written or left out.
struct CallEdit {
  std::string op;        // the name in the module
  std::string argument;  // any name of an exposed argument
  // As Value::ToShortString gives it; empty: computed by the graph; nullopt:
  // whatever it is.
  absl::optional<std::string> value;
  // At the argument's type; nullopt: the argument is left out.
  absl::optional<Value> new_value;
  // Of the operator's entry in the module; 0: any.
  uint32_t revision = 0;
};

// Returns `module` with all of `edits` made. An edit that no call matches
// changes nothing. Returns InvalidArgument if the result does not verify (a
// required argument left out). Linear in the module.
// Precondition: Verify(module) is OK.
absl::StatusOr<Module> EditCalls(const Module& module,
                                 const std::vector<CallEdit>& edits);

// Index of the exposed argument of `entry` that has, or had, that name.
absl::optional<size_t> FindArgument(const OperatorEntry& entry,
                                    const std::string& name);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_EDIT_CALLS_H_
