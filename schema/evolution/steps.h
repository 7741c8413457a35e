// Reads declared steps: the conditions are checked against the schema on which
// they will be evaluated. The graphs themselves are not looked at here.
#ifndef OPCOMPAT_SCHEMA_EVOLUTION_STEPS_H_
#define OPCOMPAT_SCHEMA_EVOLUTION_STEPS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "schema/declared_history.h"
#include "schema/evolution/fault_list.h"
#include "schema/evolution/literals.h"
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

  // `what` is "upgrader" or "downgrader".
  std::vector<StepGraph> Graphs(const std::vector<DeclaredStep>& declared,
                                const OperatorEntry& entry,
                                absl::string_view what);

  // From the last schema of one revision to the first of the next.
  RevisionStep Step(const DeclaredSemanticChange& declared,
                    const OperatorEntry& last, const OperatorEntry& first);

 private:
  LiteralReader read_literal_;
  TypeReader read_type_;
  const SourcePlace& place_;
  FaultList* faults_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_EVOLUTION_STEPS_H_
