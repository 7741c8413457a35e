#include "compat_matrix/simulation/case_check.h"

#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "compat_matrix/simulation/laws.h"
#include "compat_matrix/simulation/loaded_case.h"
#include "compat_matrix/simulation/reduce.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace simulation {
namespace {

std::string OutcomeText(const std::set<std::string>& codes) {
  return codes.empty() ? "accepted"
                       : absl::StrCat("refused ", absl::StrJoin(codes, ", "));
}

}  // namespace

absl::StatusOr<std::set<std::string>> ReasonCodesOf(
    const ReducibleCase& the_case) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::unique_ptr<LoadedCase> loaded,
                            LoadCase(the_case));
  return loaded->laws->ReasonCodes(loaded->module, loaded->writer,
                                   loaded->reader, the_case.for_target);
}

absl::StatusOr<std::vector<CaseProblem>> ProblemsOf(const CaseFile& file) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::unique_ptr<LoadedCase> loaded,
                            LoadCase(file.the_case));
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
