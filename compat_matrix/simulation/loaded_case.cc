#include "compat_matrix/simulation/loaded_case.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "ir/text/module_parser.h"
#include "schema/declared_history.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace simulation {
namespace {

// What the kernels must know beside the history, by its versions.
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

absl::StatusOr<size_t> PlaceOf(const Truth& truth, const std::string& id) {
  const absl::optional<size_t> place = truth.VersionIndex(id);
  if (place.has_value()) return *place;
  return absl::InvalidArgumentError(
      absl::StrCat("the case's history has no version ", id));
}

}  // namespace

absl::StatusOr<std::unique_ptr<LoadedCase>> LoadCase(
    const ReducibleCase& the_case, const LawOptions& options) {
  auto result = std::make_unique<LoadedCase>();
  result->loaded = LoadFiles(the_case.files);
  if (result->loaded.history == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the case's history has faults:\n",
        absl::StrJoin(result->loaded.faults, "\n",
                      [](std::string* out, const HistoryFault& fault) {
                        out->append(fault.ToString());
                      })));
  }
  const OpsetHistory& history = *result->loaded.history;
  OPCOMPAT_ASSIGN_OR_RETURN(result->truth,
                            Truth::Create(result->loaded, the_case.files,
                                          SecretsOf(the_case, history)));
  OPCOMPAT_ASSIGN_OR_RETURN(result->writer,
                            PlaceOf(*result->truth, the_case.writer));
  OPCOMPAT_ASSIGN_OR_RETURN(result->reader,
                            PlaceOf(*result->truth, the_case.reader));
  LawOptions used;
  used.truth = &*result->truth;
  used.undoes_itself = options.undoes_itself;
  used.testee = options.testee;
  result->laws = std::make_unique<Laws>(history, used, &result->tally);
  absl::StatusOr<Module> module =
      ParseModule(the_case.module, result->laws->runtime(result->writer));
  if (!module.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the case's module: ", module.status().message()));
  }
  result->module = *std::move(module);
  return result;
}

}  // namespace simulation
}  // namespace opcompat
