#include "schema/history.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/concat.h"

namespace opcompat {

OpsetHistory::OpsetHistory(std::string name, std::vector<std::string> aliases,
                           std::vector<Opset> opsets)
    : name_(std::move(name)),
      aliases_(std::move(aliases)),
      opsets_(std::move(opsets)) {}

bool OpsetHistory::HasName(absl::string_view name) const {
  return name == name_ ||
         std::find(aliases_.begin(), aliases_.end(), name) != aliases_.end();
}

absl::StatusOr<Opset> OpsetHistory::At(absl::string_view id) const {
  for (const Opset& opset : opsets_) {
    if (opset.version() == id) return opset;
  }
  return absl::NotFoundError(Concat(
      "the history ", name_, " has no version ", id, "; it has ",
      absl::StrJoin(opsets_, ", ", [](std::string* out, const Opset& opset) {
        out->append(opset.version());
      })));
}

}  // namespace opcompat
