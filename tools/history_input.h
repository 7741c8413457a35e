// The file of a history as a command line names it: a history.textproto or a
// compiled history, told by its first bytes, not by its name. It may be
// standard input or a pipe, and so is read once.
#ifndef OPCOMPAT_TOOLS_HISTORY_INPUT_H_
#define OPCOMPAT_TOOLS_HISTORY_INPUT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "ir/text/history_loader.h"
#include "schema/history.h"
#include "schema/text/history_file.h"

namespace opcompat {

struct HistoryInput {
  // `-`: standard input.
  std::string path;
  bool is_compiled = false;
  // Why it is no history of either form; empty: it may be one.
  std::string fault;
  // Null: a text that is read by its path, with the files beside it.
  std::shared_ptr<const std::string> content;
};

// Looks at `path`, a file or the directory of a history.textproto; `-` is
// standard input. What is not there is left to LoadTextHistory. Errors, which
// begin with the path: it cannot be read.
absl::StatusOr<HistoryInput> OpenHistory(const std::string& path);

// All versions of a compiled history, decoded. Errors do not have the path.
absl::StatusOr<std::shared_ptr<const OpsetHistory>> DecodeCompiledHistory(
    const HistoryInput& input);

// Loads and checks a text; `options` without `read_file`. In text that came
// through standard input or a pipe, paths are relative to the current
// directory. Why the input is no history is a fault of it. Precondition: it is
// not a compiled one.
LoadedHistory LoadTextHistory(const HistoryInput& input, LoadOptions options);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_HISTORY_INPUT_H_
