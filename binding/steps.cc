#include "binding/steps.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "binding/bind_call.h"
#include "binding/call.h"
#include "binding/report.h"
#include "binding/value_relation.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

bool ConditionHolds(const StepCondition& condition, const Call& call) {
  const absl::optional<size_t> index =
      call.entry->FindExposed(condition.argument);
  if (!index.has_value()) return false;
  const EntryArgument& argument = call.entry->arguments[*index];
  const CallArgument& given = call.arguments[*index];
  absl::optional<Value> constant;
  Type type = argument.type;
  if (given.state == CallArgument::State::kConstant) {
    constant = given.constant;
  } else if (given.state == CallArgument::State::kLeftOut) {
    constant = argument.default_value;
  } else {
    type = given.type;
  }
  for (const Type& candidate : condition.types) {
    if (candidate == type) return true;
  }
  if (!constant.has_value()) return false;
  const ValueRelation relation(&argument.equal_values, nullptr);
  for (const TypedValue& candidate : condition.one_of) {
    if (relation.Equal({argument.type, *constant}, candidate)) return true;
  }
  return false;
}

}  // namespace

bool ConditionsHold(const StepConditions& conditions, const Call& call) {
  for (const StepCondition& condition : conditions) {
    if (!ConditionHolds(condition, call)) return false;
  }
  return true;
}

const EntryPair& StepBinder::Pair(const OperatorEntryPtr& from,
                                  const OperatorEntryPtr& to) {
  std::unique_ptr<EntryPair>& pair = pairs_[{from.get(), to.get()}];
  if (pair == nullptr) pair = std::make_unique<EntryPair>(from, to, opset_);
  return *pair;
}

bool StepBinder::Unchanged(const RevisionStep& step, const Call& call) const {
  for (const StepConditions& conditions : step.unchanged_when) {
    if (ConditionsHold(conditions, call)) return true;
  }
  return false;
}

void StepBinder::BindUp(const Call& call, Call* bound, TypeVariables* variables,
                        CallNotes* notes, std::vector<Refusal>* refusals) {
  const size_t refusals_before = refusals->size();
  Call current = call;
  for (uint32_t revision = call.entry->revision;; ++revision) {
    Call at_last;
    variables->clear();
    Pair(current.entry, info_.revisions[revision - 1].last)
        .Bind(current, {}, &at_last, variables, notes, refusals);
    if (revision == info_.revision()) {
      *bound = std::move(at_last);
      return;
    }
    if (refusals->size() > refusals_before) return;
    const OperatorRevision& next = info_.revisions[revision];
    Call at_first;
    std::vector<Refusal> step_refusals;
    variables->clear();
    CallNotes step_notes = *notes;
    Pair(at_last.entry, next.first)
        .Bind(at_last, {}, &at_first, variables, &step_notes, &step_refusals);
    if (!step_refusals.empty() || !Unchanged(*next.step, at_first)) {
      refusals->push_back(
          {ReasonCode::kNoUpgrader, "", "",
           absl::StrCat(
               "means something else since revision ", revision + 1, " (",
               next.first->revision_origin.first, "), and ",
               next.step->one_way_up
                   ? "the step is declared one-way"
                   : "there is no upgrader that takes this call there")});
      return;
    }
    *notes = std::move(step_notes);
    notes->stepped = true;
    current = std::move(at_first);
  }
}

absl::optional<Call> StepBinder::StepDown(const Call& call,
                                          const EntryPair::Options& options,
                                          CallNotes* notes) {
  const uint32_t revision = call.entry->revision;
  const OperatorRevision& upper = info_.revisions[revision - 1];
  const OperatorRevision& lower = info_.revisions[revision - 2];
  std::vector<Refusal> refusals;
  TypeVariables variables;
  CallNotes new_notes = *notes;
  Call at_first;
  Pair(call.entry, upper.first)
      .Bind(call, options, &at_first, &variables, &new_notes, &refusals);
  if (!refusals.empty() || !Unchanged(*upper.step, at_first)) {
    return absl::nullopt;
  }
  Call at_last;
  variables.clear();
  Pair(upper.first, lower.last)
      .Bind(at_first, options, &at_last, &variables, &new_notes, &refusals);
  if (!refusals.empty()) return absl::nullopt;
  *notes = std::move(new_notes);
  notes->stepped = true;
  return at_last;
}

}  // namespace opcompat
