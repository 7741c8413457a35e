#include "serializer/as_written.h"

#include <algorithm>

#include "absl/status/statusor.h"
#include "binding/lower_revisions.h"
#include "ir/canonicalize.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {

absl::StatusOr<Module> AsWritten(const Module& module, const Runtime& writer) {
  const bool has_later_revisions =
      std::any_of(module.operators.begin(), module.operators.end(),
                  [](const ModuleOperator& op) {
                    return op.entry != nullptr && op.entry->revision > 1;
                  });
  if (!has_later_revisions) return module;
  return Canonicalize(LowerRevisions(module, writer));
}

}  // namespace opcompat
