// The end of a command for which there is not enough memory: an error like any
// other, and not of the process.
#ifndef OPCOMPAT_TOOLS_OUT_OF_MEMORY_H_
#define OPCOMPAT_TOOLS_OUT_OF_MEMORY_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace opcompat {

// What to say of `command` at work on `inputs`, and what helps.
std::string OutOfMemoryMessage(absl::string_view command,
                               const std::vector<std::string>& inputs);

// Returns what `run` does. If it needs more memory than there is (or than a
// string or vector may have), prints `message` and returns kExitBadInput.
int RunWithinMemory(const std::string& message,
                    const std::function<int()>& run);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_OUT_OF_MEMORY_H_
