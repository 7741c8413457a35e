#include "ir/text/history_for_testing.h"

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ir/text/history_loader.h"

namespace opcompat {

LoadedHistory LoadText(const std::vector<TextVersion>& versions,
                       const std::map<std::string, std::string>& graphs) {
  std::map<std::string, std::string> files = graphs;
  std::string& history = files["history.textproto"];
  history = "name: \"t\"\n";
  for (const TextVersion& version : versions) {
    absl::StrAppend(&history, "versions {\n  id: \"", version.id,
                    "\"\n  operators: \"", version.id, ".ops\"\n",
                    version.declared, "}\n");
    files[absl::StrCat(version.id, ".ops")] =
        absl::StrCat("opset t ", version.id, "\n", version.operators, "\n");
  }
  LoadOptions options;
  options.read_file =
      [&](const std::string& path) -> absl::StatusOr<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return absl::NotFoundError(path);
    return found->second;
  };
  return LoadHistory("history.textproto", options);
}

}  // namespace opcompat
