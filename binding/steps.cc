#include "binding/steps.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "base/concat.h"
#include "binding/bind_call.h"
#include "binding/call.h"
#include "binding/identity.h"
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

const StepGraph* StepBinder::Choose(const std::vector<StepGraph>& graphs,
                                    const Call& call) const {
  for (const StepGraph& graph : graphs) {
    if (ConditionsHold(graph.when, call)) return &graph;
  }
  return nullptr;
}

void StepBinder::SetGraph(const StepGraph& graph, const std::string& what,
                          ReasonCode code, Call call,
                          RewrittenCall* bound) const {
  bound->call = std::move(call);
  bound->graph = &graph;
  bound->graph_name = Concat("its ", what, ", ", graph.path, " (",
                             opset_.name(), " ", graph.version, ")");
  bound->graph_code = code;
  bound->notes.stepped = true;
}

void StepBinder::BindUp(const Call& call, RewrittenCall* bound) {
  const size_t refusals_before = bound->refusals.size();
  const Call* current = &call;
  Call stepped;
  for (uint32_t revision = call.entry->revision;; ++revision) {
    Call at_last;
    bound->variables.clear();
    Pair(current->entry, info_.revisions[revision - 1].last)
        .Bind(*current, {}, &at_last, &bound->variables, &bound->notes,
              &bound->refusals);
    if (revision == info_.revision()) {
      bound->call = std::move(at_last);
      return;
    }
    if (bound->refusals.size() > refusals_before) return;
    const OperatorRevision& next = info_.revisions[revision];
    Call at_first;
    std::vector<Refusal> step_refusals;
    bound->variables.clear();
    CallNotes step_notes = bound->notes;
    Pair(at_last.entry, next.first)
        .Bind(at_last, {}, &at_first, &bound->variables, &step_notes,
              &step_refusals);
    if (step_refusals.empty() && Unchanged(*next.step, at_first)) {
      bound->notes = std::move(step_notes);
      bound->notes.stepped = true;
      stepped = std::move(at_first);
      current = &stepped;
      continue;
    }
    const StepGraph* graph = Choose(next.step->upgraders, at_last);
    if (graph != nullptr) {
      SetGraph(*graph, Concat("upgrader to revision ", revision + 1),
               ReasonCode::kNoUpgrader, std::move(at_last), bound);
      return;
    }
    bound->refusals.push_back(
        {ReasonCode::kNoUpgrader, "", "",
         Concat("means something else in ", opset_.name(), " ",
                opset_.version(), ", since revision ", revision + 1, " (",
                next.first->revision_origin.first, "), and ",
                next.step->one_way_up
                    ? "the step is declared one-way"
                    : "there is no upgrader that takes this call there")});
    return;
  }
}

void StepBinder::BindRemoved(const Call& call, RewrittenCall* bound) {
  BindUp(call, bound);
  if (!bound->refusals.empty() || bound->graph != nullptr) return;
  Call at_last = std::move(bound->call);
  bound->call = Call();
  const StepGraph* graph = info_.removed == nullptr
                               ? nullptr
                               : Choose(info_.removed->graphs, at_last);
  if (graph != nullptr) {
    SetGraph(*graph, "upgrader from before it was removed",
             ReasonCode::kNoUpgrader, std::move(at_last), bound);
    return;
  }
  bound->refusals.push_back(
      {ReasonCode::kUnknownOperator, "", "",
       Concat("is unknown to ", opset_.name(), " ", opset_.version(),
              RemovalText(info_), ", and no upgrader takes this call")});
}

void StepBinder::BindDown(const Call& call, uint32_t revision,
                          RewrittenCall* bound) {
  bound->call = call;
  while (bound->call.entry->revision > revision) {
    const OperatorRevision& upper =
        info_.revisions[bound->call.entry->revision - 1];
    Call at_first;
    CallNotes notes = bound->notes;
    const size_t refusals_before = bound->refusals.size();
    bound->variables.clear();
    Pair(bound->call.entry, upper.first)
        .Bind(bound->call, {}, &at_first, &bound->variables, &notes,
              &bound->refusals);
    if (bound->refusals.size() > refusals_before) return;
    absl::optional<Call> lower = UnchangedDown(at_first, {}, &notes);
    if (lower.has_value()) {
      bound->call = *std::move(lower);
      bound->notes = std::move(notes);
      continue;
    }
    const uint32_t lower_revision = upper.first->revision - 1;
    const StepGraph* graph = Choose(upper.step->downgraders, at_first);
    if (graph == nullptr) {
      bound->refusals.push_back(
          {ReasonCode::kNoDowngrader, "", "",
           upper.step->one_way_down
               ? Concat("has no way to revision ", lower_revision,
                        ": the step is declared one-way")
               : Concat("has no downgrader that takes this call to "
                        "revision ",
                        lower_revision)});
      return;
    }
    bound->notes = std::move(notes);
    SetGraph(*graph, Concat("downgrader to revision ", lower_revision),
             ReasonCode::kNoDowngrader, std::move(at_first), bound);
    return;
  }
}

void StepBinder::BindAdded(const Call& call, RewrittenCall* bound) {
  const PresenceStep* step = info_.added.get();
  const bool is_below =
      step == nullptr || call.entry->revision < step->entry->revision;
  BindDown(call, is_below ? 1 : step->entry->revision, bound);
  if (!bound->refusals.empty() || bound->graph != nullptr) return;
  const Call lowered = std::move(bound->call);
  bound->call = Call();
  if (!is_below) {
    Call at_first;
    bound->variables.clear();
    Pair(lowered.entry, step->entry)
        .Bind(lowered, {}, &at_first, &bound->variables, &bound->notes,
              &bound->refusals);
    if (!bound->refusals.empty()) return;
    const StepGraph* graph = Choose(step->graphs, at_first);
    if (graph != nullptr) {
      SetGraph(*graph, "downgrader to before it was added",
               ReasonCode::kNoDowngrader, std::move(at_first), bound);
      return;
    }
  }
  bound->refusals.push_back({ReasonCode::kUnknownOperator, "", "",
                             "is unknown there, and no downgrader takes this "
                             "call"});
}

absl::optional<Call> StepBinder::StepDown(const Call& call,
                                          const EntryPair::Options& options,
                                          CallNotes* notes) {
  const OperatorEntryPtr& first =
      info_.revisions[call.entry->revision - 1].first;
  std::vector<Refusal> refusals;
  TypeVariables variables;
  CallNotes new_notes = *notes;
  Call at_first;
  Pair(call.entry, first)
      .Bind(call, options, &at_first, &variables, &new_notes, &refusals);
  if (!refusals.empty()) return absl::nullopt;
  absl::optional<Call> lower = UnchangedDown(at_first, options, &new_notes);
  if (lower.has_value()) *notes = std::move(new_notes);
  return lower;
}

absl::optional<Call> StepBinder::UnchangedDown(
    const Call& at_first, const EntryPair::Options& options, CallNotes* notes) {
  const uint32_t revision = at_first.entry->revision;
  const RevisionStep& step = *info_.revisions[revision - 1].step;
  if (!Unchanged(step, at_first)) return absl::nullopt;
  std::vector<Refusal> refusals;
  TypeVariables variables;
  CallNotes new_notes = *notes;
  Call at_last;
  Pair(at_first.entry, info_.revisions[revision - 2].last)
      .Bind(at_first, options, &at_last, &variables, &new_notes, &refusals);
  if (!refusals.empty()) return absl::nullopt;
  *notes = std::move(new_notes);
  notes->stepped = true;
  return at_last;
}

}  // namespace opcompat
