// Equality of modules, up to what names and tables do not mean.
#ifndef OPCOMPAT_IR_EQUALITY_H_
#define OPCOMPAT_IR_EQUALITY_H_

#include <string>

#include "absl/types/optional.h"
#include "ir/module.h"

namespace opcompat {

// Returns nullopt if the canonical forms of `a` and `b` are equal modules: the
// same header data, functions and nodes in the same order with the same
// operators (entries), operands, attributes and types. Names of values,
// locations and the order of tables do not count. Else the first difference,
// for people: "forward: node #3 (%y): aten::add.Tensor argument alpha: 1 / 2".
// Linear. Precondition: both verify.
absl::optional<std::string> FirstDifference(const Module& a, const Module& b);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_EQUALITY_H_
