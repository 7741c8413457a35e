// The second half of Verify: that calls, intrinsics and functions type-check.
#ifndef OPCOMPAT_IR_VERIFY_TYPES_H_
#define OPCOMPAT_IR_VERIFY_TYPES_H_

#include "absl/status/status.h"
#include "ir/fault_place.h"
#include "ir/module.h"

namespace opcompat {

// See Verify. Precondition: VerifyStructure(module) is OK.
absl::Status VerifyTypes(const Module& module, FaultPlace* place);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_VERIFY_TYPES_H_
