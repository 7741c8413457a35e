// Whether a module makes sense by itself: against the entries that it carries,
// not against any opset.
#ifndef OPCOMPAT_IR_VERIFIER_H_
#define OPCOMPAT_IR_VERIFIER_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ir/module.h"

namespace opcompat {

struct VerifyOptions {
  // Let calls of unusable entries pass (tools that only look).
  bool check_types = true;
};

// Checks, in time linear in the module:
//   * structure: ids in range, offsets running, blocks nested and each closed
//     by the node that opened it, columns complete (this much makes every
//     accessor of Module safe, and holds even for hostile columns);
//   * SSA: each value is defined before its use, in the same or an enclosing
//     block;
//   * calls: required arguments given, none twice, none unknown; constants in
//     the form that CoerceLiteral gives at the argument's type; values of a
//     subtype; containers passed by covariance are never written (no operand
//     at a written argument, no alias of it that the marks show); results
//     subtypes of (or the same as) the schema's, type variables solved over
//     the whole call;
//   * intrinsics: the rules of docs/architecture.md (If: a bool and two blocks
//     that yield its results; Loop: int, bool, carried values; and so on);
//   * functions: unique names, what they return fits the declared types.
// Returns InvalidArgument naming function, node (`%name` or `#N`), what was
// found and what was expected; the first fault only.
absl::Status Verify(const Module& module, const VerifyOptions& options = {});

}  // namespace opcompat

#endif  // OPCOMPAT_IR_VERIFIER_H_
