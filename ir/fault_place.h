// Where in a module a fault was found. For tools that know better than a
// message where that is, such as the line of a text.
#ifndef OPCOMPAT_IR_FAULT_PLACE_H_
#define OPCOMPAT_IR_FAULT_PLACE_H_

#include <cstdint>

#include "ir/ids.h"

namespace opcompat {

struct FaultPlace {
  // Index of the function.
  uint32_t function = 0;
  // Not valid: the fault is not at one node.
  NodeId node;
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_FAULT_PLACE_H_
