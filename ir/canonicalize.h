// The canonical form of a module: constants as operands wherever the text and
// the wire can hold them there, so that neither depends on which folding
// passes ran.
#ifndef OPCOMPAT_IR_CANONICALIZE_H_
#define OPCOMPAT_IR_CANONICALIZE_H_

#include "absl/status/statusor.h"
#include "ir/module.h"

namespace opcompat {

// Returns a module of the same meaning in which
//   * a prim::Constant is an operand at each use whose expected type fixes the
//     literal's type: the declared type is a subtype of the argument's type,
//     or the place is Any or a type variable and TypeOfLiteral gives the
//     declared type back (int, SymInt and enum types count as one). Else the
//     node stays for that use. Tensors, class constants, and nodes with other
//     attributes than `value` stay;
//   * lists, tuples and dicts built only from constants, which nothing writes
//     to, are such constants too: each use is an operand whose argument has no
//     alias annotation, or a construct that itself counts. (What is returned
//     or yielded may be written by others: it stays a node, but constants in
//     it are operands.)
//   * constant nodes that no use is left for are gone;
//   * constants at arguments have the form of CoerceLiteral at the argument's
//     type;
//   * tables hold what is used, in order of first use; forms too.
// Linear in the module. Idempotent. Debug names and locations are kept.
// Precondition: Verify(module) is OK.
Module Canonicalize(const Module& module);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_CANONICALIZE_H_
