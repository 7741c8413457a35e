// Making compiled histories, with a look at the result.
#ifndef OPCOMPAT_TOOLS_COMPILED_FILES_H_
#define OPCOMPAT_TOOLS_COMPILED_FILES_H_

#include <string>

#include "absl/status/statusor.h"
#include "schema/history.h"

namespace opcompat {

// CompileHistory (serializer/compile_history.h), and a look at what came out:
// Internal if it does not load, or not as what was compiled.
absl::StatusOr<std::string> CompileAndCheck(const OpsetHistory& history);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_COMPILED_FILES_H_
