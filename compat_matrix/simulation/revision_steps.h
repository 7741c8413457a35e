// Steps that no argument expresses: which operators can take one, and the
// graphs and conditions that a version declares with it.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_REVISION_STEPS_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_REVISION_STEPS_H_

#include <functional>
#include <string>
#include <vector>

#include "compat_matrix/simulation/operator_model.h"
#include "compat_matrix/simulation/random.h"
#include "compat_matrix/simulation/step_kinds.h"

namespace opcompat {
namespace simulation {

// The kinds that make a new revision.
bool ChangesRevision(StepKind kind);
// Whether a step of such a kind can be taken with `op`.
bool CanRevise(StepKind kind, const OperatorModel& op);
// A graph stands for the operator, which comes or goes:
// kAddedWithDowngrader, kRemovedWithUpgrader.
bool CanComeOrGoByGraph(const OperatorModel& op);

// The operators at both sides of a step. Of both versions one at least is
// stable and simple, so that graphs have something to call.
struct StepSides {
  const std::vector<OperatorModel>& before;
  const std::vector<OperatorModel>& after;
  // Takes the text of a graph and returns its path.
  std::function<std::string(std::string)> add_graph;
};

// The `changes` line of history.textproto for a step of `kind` that made `to`
// of `from`. Null: the operator is new (kAddedWithDowngrader), or gone
// (kRemovedWithUpgrader).
std::string DeclaredRevision(StepKind kind, const OperatorModel* from,
                             const OperatorModel* to, const StepSides& sides,
                             Random* random);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_REVISION_STEPS_H_
