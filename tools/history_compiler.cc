// Compiles a history in a build: what `opcompat history HISTORY --compile`
// does, in a small program, with the file as C++ source beside it. For the rule
// opset_history of bazel/opcompat.bzl; people use the tool.

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "ir/text/history_loader.h"
#include "schema/history.h"
#include "tools/compiled_files.h"

namespace opcompat {
namespace {

constexpr char kUsage[] =
    "usage: history_compiler HISTORY OUT [OTHER_HISTORY...]\n";

absl::Status WriteFile(const std::string& path, absl::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (file.good()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(path, ": cannot be written"));
}

absl::Status Run(const std::vector<std::string>& args) {
  std::vector<std::shared_ptr<const OpsetHistory>> others;
  LoadOptions options;
  options.find_other = [&](absl::string_view name)
      -> absl::StatusOr<std::shared_ptr<const OpsetHistory>> {
    for (const std::shared_ptr<const OpsetHistory>& other : others) {
      if (other->HasName(name)) return other;
    }
    return absl::NotFoundError(absl::StrCat("no history called ", name,
                                            " is given; name it in `others`"));
  };
  for (size_t i = 2; i < args.size(); ++i) {
    OPCOMPAT_ASSIGN_OR_RETURN(std::shared_ptr<const OpsetHistory> other,
                              LoadHistoryOrError(args[i], options));
    others.push_back(std::move(other));
  }
  OPCOMPAT_ASSIGN_OR_RETURN(const std::shared_ptr<const OpsetHistory> history,
                            LoadHistoryOrError(args[0], options));
  OPCOMPAT_ASSIGN_OR_RETURN(const std::string bytes, CompileAndCheck(*history));
  return WriteFile(args[1], bytes);
}

}  // namespace
}  // namespace opcompat

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() < 2) {
    std::fputs(opcompat::kUsage, stderr);
    return 2;
  }
  const absl::Status status = opcompat::Run(args);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return 2;
}
