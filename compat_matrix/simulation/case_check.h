// Runs a case (case_file.h) as a test: every law on its module, and what its
// file expects.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_CASE_CHECK_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_CASE_CHECK_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/case_file.h"
#include "compat_matrix/simulation/laws.h"
#include "compat_matrix/simulation/reduce.h"

namespace opcompat {
namespace simulation {

struct CaseProblem {
  // nullopt: another outcome than the file expects.
  absl::optional<Law> law;
  // Who reads there, and whether it is a target; the case's own comes first.
  std::string reader;
  bool for_target = false;
  std::string what;
};

// What is wrong with the case; nothing: it passes. Laws are told of any reader
// and target, the case's own first. (Not kPromise: a text does not say what its
// steps promise.)
// Returns InvalidArgument if it is none: the history has faults, one of the
// versions is not there, or the module cannot be parsed.
absl::StatusOr<std::vector<CaseProblem>> ProblemsOf(const CaseFile& file);

// The codes of the reasons for which the case is refused; empty: it is
// accepted. Returns what ProblemsOf would, if it is no case.
absl::StatusOr<std::set<std::string>> ReasonCodesOf(
    const ReducibleCase& the_case);

// The same as a verdict, `known` considered. FailedPrecondition: it fails, or
// is known to fail and does not; all problems.
absl::Status CheckCaseFile(const CaseFile& file);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_CASE_CHECK_H_
