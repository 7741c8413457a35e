// The order of a module's tables in the canonical form.
#ifndef OPCOMPAT_IR_TABLE_ORDER_H_
#define OPCOMPAT_IR_TABLE_ORDER_H_

#include "ir/module.h"

namespace opcompat {

// Gives the module the tables that Canonicalize (canonicalize.h) would: what is
// used, in order of first use, debug names and locations after all other
// strings. So that a module whose functions are canonical (surely_canonical.h)
// need not be made anew. In place, one look at each node.
// Precondition: the module verifies, and no two elements of a table are equal.
void OrderTables(Module* module);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TABLE_ORDER_H_
