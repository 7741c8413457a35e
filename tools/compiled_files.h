// Compiled histories as files, for commands that take a history in either form.
#ifndef OPCOMPAT_TOOLS_COMPILED_FILES_H_
#define OPCOMPAT_TOOLS_COMPILED_FILES_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "schema/history.h"

namespace opcompat {

// Whether there is an ordinary file that begins as a compiled history does.
bool IsCompiledHistoryFile(const std::string& path);

// All versions of it, decoded. Errors begin with the path.
absl::StatusOr<std::shared_ptr<const OpsetHistory>> ReadCompiledHistory(
    const std::string& path);

// CompileHistory (serializer/compile_history.h), and a look at what came out:
// Internal if it does not load, or not as what was compiled.
absl::StatusOr<std::string> CompileAndCheck(const OpsetHistory& history);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_COMPILED_FILES_H_
