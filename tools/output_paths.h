// That a command's outputs are files of their own: no two are one, and none is
// what the command reads.
#ifndef OPCOMPAT_TOOLS_OUTPUT_PATHS_H_
#define OPCOMPAT_TOOLS_OUTPUT_PATHS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace opcompat {

struct OutputPath {
  std::string what;  // for messages: `--html`
  std::string path;  // empty: not asked for; `-`: standard output
};

// To ask before anything is written. `inputs`: files that the command reads.
// Returns InvalidArgument if an output would overwrite another one or an input,
// by whatever names (IsSameDestination).
absl::Status CheckOutputPaths(const std::vector<OutputPath>& outputs,
                              const std::vector<std::string>& inputs);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_OUTPUT_PATHS_H_
