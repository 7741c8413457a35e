#include "compat_matrix/simulation/simulated_history.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "compat_matrix/simulation/history_maker.h"
#include "ir/text/history_loader.h"

namespace opcompat {
namespace simulation {

std::string SimulatedStep::ToString() const {
  std::string text =
      absl::StrCat(version + 1, " ", before, " ", StepKindName(kind));
  if (!argument.empty()) absl::StrAppend(&text, " ", argument);
  if (op != before) absl::StrAppend(&text, " (now ", op, ")");
  absl::StrAppend(&text, ": ", PromiseName(promise));
  return text;
}

std::string FilesText(const HistoryFiles& files) {
  std::string text;
  for (const auto& [path, contents] : files) {
    absl::StrAppend(&text, "--- ", path, "\n", contents);
  }
  return text;
}

HistoryFiles FilesOfText(absl::string_view text) {
  HistoryFiles files;
  std::string* contents = nullptr;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1);
    absl::string_view line = text.substr(0, end + 1);
    text.remove_prefix(line.size());
    if (absl::ConsumePrefix(&line, "--- ")) {
      contents = &files[std::string(absl::StripSuffix(line, "\n"))];
      contents->clear();
    } else if (contents != nullptr) {
      contents->append(line.data(), line.size());
    }
  }
  return files;
}

LoadedHistory LoadFiles(const HistoryFiles& files) {
  LoadOptions options;
  options.read_file =
      [&files](const std::string& path) -> absl::StatusOr<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) {
      return absl::NotFoundError(absl::StrCat(path, ": no such file"));
    }
    return found->second;
  };
  return LoadHistory("history.textproto", options);
}

std::string SimulatedHistory::ToString() const {
  std::string text = absl::StrCat("seed ", seed, "\n");
  for (const SimulatedStep& step : steps) {
    absl::StrAppend(&text, step.ToString(), "\n");
  }
  return absl::StrCat(text, FilesText(files));
}

absl::StatusOr<SimulatedHistory> SimulateHistory(
    uint64_t seed, const SimulationOptions& options) {
  SimulatedHistory history = MakeHistory(seed, options);
  history.loaded = LoadFiles(history.files);
  if (history.loaded.history != nullptr || options.careless) return history;
  std::string message = "a simulated history does not load:\n";
  for (const HistoryFault& fault : history.loaded.faults) {
    absl::StrAppend(&message, fault.ToString(), "\n");
  }
  return absl::InternalError(absl::StrCat(message, history.ToString()));
}

}  // namespace simulation
}  // namespace opcompat
