#include "schema/evolution/steps.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"

namespace opcompat {

StepConditions StepReader::Conditions(
    const std::vector<DeclaredCondition>& declared,
    const OperatorEntry& entry) {
  StepConditions conditions;
  for (const DeclaredCondition& d : declared) {
    const absl::optional<size_t> index = entry.FindExposed(d.argument);
    if (!index.has_value()) {
      faults_->Add(place_, absl::StrCat("a condition is about argument `",
                                        d.argument, "`, but the schema that ",
                                        "it is read on has none of that name: ",
                                        entry.ToString()));
      continue;
    }
    if (d.one_of.empty() && d.types.empty()) {
      faults_->Add(place_,
                   absl::StrCat("the condition on argument `", d.argument,
                                "` never holds: give it values "
                                "(one_of) or types"));
      continue;
    }
    const Type& type = entry.arguments[*index].type;
    StepCondition condition;
    condition.argument = d.argument;
    for (const std::string& text : d.one_of) {
      absl::StatusOr<Value> value = read_literal_(text, type);
      if (value.ok()) {
        condition.one_of.push_back({type, *std::move(value)});
      } else {
        faults_->Add(
            place_,
            absl::StrCat("in the condition on argument `", d.argument, "`, `",
                         text, "` is no value of type `", type.ToString(),
                         "`: ", value.status().message()));
      }
    }
    for (const std::string& text : d.types) {
      absl::StatusOr<Type> read = read_type_(text);
      if (read.ok()) {
        condition.types.push_back(*std::move(read));
      } else {
        faults_->Add(
            place_,
            absl::StrCat("in the condition on argument `", d.argument, "`, `",
                         text, "` is no type: ", read.status().message()));
      }
    }
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

std::vector<StepGraph> StepReader::Graphs(
    const std::vector<DeclaredStep>& declared, const OperatorEntry& entry,
    StepGraphUse::Kind kind) {
  std::vector<StepGraph> graphs;
  for (const DeclaredStep& d : declared) {
    if (d.graph.empty()) {
      faults_->Add(place_, kind == StepGraphUse::Kind::kUpgrader
                               ? "this upgrader names no graph"
                               : "this downgrader names no graph");
    }
    StepGraph graph;
    graph.when = Conditions(d.when, entry);
    graph.path = d.graph;
    graphs.push_back(std::move(graph));
  }
  return graphs;
}

void StepReader::AddPending(std::vector<StepGraph>* graphs,
                            std::shared_ptr<const void> owner,
                            const OperatorEntryPtr& entry,
                            StepGraphUse::Kind kind,
                            std::vector<PendingGraph>* pending) {
  for (StepGraph& graph : *graphs) {
    pending->push_back({{kind, place_, graph.path, entry}, &graph, owner});
  }
}

std::shared_ptr<const PresenceStep> StepReader::Presence(
    const std::vector<DeclaredStep>& declared, const OperatorEntryPtr& entry,
    StepGraphUse::Kind kind, std::vector<PendingGraph>* graphs) {
  auto step = std::make_shared<PresenceStep>();
  step->entry = entry;
  step->graphs = Graphs(declared, *entry, kind);
  AddPending(&step->graphs, step, entry, kind, graphs);
  return step;
}

std::shared_ptr<const RevisionStep> StepReader::Step(
    const DeclaredSemanticChange& declared, const OperatorEntryPtr& last,
    const OperatorEntryPtr& first, std::vector<PendingGraph>* graphs) {
  auto step = std::make_shared<RevisionStep>();
  step->one_way_up = declared.one_way_up;
  step->one_way_down = declared.one_way_down;
  if (declared.one_way_up && !declared.upgraders.empty()) {
    faults_->Add(place_,
                 "one_way_up says that there is no upgrader, but there is one");
  }
  if (declared.one_way_down && !declared.downgraders.empty()) {
    faults_->Add(
        place_,
        "one_way_down says that there is no downgrader, but there is one");
  }
  using Kind = StepGraphUse::Kind;
  step->upgraders = Graphs(declared.upgraders, *last, Kind::kUpgrader);
  step->downgraders = Graphs(declared.downgraders, *first, Kind::kDowngrader);
  for (const std::vector<DeclaredCondition>& when : declared.unchanged_when) {
    step->unchanged_when.push_back(Conditions(when, *first));
  }
  AddPending(&step->upgraders, step, last, Kind::kUpgrader, graphs);
  AddPending(&step->downgraders, step, first, Kind::kDowngrader, graphs);
  return step;
}

}  // namespace opcompat
