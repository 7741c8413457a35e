// A program and its arguments in one string, as `--testee` takes them.
#ifndef OPCOMPAT_COMPAT_MATRIX_TESTEES_COMMAND_LINE_H_
#define OPCOMPAT_COMPAT_MATRIX_TESTEES_COMMAND_LINE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace opcompat {

// Splits at spaces, as a shell does and without its other powers: what stands
// in '...' or "..." is one word (in "..." with \" and \\), \ takes the next
// character as it is. Returns InvalidArgument if a quote is not closed, or if
// there is no word.
absl::StatusOr<std::vector<std::string>> SplitCommandLine(
    absl::string_view text);

// `[NAME=]PROGRAM [ARGUMENT...]`.
struct NamedCommand {
  // As reports name it: NAME, else the text as it is.
  std::string name;
  std::vector<std::string> command;
};

// NAME is letters, digits, `.`, `_`, `-`. As SplitCommandLine otherwise.
absl::StatusOr<NamedCommand> ParseNamedCommand(absl::string_view text);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_TESTEES_COMMAND_LINE_H_
