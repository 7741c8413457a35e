// Steps that arguments, results and marks express, without a new revision: what
// a version does to the schema of one operator, and what it declares.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_ARGUMENT_STEPS_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_ARGUMENT_STEPS_H_

#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "compat_matrix/simulation/operator_model.h"
#include "compat_matrix/simulation/random.h"
#include "compat_matrix/simulation/step_kinds.h"

namespace opcompat {
namespace simulation {

// The version is behind a gap: what that asserts.
struct GapModel {
  bool added_defaults_are_neutral = false;
  bool removed_defaults_are_retired = false;
};

// Names that no operator or argument ever had.
class NewNames {
 public:
  std::string Next(const char* prefix);

 private:
  int next_ = 0;
};

struct TakenStep {
  std::string argument;  // as SimulatedStep has it
  // Fields of message Change, without the operator:
  // `neutral_value { argument: "p" value: "0" }`.
  std::vector<std::string> declared;
  StepPromise promise;
  // kSilentRename, kWrongNeutral: as Secret::truth.
  std::string truth;
  // Of a gap: the argument is one of its exceptions.
  bool is_exception = false;
};

// Takes a step of `kind` with `op`, or returns nullopt: there is nothing in it
// that the kind could be about; then `op` is as it was. For all kinds up to
// kMarksChanged, and the careless ones but kWrongUpgrader and kMeaningChanged.
absl::optional<TakenStep> TakeArgumentStep(StepKind kind, const GapModel* gap,
                                           OperatorModel* op, NewNames* names,
                                           Random* random);

// Adds an argument at the end of its kind: positional ones without a default
// before those with one. `position` counts from the first place where it may
// stand.
void InsertArgument(ArgumentModel argument, size_t position, OperatorModel* op);

// What must be declared again with a new revision so that it stays.
std::vector<std::string> DeclaredAgain(const OperatorModel& op);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_ARGUMENT_STEPS_H_
