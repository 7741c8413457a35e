#include "binding/new_names.h"

#include <string>

#include "absl/strings/match.h"
#include "base/concat.h"
#include "ir/ids.h"

namespace opcompat {

std::string NewNames::Next() {
  if (!is_filled_) {
    is_filled_ = true;
    for (const StringId name : graph_.value_names) {
      if (name.valid() && absl::StartsWith(module_.string(name), "s")) {
        taken_.insert(module_.string(name));
      }
    }
  }
  std::string name;
  do {
    last_ += 2;
    name = Concat("s", last_);
  } while (taken_.contains(name));
  return name;
}

}  // namespace opcompat
