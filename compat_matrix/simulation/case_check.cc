#include "compat_matrix/simulation/case_check.h"

#include <cstddef>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "compat_matrix/simulation/law_case.h"
#include "compat_matrix/simulation/laws.h"
#include "compat_matrix/simulation/reduce.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "compat_matrix/simulation/truth.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "schema/declared_history.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace simulation {
namespace {

std::string OutcomeText(const std::set<std::string>& codes) {
  return codes.empty() ? "accepted"
                       : absl::StrCat("refused ", absl::StrJoin(codes, ", "));
}

// A case that makes sense.
struct LoadedCase {
  LoadedHistory loaded;
  absl::optional<Truth> truth;
  LawTally tally;
  std::unique_ptr<Laws> laws;  // look at the above
  Module module;
  size_t writer = 0;
  size_t reader = 0;
};

absl::StatusOr<size_t> PlaceOf(const Truth& truth, const std::string& id) {
  const absl::optional<size_t> place = truth.VersionIndex(id);
  if (place.has_value()) return *place;
  return absl::InvalidArgumentError(
      absl::StrCat("the case's history has no version ", id));
}

absl::StatusOr<std::unique_ptr<LoadedCase>> Load(
    const ReducibleCase& the_case) {
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
  LawOptions options;
  options.truth = &*result->truth;
  result->laws = std::make_unique<Laws>(history, options, &result->tally);
  absl::StatusOr<Module> module =
      ParseModule(the_case.module, result->laws->runtime(result->writer));
  if (!module.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the case's module: ", module.status().message()));
  }
  result->module = *std::move(module);
  return result;
}

}  // namespace

absl::StatusOr<std::set<std::string>> ReasonCodesOf(
    const ReducibleCase& the_case) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::unique_ptr<LoadedCase> loaded,
                            Load(the_case));
  return loaded->laws->ReasonCodes(loaded->module, loaded->writer,
                                   loaded->reader, the_case.for_target);
}

absl::StatusOr<std::vector<CaseProblem>> ProblemsOf(const CaseFile& file) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::unique_ptr<LoadedCase> loaded,
                            Load(file.the_case));
  const bool for_target = file.the_case.for_target;
  Laws& laws = *loaded->laws;
  // The reading that the case is about comes first.
  std::vector<LawFailure> failures = laws.CheckReading(
      loaded->module, loaded->writer, loaded->reader, for_target);
  std::vector<LawFailure> others = laws.Check(loaded->module, loaded->writer);
  std::move(others.begin(), others.end(), std::back_inserter(failures));
  std::vector<CaseProblem> problems;
  for (const LawFailure& failure : failures) {
    problems.push_back(
        {failure.law,
         loaded->loaded.history->versions()[failure.reader].version(),
         failure.for_target, failure.ToString()});
  }
  if (!file.expected.has_value()) return problems;
  const std::set<std::string> codes = laws.ReasonCodes(
      loaded->module, loaded->writer, loaded->reader, for_target);
  if (codes != *file.expected) {
    problems.push_back(
        {absl::nullopt, file.the_case.reader, for_target,
         absl::StrCat("it is ", OutcomeText(codes),
                      "; expected: ", OutcomeText(*file.expected))});
  }
  return problems;
}

absl::Status CheckCaseFile(const CaseFile& file) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::vector<CaseProblem> problems,
                            ProblemsOf(file));
  if (!file.known.empty()) {
    if (!problems.empty()) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat("is known to fail (", file.known,
                     ") and does not: delete the line `known:`"));
  }
  if (problems.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrJoin(
      problems, "\n", [](std::string* out, const CaseProblem& problem) {
        out->append(problem.what);
      }));
}

}  // namespace simulation
}  // namespace opcompat
