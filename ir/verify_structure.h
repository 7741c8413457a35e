// The first half of Verify: that columns and tables hang together, so that all
// other code may follow ids without looking. Types play no part.
#ifndef OPCOMPAT_IR_VERIFY_STRUCTURE_H_
#define OPCOMPAT_IR_VERIFY_STRUCTURE_H_

#include <vector>

#include "absl/status/status.h"
#include "ir/fault_place.h"
#include "ir/ids.h"
#include "ir/module.h"

namespace opcompat {

// See Verify. Safe on any Module, whatever its columns hold. `doubtful`, if not
// null, receives for each function the nodes whose types are still to be
// checked (VerifyOptions::doubtful).
absl::Status VerifyStructure(const Module& module, bool columns_are_sound,
                             std::vector<std::vector<NodeId>>* doubtful,
                             FaultPlace* place);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_VERIFY_STRUCTURE_H_
