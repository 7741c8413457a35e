// The second half of Verify: that calls, intrinsics and functions type-check.
#ifndef OPCOMPAT_IR_VERIFY_TYPES_H_
#define OPCOMPAT_IR_VERIFY_TYPES_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "ir/fault_place.h"
#include "ir/ids.h"
#include "ir/module.h"

namespace opcompat {

// See Verify. Precondition: VerifyStructure(module) is OK.
absl::Status VerifyTypes(const Module& module, uint64_t max_steps,
                         const std::vector<std::vector<NodeId>>* doubtful,
                         FaultPlace* place);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_VERIFY_TYPES_H_
