// A few values that stand for all values of a type: if a call may pass
// something that another version does not take, one of them is such a thing.
// That is what makes the rules exact without trying every int64.
#ifndef OPCOMPAT_CHECK_WITNESSES_H_
#define OPCOMPAT_CHECK_WITNESSES_H_

#include <cstddef>
#include <vector>

#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

// Constants of `type`, simple ones first. Whether a constant of one type has a
// related one of another depends on its kind, on whether a number is exact in
// the other type, on the length of a list and whether its elements are equal,
// and on its elements; for each such way to have none there are `count`
// constants here (or all that there are, if fewer). So if at most `count` - 1
// of those without a related value are let pass by `equal_value`, one is left.
//
// Constants that opcompat cannot decode are left out: words without a number,
// and literals at types that it does not know (docs/compatibility.md: they
// equal their own bytes and fit nowhere). So is the None that `T?[]` takes.
std::vector<Value> WitnessConstants(const Type& type, size_t count);

// Types that a graph value at `type` may have: `type` itself first, then
// subtypes, with which conditions on types tell calls apart. `type` has no
// variables.
std::vector<Type> WitnessGraphTypes(const Type& type);

// `type` with int for every type variable: some type that a call may have.
Type WithoutVariables(const Type& type);

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_WITNESSES_H_
