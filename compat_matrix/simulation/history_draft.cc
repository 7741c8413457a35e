#include "compat_matrix/simulation/history_draft.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/revision_steps.h"

namespace opcompat {
namespace simulation {
namespace {

const OperatorModel* FindByName(const std::vector<OperatorModel>& operators,
                                const std::string& name) {
  for (const OperatorModel& op : operators) {
    if (op.name == name) return &op;
  }
  return nullptr;
}

}  // namespace

bool StaysInvertible(StepKind kind) {
  return kind == StepKind::kInvertible || kind < StepKind::kOperatorAdded;
}

HistoryDraft::HistoryDraft(std::string name, bool has_alias) {
  history_.name = std::move(name);
  text_ = absl::StrCat("name: \"", history_.name, "\"\n");
  if (has_alias) {
    absl::StrAppend(&text_, "aliases: \"", history_.name, "_too\"\n");
  }
}

void HistoryDraft::AddFirst(OperatorModel op) {
  added_.push_back(std::move(op));
}

void HistoryDraft::BeginVersion(const absl::optional<GapModel>& gap) {
  ++version_;
  gap_ = gap;
  places_.clear();
  for (const OperatorModel& op : before_) places_.push_back({op});
}

size_t HistoryDraft::num_operators() const {
  return added_.size() +
         static_cast<size_t>(
             std::count_if(places_.begin(), places_.end(),
                           [](const Place& place) { return !place.is_gone; }));
}

bool HistoryDraft::Take(StepKind kind, size_t place, Random* random) {
  Place& taken = places_[place];
  if (!taken.is_untouched || !TakeUntouched(kind, &taken, random)) return false;
  taken.is_untouched = false;
  return true;
}

void HistoryDraft::Add(StepKind kind, OperatorModel op, Random* random) {
  if (!CanComeOrGoByGraph(op)) kind = StepKind::kOperatorAdded;
  Record(kind, op.name, op.name);
  if (kind == StepKind::kAddedWithDowngrader) {
    op.is_pinned = true;
    revised_.push_back({kind, "", op.name, random});
  }
  added_.push_back(std::move(op));
}

void HistoryDraft::EndVersion() {
  after_.clear();
  for (Place& place : places_) {
    if (!place.is_gone) after_.push_back(std::move(place.op));
  }
  std::move(added_.begin(), added_.end(), std::back_inserter(after_));
  WriteVersion(DeclareGraphs());
  before_ = std::move(after_);
  places_.clear();
  added_.clear();
  declared_.clear();
  exceptions_.clear();
  revised_.clear();
}

SimulatedHistory HistoryDraft::Finish() && {
  history_.files["history.textproto"] = std::move(text_);
  return std::move(history_);
}

void HistoryDraft::Declare(const std::string& op, const std::string& field) {
  declared_.push_back(
      absl::StrCat("  changes { operator: \"", op, "\" ", field, " }\n"));
}

SimulatedStep& HistoryDraft::Record(StepKind kind, const std::string& before,
                                    const std::string& after) {
  SimulatedStep step;
  step.version = version_;
  step.kind = kind;
  step.before = before;
  step.op = after;
  step.promise = PromiseOf(kind);
  history_.steps.push_back(step);
  return history_.steps.back();
}

bool HistoryDraft::TakeUntouched(StepKind kind, Place* place, Random* random) {
  OperatorModel* op = &place->op;
  switch (kind) {
    case StepKind::kOperatorAdded:
    case StepKind::kAddedWithDowngrader:
      return false;  // Add
    case StepKind::kOperatorRemoved:
    case StepKind::kRemovedWithUpgrader:
      return Remove(kind, place, random);
    case StepKind::kOperatorRenamed: {
      const std::string before = op->name;
      op->name = absl::StrCat(history_.name, "::", names_.Next("op"));
      Declare(op->name, absl::StrCat("renamed_from: \"", before, "\""));
      Record(kind, before, op->name);
      return true;
    }
    case StepKind::kMeaningChanged:
      Record(kind, op->name, op->name);
      history_.secrets.push_back({version_, kind, op->name, "", ""});
      return true;
    case StepKind::kMarksFixed:
    case StepKind::kMarksChanged:
      // Graphs of all versions call stable ones.
      return !op->is_stable && TakeArguments(kind, op, random);
    default:
      break;
  }
  if (!ChangesRevision(kind)) return TakeArguments(kind, op, random);
  if (!CanRevise(kind, *op)) return false;
  Revise(kind, op, random);
  return true;
}

bool HistoryDraft::Remove(StepKind kind, Place* place, Random* random) {
  const OperatorModel& op = place->op;
  if (op.is_stable) return false;
  if (kind == StepKind::kRemovedWithUpgrader) {
    if (!CanComeOrGoByGraph(op)) return false;
    revised_.push_back({kind, op.name, "", random});
  }
  Record(kind, op.name, op.name);
  place->is_gone = true;
  return true;
}

bool HistoryDraft::TakeArguments(StepKind kind, OperatorModel* op,
                                 Random* random) {
  const std::string before = op->name;
  const absl::optional<TakenStep> taken = TakeArgumentStep(
      kind, gap_.has_value() ? &*gap_ : nullptr, op, &names_, random);
  if (!taken.has_value()) return false;
  for (const std::string& field : taken->declared) Declare(op->name, field);
  if (taken->is_exception) {
    exceptions_.push_back(absl::StrCat("except { operator: \"", op->name,
                                       "\" argument: \"", taken->argument,
                                       "\" }"));
  }
  SimulatedStep& step = Record(kind, before, op->name);
  step.argument = taken->argument;
  step.promise = taken->promise;
  if (IsCareless(kind)) {
    history_.secrets.push_back(
        {version_, kind, op->name, taken->argument, taken->truth});
  }
  return true;
}

void HistoryDraft::Revise(StepKind kind, OperatorModel* op, Random* random) {
  ++op->revision;
  op->is_pinned = kind == StepKind::kDowngrader;
  // Nothing declared of retired ones is repeated.
  for (RetiredModel& retired : op->retired) {
    retired.argument.none_means.reset();
    retired.argument.is_hint = false;
    retired.argument.was_optional = true;
  }
  for (const std::string& field : DeclaredAgain(*op)) {
    Declare(op->name, field);
  }
  revised_.push_back({kind, op->name, op->name, random});
  Record(kind, op->name, op->name);
  if (IsCareless(kind)) {
    history_.secrets.push_back({version_, kind, op->name, "", ""});
  }
}

std::string HistoryDraft::DeclareGraphs() {
  const StepSides sides = {before_, after_, [this](std::string text) {
                             const std::string path = absl::StrCat(
                                 "steps/g", num_graphs_++, ".graph");
                             history_.files[path] = std::move(text);
                             return path;
                           }};
  std::string declared;
  for (const Revised& revised : revised_) {
    absl::StrAppend(
        &declared,
        DeclaredRevision(revised.kind, FindByName(before_, revised.before),
                         FindByName(after_, revised.after), sides,
                         revised.random));
  }
  return declared;
}

void HistoryDraft::WriteVersion(const std::string& graphs) {
  const std::string id = absl::StrCat(version_ + 1);
  absl::StrAppend(&text_, "versions {\n  id: \"", id, "\"\n  operators: \"", id,
                  ".ops\"\n");
  if (gap_.has_value()) {
    absl::StrAppend(&text_, "  gap { ");
    if (gap_->added_defaults_are_neutral) {
      absl::StrAppend(&text_, "added_defaults_are_neutral: true ");
    }
    if (gap_->removed_defaults_are_retired) {
      absl::StrAppend(&text_, "removed_defaults_are_retired: true ");
    }
    for (const std::string& exception : exceptions_) {
      absl::StrAppend(&text_, exception, " ");
    }
    absl::StrAppend(&text_, "}\n");
  }
  for (const std::string& declared : declared_) {
    absl::StrAppend(&text_, declared);
  }
  absl::StrAppend(&text_, graphs, "}\n");
  std::string& ops = history_.files[absl::StrCat(id, ".ops")];
  ops = absl::StrCat("opset ", history_.name, " ", id, "\n");
  for (const OperatorModel& op : after_) {
    absl::StrAppend(&ops, op.Schema(), "\n");
  }
}

}  // namespace simulation
}  // namespace opcompat
