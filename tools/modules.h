// Modules as a command line gives them: text or bytes, read at the versions
// that the flags or the modules themselves name.
#ifndef OPCOMPAT_TOOLS_MODULES_H_
#define OPCOMPAT_TOOLS_MODULES_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "binding/report.h"
#include "deserializer/deserialize.h"
#include "ir/module.h"
#include "tools/histories.h"
#include "tools/inputs.h"
#include "tools/output.h"

namespace opcompat {

// An input file that is a module.
struct ModuleFile {
  std::string path;
  // Lives as long as `owner` is kept; what is read from bytes keeps it too.
  absl::string_view content;
  std::shared_ptr<const void> owner;
  ModuleForm form = ModuleForm::kText;
  // Of reading bytes; null: not shown.
  std::function<void(uint64_t done, uint64_t total)> progress;

  // For reading `content`, whose large tensors are used in place.
  DeserializeOptions Options() const;
};

// Returns what OpenInput does. `output` says whether progress is shown.
absl::StatusOr<ModuleFile> ReadModuleFile(const std::string& path,
                                          const OutputOptions& output);

// A module as its writer's version knows it.
struct WrittenModule {
  Module module;
  // At which text was parsed; of bytes: not filled in, they carry what they
  // need.
  RuntimeChoice choice;
};

// Parses text at the versions that `options`, its opset lines or the newest
// give; decodes bytes, nothing bound. If the file itself is the reason for a
// failure, `reasons` has why (a single one); else the versions are.
absl::StatusOr<WrittenModule> ReadAsWritten(const ModuleFile& file,
                                            Histories& histories,
                                            const HistoryOptions& options,
                                            std::vector<Reason>* reasons);

// A module that a version can run.
struct ReadModule {
  Module module;
  RuntimeChoice choice;
  LoadReport report;
};

// Parses text as ReadAsWritten does; decodes bytes and binds them to the
// versions that `options`, the file or the newest give. If the file is
// malformed or refused, `reasons` has why.
absl::StatusOr<ReadModule> ReadForVersion(const ModuleFile& file,
                                          Histories& histories,
                                          const HistoryOptions& options,
                                          std::vector<Reason>* reasons);

// The exit status after one of the functions above has failed.
int FailureExitCode(const std::vector<Reason>& reasons);

// Prints why it has failed on standard error: the reasons, or the status if
// there are none.
void PrintFailure(const absl::Status& status,
                  const std::vector<Reason>& reasons);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_MODULES_H_
