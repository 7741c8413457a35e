#include "tools/output_paths.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/paths.h"

namespace opcompat {
namespace {

std::string NameOf(const OutputPath& output) {
  return output.path == "-" ? "standard output" : output.path;
}

}  // namespace

absl::Status CheckOutputPaths(const std::vector<OutputPath>& outputs,
                              const std::vector<std::string>& inputs) {
  std::vector<const OutputPath*> before;
  for (const OutputPath& output : outputs) {
    if (output.path.empty()) continue;
    if (output.path != "-" &&
        std::any_of(inputs.begin(), inputs.end(), [&](const auto& input) {
          return IsSameDestination(output.path, input);
        })) {
      return absl::InvalidArgumentError(
          absl::StrCat(output.path, ": ", output.what,
                       " would overwrite what this command reads; name "
                       "another file"));
    }
    for (const OutputPath* other : before) {
      if (!IsSameDestination(output.path, other->path)) continue;
      return absl::InvalidArgumentError(
          absl::StrCat(NameOf(output), ": ", other->what, " and ", output.what,
                       " would both write there; name a file for each"));
    }
    before.push_back(&output);
  }
  return absl::OkStatus();
}

}  // namespace opcompat
