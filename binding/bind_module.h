// Section "binding" of docs/compatibility.md on whole modules: a module that
// carries its writer's entries becomes a module of the reader's entries with
// the same meaning, or is refused with every reason. No bytes here: the
// deserializer binds what it decoded, the serializer binds for targets.
#ifndef OPCOMPAT_BINDING_BIND_MODULE_H_
#define OPCOMPAT_BINDING_BIND_MODULE_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "binding/bind_options.h"
#include "binding/report.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {

struct BindResult {
  // Empty iff accepted.
  std::vector<Reason> reasons;
  // If accepted: verified, with the reader's entries and opsets.
  Module module;
  LoadReport report;
  // See RewriteResult: does not grow with the number of calls of one shape.
  size_t num_plans = 0;

  bool accepted() const { return reasons.empty(); }
  absl::Status status() const { return RefusalStatus(reasons); }
};

// Precondition: Verify(writer_module) is OK.
// Linear in the module: one plan per call form, checks of values per node. A
// module that is handed over (std::move) is changed where it is, as far as
// calls become single calls; one that the reader knows as it is costs a look at
// each node.
BindResult BindModule(Module writer_module, const Runtime& reader,
                      const BindOptions& options = {});

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_BIND_MODULE_H_
