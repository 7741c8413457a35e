// Reads declared steps: the conditions are checked against the schema on which
// they will be evaluated. The graphs themselves are left to be read.
#ifndef OPCOMPAT_SCHEMA_EVOLUTION_STEPS_H_
#define OPCOMPAT_SCHEMA_EVOLUTION_STEPS_H_

#include <memory>
#include <vector>

#include "schema/declared_history.h"
#include "schema/evolution/fault_list.h"
#include "schema/evolution/literals.h"
#include "schema/evolution/step_graph_use.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {

class StepReader {
 public:
  // `faults` must outlive this object; what is wrong goes there, at `place`.
  StepReader(LiteralReader read_literal, TypeReader read_type,
             const SourcePlace& place, FaultList* faults)
      : read_literal_(read_literal),
        read_type_(read_type),
        place_(place),
        faults_(faults) {}

  // Conditions on calls of `entry`.
  StepConditions Conditions(const std::vector<DeclaredCondition>& declared,
                            const OperatorEntry& entry);

  // Steps where the operator, whose schema is `entry`, begins or ends to exist.
  std::shared_ptr<const PresenceStep> Presence(
      const std::vector<DeclaredStep>& declared, const OperatorEntryPtr& entry,
      StepGraphUse::Kind kind, std::vector<PendingGraph>* graphs);

  // From the last schema of one revision to the first of the next.
  std::shared_ptr<const RevisionStep> Step(
      const DeclaredSemanticChange& declared, const OperatorEntryPtr& last,
      const OperatorEntryPtr& first, std::vector<PendingGraph>* graphs);

 private:
  std::vector<StepGraph> Graphs(const std::vector<DeclaredStep>& declared,
                                const OperatorEntry& entry,
                                StepGraphUse::Kind kind);
  // Adds `graphs` of `owner`, about `entry`, to what is to be read.
  void AddPending(std::vector<StepGraph>* graphs,
                  std::shared_ptr<const void> owner,
                  const OperatorEntryPtr& entry, StepGraphUse::Kind kind,
                  std::vector<PendingGraph>* pending);

  LiteralReader read_literal_;
  TypeReader read_type_;
  const SourcePlace& place_;
  FaultList* faults_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_EVOLUTION_STEPS_H_
