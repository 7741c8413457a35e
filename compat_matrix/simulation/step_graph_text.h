// Texts of step graphs: what stands for a call of one operator in terms of the
// operators of a version.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_STEP_GRAPH_TEXT_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_STEP_GRAPH_TEXT_H_

#include <map>
#include <string>
#include <vector>

#include "compat_matrix/simulation/operator_model.h"
#include "compat_matrix/simulation/random.h"

namespace opcompat {
namespace simulation {

// Whether an upgrader may use the argument: a constant type, no hint (it has no
// meaning to pass on), nothing that stands for another value (the graph would
// tell them apart).
bool IsPlain(const ArgumentModel& argument);

// A graph with the arguments of `from` as parameters that calls one to three of
// `operators`. Parameters in `fixed` are written as that literal where they are
// used. With equal dice, graphs that differ in `fixed` alone mean the same at
// these values.
// Precondition: `from` and all of `operators` are simple; `operators` is not
// empty.
std::string CompositeGraph(const OperatorModel& from,
                           const std::vector<const OperatorModel*>& operators,
                           const std::map<std::string, std::string>& fixed,
                           Random random);

// A graph with the arguments of `from` that calls `to`, its other revision,
// with all that both have, `argument` being `literal`.
std::string SameCallGraph(const OperatorModel& from, const OperatorModel& to,
                          const std::string& argument,
                          const std::string& literal);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_STEP_GRAPH_TEXT_H_
