#include "tools/save_simulated.h"

#include <filesystem>
#include <system_error>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "compat_matrix/simulation/simulated_case.h"
#include "compat_matrix/simulation/step_kinds.h"
#include "tools/output.h"

namespace opcompat {
namespace {

namespace fs = std::filesystem;

std::string StepsText(const simulation::SimulatedHistory& history) {
  std::string text = absl::StrCat("seed ", history.seed, "\n");
  for (const simulation::SimulatedStep& step : history.steps) {
    absl::StrAppend(&text, step.ToString(), "\n");
  }
  for (const simulation::Secret& secret : history.secrets) {
    absl::StrAppend(&text, "not declared: ", secret.version + 1, " ", secret.op,
                    " ", simulation::StepKindName(secret.kind),
                    secret.argument.empty() ? "" : " ", secret.argument,
                    secret.truth.empty() ? "" : ", really: ", secret.truth,
                    "\n");
  }
  return text;
}

absl::Status MakeDirectories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(path.string(), ": cannot be made: ", error.message()));
}

absl::Status WriteFile(const fs::path& path, absl::string_view text) {
  OPCOMPAT_RETURN_IF_ERROR(MakeDirectories(path.parent_path()));
  return WriteOutput(path.string(), text);
}

absl::Status SaveCase(const simulation::SimulatedCase& simulated,
                      const fs::path& directory) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(directory, error))) {
    return absl::AlreadyExistsError(
        absl::StrCat(directory.string(),
                     ": this is there already, and nothing is overwritten; "
                     "remove it, or name another directory"));
  }
  for (const auto& [path, text] : simulated.simulated->files) {
    OPCOMPAT_RETURN_IF_ERROR(WriteFile(directory / path, text));
  }
  for (const simulation::SimulatedModule& module : simulated.modules) {
    const fs::path name = fs::path(module.path).filename();
    OPCOMPAT_RETURN_IF_ERROR(
        WriteFile(directory / "modules" / name, module.text));
  }
  return WriteFile(directory / "steps.txt", StepsText(*simulated.simulated));
}

}  // namespace

absl::Status SaveSimulated(const std::string& directory, uint64_t first_seed,
                           size_t size,
                           const simulation::SimulationOptions& options) {
  for (size_t i = 0; i < size; ++i) {
    OPCOMPAT_ASSIGN_OR_RETURN(
        const simulation::SimulatedCase simulated,
        simulation::SimulateCase(first_seed + i, options));
    OPCOMPAT_RETURN_IF_ERROR(
        SaveCase(simulated, fs::path(directory) / simulated.name));
  }
  return absl::OkStatus();
}

}  // namespace opcompat
