// The canonical form of a module: constants as operands wherever the text and
// the wire can hold them there, so that neither depends on which folding
// passes ran.
#ifndef OPCOMPAT_IR_CANONICALIZE_H_
#define OPCOMPAT_IR_CANONICALIZE_H_

#include "absl/status/statusor.h"
#include "ir/module.h"

namespace opcompat {

// Returns a module of the same meaning in which
//   * a constant (a prim::Constant with a `value` and no other attribute) is
//     an operand at each use whose expected type fixes the literal's type: the
//     declared type is a subtype of the argument's; or the place is Any, `...`
//     or has a type variable, and TypeOfLiteral gives the declared type back
//     (int, SymInt and enum types count as one). Else the node stays for that
//     use. Tensors (in operands, too), class constants, and nodes with other
//     attributes than `value` are nodes, used or not;
//   * lists, tuples and dicts built only from constants, which nothing writes
//     to, are such constants: each use is an operand whose argument has no
//     alias annotation, or a construct that itself counts. Where a use cannot
//     take the literal (`[]` at Any) it is one prim::Constant;
//   * other containers (what is returned, yielded, written, given to other
//     intrinsics or to an argument with an alias annotation may be written by
//     others) are constructs, with constants in them as operands, even if they
//     were a prim::Constant or a literal. (Not those that no construct can
//     make from operands: with tensors in them, or with containers at Any or
//     a class. They are a prim::Constant);
//   * constant nodes that no use is left for are gone;
//   * tables hold what is used, in order of first use, and debug names and
//     locations after all other strings: the same with and without them.
// So that no copying makes a module much larger, containers of more than
// kMaxCopiedLeaves scalars (constant_values.h) are taken as they come in two
// rare cases: shared by several constructs (no constant then), and a
// prim::Constant or literal that may be written (a prim::Constant).
//
// Linear in the module. Idempotent. Debug names and locations are kept.
// Returns ResourceExhausted if ids run out. Precondition: Verify(module) is OK.
absl::StatusOr<Module> Canonicalize(const Module& module);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_CANONICALIZE_H_
