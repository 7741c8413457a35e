// Whether a module is in canonical form as it is, found without making the
// form.
#ifndef OPCOMPAT_IR_SURELY_CANONICAL_H_
#define OPCOMPAT_IR_SURELY_CANONICAL_H_

#include "ir/module.h"

namespace opcompat {

// True: the functions are as Canonicalize (canonicalize.h) would make them, so
// that nobody needs to; tables may hold more, in another order. False: they may
// or may not be. One look at each node, and true of what our serializer writes.
// Precondition: the module verifies.
bool IsSurelyCanonical(const Module& module);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_SURELY_CANONICAL_H_
