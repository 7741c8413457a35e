#include "serializer/as_written.h"

#include <algorithm>

#include "absl/status/statusor.h"
#include "binding/lower_revisions.h"
#include "ir/canonicalize.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {

bool IsAsWritten(const Module& module) {
  return std::all_of(module.operators.begin(), module.operators.end(),
                     [](const ModuleOperator& op) {
                       return op.entry == nullptr || op.entry->revision == 1;
                     });
}

absl::StatusOr<Module> AsWritten(const Module& module, const Runtime& writer) {
  if (IsAsWritten(module)) return module;
  return Canonicalize(LowerRevisions(module, writer));
}

}  // namespace opcompat
