// The versions of the writer's opsets, as the module that was written says
// them.
#ifndef OPCOMPAT_BINDING_WRITTEN_VERSIONS_H_
#define OPCOMPAT_BINDING_WRITTEN_VERSIONS_H_

#include "absl/strings/string_view.h"
#include "base/hash_map.h"
#include "ir/module.h"

namespace opcompat {

// Made once for a module, because each of its operators asks.
class WrittenVersions {
 public:
  // The module's opsets must outlive this object.
  explicit WrittenVersions(const Module& module) {
    for (const OpsetVersion& opset : module.opsets) {
      versions_.emplace(opset.name, opset.version);
    }
  }

  // Empty: the module does not say.
  absl::string_view Of(absl::string_view history) const {
    const auto it = versions_.find(history);
    return it == versions_.end() ? absl::string_view() : it->second;
  }

 private:
  HashMap<absl::string_view, absl::string_view> versions_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_WRITTEN_VERSIONS_H_
