// Runs a case (case_file.h) as a test: every law on its module, and what its
// file expects.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_CASE_CHECK_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_CASE_CHECK_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/case_file.h"
#include "compat_matrix/simulation/laws.h"
#include "compat_matrix/testees/testee.h"

namespace opcompat {
namespace simulation {

struct CaseProblem {
  // nullopt: another outcome than the file expects.
  absl::optional<Law> law;
  std::string what;
};

// What is wrong with the case; nothing: it passes. With kPromise left out: a
// text does not say what its steps promise.
// `testee`: reads in place of the deserializer of this build; null: that.
// Returns InvalidArgument if it is none: the history has faults, one of the
// versions is not there, or the module cannot be parsed.
absl::StatusOr<std::vector<CaseProblem>> ProblemsOf(const CaseFile& file,
                                                    Testee* testee = nullptr);

// The same as a verdict, `known` considered. FailedPrecondition: it fails, or
// is known to fail and does not; all problems.
absl::Status CheckCaseFile(const CaseFile& file);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_CASE_CHECK_H_
