#include "compat_matrix/simulation/simulated_case.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "compat_matrix/simulation/kernels.h"
#include "compat_matrix/simulation/module_maker.h"
#include "compat_matrix/simulation/truth.h"

namespace opcompat {
namespace simulation {

absl::StatusOr<SimulatedCase> SimulateCase(uint64_t seed,
                                           const SimulationOptions& options) {
  OPCOMPAT_ASSIGN_OR_RETURN(SimulatedHistory made,
                            SimulateHistory(seed, options));
  if (made.history() == nullptr) {
    // The careless step is a fault of the history, which is what it should be;
    // what is left is the history without it.
    SimulationOptions legal = options;
    legal.careless = false;
    OPCOMPAT_ASSIGN_OR_RETURN(made, SimulateHistory(seed, legal));
  }
  SimulatedCase result;
  result.name = absl::StrCat("sim-", seed);
  OPCOMPAT_ASSIGN_OR_RETURN(
      Truth truth, Truth::Create(made.loaded, made.files, made.secrets));
  result.history = made.history();
  result.simulated = std::make_shared<const SimulatedHistory>(std::move(made));
  const auto add = [&](std::string text) {
    result.modules.push_back(
        {absl::StrCat(result.name, "/m", result.modules.size(), ".graph"),
         std::move(text)});
  };
  for (size_t v = 0; v < result.history->versions().size(); ++v) {
    add(PopulatedModule(*result.history, v, seed));
    for (uint64_t m = 0; m < 2; ++m) {
      add(SmallModule(*result.history, v, seed * 2 + m));
    }
  }
  const auto shared = std::make_shared<const Truth>(std::move(truth));
  result.judge = [shared](const Module& original, absl::string_view writer,
                          const Module& module, absl::string_view reader) {
    return ExecutionDiffers(original, writer, module, reader, *shared);
  };
  return result;
}

}  // namespace simulation
}  // namespace opcompat
