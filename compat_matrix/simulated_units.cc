#include "compat_matrix/simulated_units.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "compat_matrix/matrix.h"

namespace opcompat {

absl::StatusOr<std::vector<ModuleCells>> SimulatedUnits::Run(
    size_t i, Worker& worker) const {
  OPCOMPAT_ASSIGN_OR_RETURN(
      simulation::SimulatedCase simulated,
      simulation::SimulateCase(first_seed_ + i, options_));
  MatrixOptions options;
  options.histories = {simulated.history};
  for (simulation::SimulatedModule& module : simulated.modules) {
    options.modules.push_back({std::move(module.path), std::move(module.text)});
  }
  options.group = std::string(simulation::kSimulatedGroup);
  options.execution = simulated.judge;
  OPCOMPAT_ASSIGN_OR_RETURN(const std::unique_ptr<ModuleUnits> units,
                            ModuleUnits::Create(std::move(options)));
  std::vector<ModuleCells> cells;
  for (size_t m = 0; m < units->size(); ++m) {
    OPCOMPAT_ASSIGN_OR_RETURN(std::vector<ModuleCells> of_module,
                              units->Run(m, worker));
    for (ModuleCells& one : of_module) {
      for (CellOutcome& outcome : one.outcomes) {
        if (!outcome.detail.empty()) {
          absl::StrAppend(&outcome.detail, " (", HowToFollowUp(i), ")");
        }
      }
      cells.push_back(std::move(one));
    }
  }
  return cells;
}

std::string SimulatedUnits::HowToFollowUp(size_t i) const {
  return absl::StrCat("seed ", first_seed_ + i,
                      ": opcompat matrix --simulate=1 --seed=", first_seed_ + i,
                      options_.careless ? " --careless" : "",
                      " --save-simulated=DIR writes its history");
}

void SimulatedUnits::AddTo(RunFingerprint* fingerprint) const {
  fingerprint->Add(absl::StrCat("simulated ", size_, " from ", first_seed_,
                                ": ", options_.num_versions, " versions, ",
                                options_.num_operators, " operators",
                                options_.careless ? ", careless" : "",
                                options_.invertible ? ", invertible" : ""));
}

}  // namespace opcompat
