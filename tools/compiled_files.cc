#include "tools/compiled_files.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "deserializer/compiled_history.h"
#include "serializer/compile_history.h"

namespace opcompat {

absl::StatusOr<std::string> CompileAndCheck(const OpsetHistory& history) {
  OPCOMPAT_ASSIGN_OR_RETURN(std::string bytes, CompileHistory(history));
  const auto again = [&]() -> absl::StatusOr<std::string> {
    OPCOMPAT_ASSIGN_OR_RETURN(const CompiledHistory compiled,
                              CompiledHistory::Open(bytes));
    OPCOMPAT_ASSIGN_OR_RETURN(const std::shared_ptr<const OpsetHistory> loaded,
                              compiled.LoadAll());
    return CompileHistory(*loaded);
  }();
  if (!again.ok()) {
    return absl::InternalError(
        absl::StrCat("the compiled history of ", history.name(),
                     " does not load: ", again.status().message()));
  }
  if (*again != bytes) {
    return absl::InternalError(absl::StrCat(
        "the compiled history of ", history.name(), " loads as another one"));
  }
  return bytes;
}

}  // namespace opcompat
