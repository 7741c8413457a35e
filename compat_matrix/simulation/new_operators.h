// Operators that a simulated history begins with, or adds.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_NEW_OPERATORS_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_NEW_OPERATORS_H_

#include <string>

#include "compat_matrix/simulation/argument_steps.h"
#include "compat_matrix/simulation/operator_model.h"
#include "compat_matrix/simulation/random.h"

namespace opcompat {
namespace simulation {

// `HISTORY::flag`, whose result is a bool, and `HISTORY::mix`, which graphs
// call. Both are stable.
OperatorModel FlagOperator(const std::string& history);
OperatorModel MixOperator(const std::string& history);

// Any, of the history of that name.
OperatorModel NewOperator(const std::string& history, NewNames* names,
                          Random* random);

// A simple one whose argument `m` takes three values that matter: graphs number
// it anew.
OperatorModel NumberedOperator(const std::string& history, NewNames* names,
                               Random* random);

// With unnamed arguments, `_0` and `_1`.
OperatorModel UnnamedOperator(const std::string& history, NewNames* names,
                              Random* random);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_NEW_OPERATORS_H_
