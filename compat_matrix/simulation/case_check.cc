#include "compat_matrix/simulation/case_check.h"

#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "compat_matrix/simulation/law_case.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "compat_matrix/simulation/truth.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "schema/declared_history.h"

namespace opcompat {
namespace simulation {
namespace {

std::string OutcomeText(const std::set<std::string>& codes) {
  return codes.empty() ? "accepted"
                       : absl::StrCat("refused ", absl::StrJoin(codes, ", "));
}

absl::StatusOr<size_t> PlaceOf(const Truth& truth, const std::string& id) {
  const absl::optional<size_t> place = truth.VersionIndex(id);
  if (place.has_value()) return *place;
  return absl::InvalidArgumentError(
      absl::StrCat("the case's history has no version ", id));
}

}  // namespace

absl::StatusOr<std::vector<CaseProblem>> ProblemsOf(const CaseFile& file,
                                                    Testee* testee) {
  const ReducibleCase& the_case = file.the_case;
  const LoadedHistory loaded = LoadFiles(the_case.files);
  if (loaded.history == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the case's history has faults:\n",
        absl::StrJoin(loaded.faults, "\n",
                      [](std::string* out, const HistoryFault& fault) {
                        out->append(fault.ToString());
                      })));
  }
  OPCOMPAT_ASSIGN_OR_RETURN(
      const Truth truth, Truth::Create(loaded, the_case.files,
                                       SecretsOf(the_case, *loaded.history)));
  OPCOMPAT_ASSIGN_OR_RETURN(const size_t w, PlaceOf(truth, the_case.writer));
  OPCOMPAT_ASSIGN_OR_RETURN(const size_t r, PlaceOf(truth, the_case.reader));
  LawOptions options;
  options.truth = &truth;
  options.testee = testee;
  LawTally tally;
  Laws laws(*loaded.history, options, &tally);
  absl::StatusOr<Module> module = ParseModule(the_case.module, laws.runtime(w));
  if (!module.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the case's module: ", module.status().message()));
  }
  std::vector<CaseProblem> problems;
  // The reading that the case is about comes first.
  std::vector<LawFailure> failures =
      laws.CheckReading(*module, w, r, the_case.for_target);
  std::vector<LawFailure> others = laws.Check(*module, w);
  std::move(others.begin(), others.end(), std::back_inserter(failures));
  for (const LawFailure& failure : failures) {
    problems.push_back({failure.law, failure.ToString()});
  }
  if (file.expected.has_value()) {
    const std::set<std::string> codes =
        laws.ReasonCodes(*module, w, r, the_case.for_target);
    if (codes != *file.expected) {
      problems.push_back(
          {absl::nullopt,
           absl::StrCat("it is ", OutcomeText(codes),
                        "; expected: ", OutcomeText(*file.expected))});
    }
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
