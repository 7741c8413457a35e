// The first half of Verify: that columns and tables hang together, so that all
// other code may follow ids without looking. Types play no part.
#ifndef OPCOMPAT_IR_VERIFY_STRUCTURE_H_
#define OPCOMPAT_IR_VERIFY_STRUCTURE_H_

#include "absl/status/status.h"
#include "ir/fault_place.h"
#include "ir/module.h"

namespace opcompat {

// See Verify. Safe on any Module, whatever its columns hold.
absl::Status VerifyStructure(const Module& module, bool columns_are_sound,
                             FaultPlace* place);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_VERIFY_STRUCTURE_H_
