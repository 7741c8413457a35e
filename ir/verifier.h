// Whether a module makes sense by itself: against the entries that it carries,
// not against any opset.
#ifndef OPCOMPAT_IR_VERIFIER_H_
#define OPCOMPAT_IR_VERIFIER_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "ir/fault_place.h"
#include "ir/ids.h"
#include "ir/module.h"

namespace opcompat {

struct VerifyOptions {
  // Without: structure and SSA only. For tools that look at modules whose
  // entries they cannot judge.
  bool check_types = true;
  // Whether the columns come from code that cannot make others: ids in range,
  // offsets running, operands as the forms say, values defined before they are
  // used. (The decoder, which counts them out.) Then straight-line functions
  // are not searched for such faults again; of nested blocks the scopes still
  // are.
  bool columns_are_sound = false;
  // By function: the nodes whose types are still to be checked, by rising
  // index. All others are known to be right (plain_calls.h), as only code that
  // saw them all can say. Null: all nodes are to be checked.
  const std::vector<std::vector<NodeId>>* doubtful = nullptr;
  // How many parts of types and of constants are held against each other: each
  // pair once, but constants and types share parts, so that some files could
  // ask for any number. For whoever verifies what he did not make.
  uint64_t max_steps = std::numeric_limits<uint64_t>::max();
};

// Checks, in time linear in the module:
//   * structure: ids in range, offsets running, blocks nested, numbered in
//     order, and each closed by a kReturn, columns complete (this much makes
//     every accessor of Module safe, and holds even for hostile columns);
//   * SSA: each value is defined before its use, in the same or an enclosing
//     block;
//   * calls: required arguments given, none twice, none unknown; constants in
//     the form that CoerceLiteral gives at the argument's type (where that is
//     Any or has a type variable: literals that have a type of themselves);
//     values of a subtype; results subtypes of the schema's, type variables
//     solved over the whole call. An operator without a rule of its own for
//     its blocks may have any;
//   * containers stand for containers of a wider element type only as
//     arguments of operators, where neither the argument's marks say that the
//     callee keeps or writes it, nor anything in the function writes it as far
//     as marks show (written_values.h);
//   * intrinsics: the rules of docs/architecture.md (If: a bool and two blocks
//     that yield its results; Loop: int, bool, carried values; and so on);
//   * functions: unique names, what they return fits the declared types;
//     module attributes and tensors: unique names, values of their types.
// Tables may hold unused and equal elements.
// Returns InvalidArgument naming function, node (`%name` or `#N`), what was
// found and what was expected; the first fault only, and its place if `place`
// is not null. ResourceExhausted: over `max_steps`.
absl::Status Verify(const Module& module, const VerifyOptions& options = {},
                    FaultPlace* place = nullptr);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_VERIFIER_H_
