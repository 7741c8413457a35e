// Debug names for values that step graphs define.
#ifndef OPCOMPAT_BINDING_NEW_NAMES_H_
#define OPCOMPAT_BINDING_NEW_NAMES_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "base/hash_map.h"
#include "ir/module.h"

namespace opcompat {

// Of one function: `s2`, `s4`, and so on, as far as the function has no value
// of that name itself.
class NewNames {
 public:
  // Both must outlive this object.
  NewNames(const Module& module, const Graph& graph)
      : module_(module), graph_(graph) {}

  std::string Next();

 private:
  const Module& module_;
  const Graph& graph_;
  uint64_t last_ = 0;
  // Names of the function that a new one could meet; filled when first asked.
  bool is_filled_ = false;
  HashSet<absl::string_view> taken_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_NEW_NAMES_H_
