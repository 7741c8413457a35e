#include "compat_matrix/simulation/law_case.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "compat_matrix/simulation/loaded_case.h"
#include "ir/module.h"

namespace opcompat {
namespace simulation {

bool BreaksLaw(const ReducibleCase& broken, Law law,
               const LawOptions& options) {
  const absl::StatusOr<std::unique_ptr<LoadedCase>> loaded =
      LoadCase(broken, options);
  if (!loaded.ok()) return false;
  Laws& laws = *(*loaded)->laws;
  const Module& module = (*loaded)->module;
  const size_t writer = (*loaded)->writer;
  const size_t reader = (*loaded)->reader;
  const bool by_one_reading = law == Law::kAnswers || law == Law::kNoMisread ||
                              law == Law::kSameNumbers ||
                              law == Law::kPrediction;
  std::vector<LawFailure> failures;
  if (by_one_reading) {
    failures = laws.CheckReading(module, writer, reader, broken.for_target);
  }
  // (What they break on a way through other versions, all of it tells.)
  if (failures.empty() && options.every_way) {
    failures = laws.Check(module, writer);
  }
  return std::any_of(failures.begin(), failures.end(),
                     [&](const LawFailure& failure) {
                       return failure.law == law && failure.reader == reader &&
                              failure.for_target == broken.for_target;
                     });
}

}  // namespace simulation
}  // namespace opcompat
