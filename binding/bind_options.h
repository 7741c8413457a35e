// What a caller of binding chooses.
#ifndef OPCOMPAT_BINDING_BIND_OPTIONS_H_
#define OPCOMPAT_BINDING_BIND_OPTIONS_H_

#include <vector>

#include "ir/ids.h"
#include "schema/opset.h"

namespace opcompat {

struct BindOptions {
  // For targets only: the writer's runtime, which knows the steps down to a
  // lower revision of the reader. Null: a newer revision is refused.
  const Runtime* down_steps = nullptr;
  // Calls of operators that the reader lacks keep the writer's entry and are
  // not touched, instead of being refused. For tools.
  bool keep_unknown_operators = false;
  // Which nodes of the module are not right by themselves, as its maker may
  // know (VerifyOptions::doubtful). Null: nobody does.
  const std::vector<std::vector<NodeId>>* doubtful = nullptr;
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_BIND_OPTIONS_H_
