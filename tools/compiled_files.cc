#include "tools/compiled_files.h"

#include <sys/stat.h>

#include <fstream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "deserializer/compiled_history.h"
#include "serializer/compile_history.h"
#include "tools/inputs.h"

namespace opcompat {

bool IsCompiledHistoryFile(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string beginning(32, '\0');
  file.read(&beginning[0], static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<size_t>(file.gcount()));
  return LooksLikeCompiledHistory(beginning);
}

absl::StatusOr<std::shared_ptr<const OpsetHistory>> ReadCompiledHistory(
    const std::string& path) {
  OPCOMPAT_ASSIGN_OR_RETURN(std::string content, ReadInput(path));
  const auto bytes = std::make_shared<const std::string>(std::move(content));
  const auto load =
      [&]() -> absl::StatusOr<std::shared_ptr<const OpsetHistory>> {
    OPCOMPAT_ASSIGN_OR_RETURN(const CompiledHistory compiled,
                              CompiledHistory::Open(*bytes, bytes));
    return compiled.LoadAll();
  };
  absl::StatusOr<std::shared_ptr<const OpsetHistory>> history = load();
  if (history.ok()) return history;
  return absl::Status(history.status().code(),
                      absl::StrCat(path, ": ", history.status().message()));
}

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
