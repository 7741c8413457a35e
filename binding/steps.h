// Taking one call to another revision of its operator, step by step
// (docs/compatibility.md, "Steps"). Where a step needs an upgrader or a
// downgrader, the answer is its graph: what the graph makes of the call is not
// decided here (rewrite_calls.h applies and binds it).
#ifndef OPCOMPAT_BINDING_STEPS_H_
#define OPCOMPAT_BINDING_STEPS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "base/hash_map.h"
#include "binding/bind_call.h"
#include "binding/call.h"
#include "binding/report.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {

// Whether all of `conditions` hold for the call: each argument's effective
// value is a constant equal to one of its literals, or its type is one of its
// types.
bool ConditionsHold(const StepConditions& conditions, const Call& call);

// Binds calls among the revisions of one operator of one opset. Caches what it
// learns of pairs of entries; not safe to share between threads.
class StepBinder {
 public:
  // Both must outlive it.
  StepBinder(const OperatorInfo& info, const Opset& opset)
      : info_(info), opset_(opset) {}

  // Binds `call`, whose entry may be a file's, to the entry with which the
  // opset knows revision `call.entry->revision` now, then takes steps up to the
  // opset's revision. Precondition: the revision is not newer.
  // If a step on the way needs an upgrader, the call stops before it, with the
  // graph.
  // Appends the reasons if that cannot be done; `bound->call.entry` is then the
  // opset's current entry if it was reached, else null.
  void BindUp(const Call& call, RewrittenCall* bound);

  // As BindUp for an operator that the opset lacks and once had: after its last
  // schema comes an upgrader for what is removed. If nothing takes the call
  // there, kUnknownOperator is the reason.
  void BindRemoved(const Call& call, RewrittenCall* bound);

  // One unchanged step down from call's revision (above 1), which must be one
  // of this opset: the call at the last schema of the revision below, or
  // nullopt: no unchanged step leads there.
  absl::optional<Call> StepDown(const Call& call,
                                const EntryPair::Options& options,
                                CallNotes* notes);

  // Steps down from call's revision, which must be one of this opset, until it
  // is at `revision` (`bound->call`, still with this opset's entry), or a step
  // needs a downgrader. Appends the reasons if there is none.
  void BindDown(const Call& call, uint32_t revision, RewrittenCall* bound);

  // For a reader without the operator: steps down to the version that added it,
  // and the downgrader from there. If nothing takes the call,
  // kUnknownOperator is the reason.
  void BindAdded(const Call& call, RewrittenCall* bound);

  // The pair of a call's entry and the one that the opset has at the same
  // revision now. Precondition: the opset has the revision.
  const EntryPair& DirectPair(const OperatorEntryPtr& entry) {
    return Pair(entry, info_.revisions[entry->revision - 1].last);
  }

 private:
  const EntryPair& Pair(const OperatorEntryPtr& from,
                        const OperatorEntryPtr& to);
  bool Unchanged(const RevisionStep& step, const Call& call) const;
  // `at_first` is at the first schema of its revision (above 1): the call at
  // the last one of the revision below if nothing changed, else nullopt.
  absl::optional<Call> UnchangedDown(const Call& at_first,
                                     const EntryPair::Options& options,
                                     CallNotes* notes);
  // The first graph whose conditions hold for the call, or null.
  const StepGraph* Choose(const std::vector<StepGraph>& graphs,
                          const Call& call) const;
  // Sets the graph of `bound`. `what` is "upgrader to revision 2".
  void SetGraph(const StepGraph& graph, const std::string& what,
                ReasonCode code, Call call, RewrittenCall* bound) const;

  const OperatorInfo& info_;
  const Opset& opset_;
  HashMap<std::pair<const OperatorEntry*, const OperatorEntry*>,
          std::unique_ptr<EntryPair>>
      pairs_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_STEPS_H_
