#include "compat_matrix/simulation/law_case.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "compat_matrix/simulation/truth.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace simulation {

std::vector<Secret> SecretsOf(const ReducibleCase& the_case,
                              const OpsetHistory& history) {
  std::vector<Secret> secrets;
  for (const CaseSecret& secret : the_case.secrets) {
    for (size_t v = 0; v < history.versions().size(); ++v) {
      if (history.versions()[v].version() != secret.version) continue;
      secrets.push_back(
          {v, secret.kind, secret.op, secret.argument, secret.truth});
    }
  }
  return secrets;
}

bool BreaksLaw(const ReducibleCase& broken, Law law,
               const LawOptions& options) {
  const LoadedHistory loaded = LoadFiles(broken.files);
  if (loaded.history == nullptr) return false;
  const absl::StatusOr<Truth> truth =
      Truth::Create(loaded, broken.files, SecretsOf(broken, *loaded.history));
  if (!truth.ok()) return false;
  const absl::optional<size_t> writer = truth->VersionIndex(broken.writer);
  const absl::optional<size_t> reader = truth->VersionIndex(broken.reader);
  if (!writer.has_value() || !reader.has_value()) return false;
  LawOptions used;
  used.truth = &*truth;
  used.undoes_itself = options.undoes_itself;
  used.testee = options.testee;
  LawTally tally;
  Laws laws(*loaded.history, used, &tally);
  const absl::StatusOr<Module> module =
      ParseModule(broken.module, laws.runtime(*writer));
  if (!module.ok()) return false;
  const bool by_one_reading = law == Law::kAnswers || law == Law::kNoMisread ||
                              law == Law::kSameNumbers ||
                              law == Law::kPrediction;
  std::vector<LawFailure> failures;
  if (by_one_reading) {
    failures = laws.CheckReading(*module, *writer, *reader, broken.for_target);
  }
  // (What they break on a way through other versions, all of it tells.)
  if (failures.empty() && options.every_way) {
    failures = laws.Check(*module, *writer);
  }
  return std::any_of(failures.begin(), failures.end(),
                     [&](const LawFailure& failure) {
                       return failure.law == law && failure.reader == *reader &&
                              failure.for_target == broken.for_target;
                     });
}

}  // namespace simulation
}  // namespace opcompat
