// What a command line names as input: a file or `-`, and whether it is a module
// as text or as bytes.
#ifndef OPCOMPAT_TOOLS_INPUTS_H_
#define OPCOMPAT_TOOLS_INPUTS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace opcompat {

// The two forms of a module.
enum class ModuleForm { kText, kBytes };

// `text`, `opc`.
absl::string_view ModuleFormName(ModuleForm form);

// Decided by content alone: whether it begins as a module file does, or has
// bytes near its beginning that no text has (a damaged file is not reported as
// bad text).
ModuleForm FormOfContent(absl::string_view content);

// The contents of an input, in memory or mapped, for as long as `owner` is
// kept.
struct InputBytes {
  absl::string_view bytes;
  std::shared_ptr<const void> owner;
};

// As ReadInput, but large files are mapped and not read.
absl::StatusOr<InputBytes> OpenInput(const std::string& path);

// Returns the contents of `path`, or of standard input if it is `-`.
//   * NotFound: there is none; InvalidArgument: a directory; Unavailable:
//     cannot be read. All begin with the path.
absl::StatusOr<std::string> ReadInput(const std::string& path);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_INPUTS_H_
