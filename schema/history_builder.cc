#include "schema/history_builder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/variant.h"
#include "schema/evolution/fault_list.h"
#include "schema/evolution/operator_track.h"
#include "schema/evolution/step_graph_use.h"
#include "schema/evolution/steps.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/opset.h"
#include "schema/version_id.h"

namespace opcompat {
namespace {

// The numbers of `1.13.1`; nullopt if the id is not made of such.
absl::optional<std::vector<uint64_t>> Numbers(absl::string_view id) {
  std::vector<uint64_t> numbers;
  for (absl::string_view part : absl::StrSplit(id, '.')) {
    uint64_t n;
    if (!absl::SimpleAtoi(part, &n)) return absl::nullopt;
    numbers.push_back(n);
  }
  while (!numbers.empty() && numbers.back() == 0) numbers.pop_back();
  return numbers;
}

// Whether both ids are numbers and say that `later` is older. Other ids carry
// no order of their own.
bool OutOfOrder(absl::string_view earlier, absl::string_view later) {
  const auto a = Numbers(earlier);
  const auto b = Numbers(later);
  return a.has_value() && b.has_value() && *b < *a;
}

class Builder {
 public:
  Builder(const DeclaredHistory& declared, LiteralReader read_literal,
          TypeReader read_type, const StepGraphReader& read_graph)
      : declared_(declared),
        read_literal_(read_literal),
        read_type_(read_type),
        read_graph_(read_graph) {}

  HistoryResult Build();

 private:
  // Everything about one operator of the version at hand, by its name there.
  struct Arrival {
    std::string name;
    OperatorChange change;
    // Null if it cannot be told which operator it is.
    OperatorTrack* track = nullptr;
    // Nothing is known of it; that was reported.
    bool unreadable = false;
  };

  void CheckNames();
  void CheckTotality();
  void CheckId(size_t index);
  void BuildVersion(size_t index);
  void CollectSchemas(const DeclaredVersion& version);
  void CollectChanges(const DeclaredVersion& version);
  void RenameOperators(const DeclaredVersion& version);
  void IdentifyOperators(size_t index);
  void ReadRemoved(size_t index);
  void ReadGraphs(size_t index);
  void AddOpset(const DeclaredVersion& version);
  VersionStep StepFor(size_t index, const OperatorTrack& track) const;

  void Fault(const SourcePlace& place, const std::string& op,
             const std::string& message) {
    FaultList(op, declared_.name, *id_, &result_.faults).Add(place, message);
  }
  Arrival* FindArrival(const std::string& op) {
    const auto found = arrival_by_name_.find(op);
    return found == arrival_by_name_.end() ? nullptr
                                           : &arrivals_[found->second];
  }

  const DeclaredHistory& declared_;
  const LiteralReader read_literal_;
  const TypeReader read_type_;
  const StepGraphReader& read_graph_;
  HistoryResult result_;
  // Whether every schema could be read.
  bool complete_ = true;

  // All operators that there ever were; by every name that each ever had.
  std::vector<std::unique_ptr<OperatorTrack>> tracks_;
  absl::flat_hash_map<std::string, OperatorTrack*> track_by_name_;
  // Those of the version before, by the name there.
  absl::flat_hash_map<std::string, OperatorTrack*> present_;
  // Those that an earlier version had and the one at hand lacks.
  std::vector<OperatorTrack*> absent_;
  std::vector<Opset> opsets_;
  // How many of the versions up to each have a gap before them, and how many
  // of those gaps assert each thing.
  struct Gaps {
    size_t all = 0, added_neutral = 0, removed_retired = 0;
  };
  std::vector<Gaps> gaps_;
  absl::flat_hash_map<std::string, size_t> version_by_id_;

  // Of the version at hand.
  const std::string* id_ = nullptr;
  Origin origin_;
  std::vector<Arrival> arrivals_;
  absl::flat_hash_map<std::string, size_t> arrival_by_name_;
  std::vector<const DeclaredChange*> removed_;
  std::vector<PendingGraph> graphs_;
};

HistoryResult Builder::Build() {
  CheckNames();
  CheckTotality();
  if (declared_.versions.empty()) {
    result_.faults.push_back(
        {declared_.place,
         absl::StrCat("history `", declared_.name,
                      "` has no version; it needs at least one")});
  }
  gaps_.reserve(declared_.versions.size());
  for (size_t i = 0; i < declared_.versions.size(); ++i) {
    CheckId(i);
    BuildVersion(i);
  }
  if (complete_ && result_.faults.empty()) {
    result_.history = std::make_shared<const OpsetHistory>(
        declared_.name, declared_.aliases, std::move(opsets_));
  }
  return std::move(result_);
}

void Builder::CheckNames() {
  if (declared_.name.empty()) {
    result_.faults.push_back({declared_.place, "the history has no name"});
  }
  absl::flat_hash_set<std::string> names = {declared_.name};
  for (const std::string& alias : declared_.aliases) {
    if (!names.insert(alias).second) {
      result_.faults.push_back(
          {declared_.place,
           absl::StrCat("alias `", alias,
                        "` is a name that the history has already")});
    }
  }
}

// Every step has graphs or is declared one-way. Not a fault: the calls are
// refused, which is safe, and a history may be in the making.
void Builder::CheckTotality() {
  for (const DeclaredVersion& version : declared_.versions) {
    for (const DeclaredChange& change : version.changes) {
      const auto* semantic = absl::get_if<DeclaredSemanticChange>(&change.what);
      if (semantic == nullptr) continue;
      FaultList warnings(change.op, declared_.name, version.id,
                         &result_.warnings);
      const auto warn = [&](const char* graph, const char* flag,
                            const char* whom) {
        warnings.Add(change.place,
                     absl::StrCat("revision ", semantic->revision, " has no ",
                                  graph, " and is not declared ", flag, ": ",
                                  whom, " are refused"));
      };
      for (const auto* steps : {&semantic->upgraders, &semantic->downgraders}) {
        const auto unconditional = std::find_if(
            steps->begin(), steps->end(),
            [](const DeclaredStep& step) { return step.when.empty(); });
        if (unconditional == steps->end() ||
            unconditional + 1 == steps->end()) {
          continue;
        }
        warnings.Add(change.place,
                     absl::StrCat("`", (unconditional + 1)->graph,
                                  "` is never taken: `", unconditional->graph,
                                  "` before it has no conditions"));
      }
      if (semantic->upgraders.empty() && !semantic->one_way_up) {
        warn("upgrader", "one_way_up", "older calls");
      }
      if (semantic->downgraders.empty() && !semantic->one_way_down) {
        warn("downgrader", "one_way_down", "targets before it");
      }
    }
  }
}

void Builder::CheckId(size_t index) {
  const DeclaredVersion& version = declared_.versions[index];
  const std::string fault = FaultOfVersionId(version.id);
  if (!fault.empty()) {
    result_.faults.push_back({version.place, fault});
    return;
  }
  const auto inserted = version_by_id_.emplace(version.id, index);
  if (!inserted.second) {
    result_.faults.push_back(
        {version.place, absl::StrCat("version ", version.id,
                                     " occurs twice; ids are unique "
                                     "in a history")});
    return;
  }
  if (index == 0) return;
  const std::string& before = declared_.versions[index - 1].id;
  if (OutOfOrder(before, version.id)) {
    result_.faults.push_back(
        {version.place,
         absl::StrCat("version ", version.id, " stands after ", before,
                      "; versions are in order, oldest first")});
  }
}

void Builder::BuildVersion(size_t index) {
  const DeclaredVersion& version = declared_.versions[index];
  id_ = &version.id;
  origin_ = Origin();
  Gaps gaps = index == 0 ? Gaps() : gaps_.back();
  if (index > 0) {
    origin_.first = version.id;
    if (version.gap.has_value()) {
      origin_.after = declared_.versions[index - 1].id;
      ++gaps.all;
      gaps.added_neutral += version.gap->added_defaults_are_neutral;
      gaps.removed_retired += version.gap->removed_defaults_are_retired;
    }
  }
  gaps_.push_back(gaps);

  CollectSchemas(version);
  CollectChanges(version);
  RenameOperators(version);
  IdentifyOperators(index);
  for (Arrival& arrival : arrivals_) {
    OperatorTrack* track = arrival.track;
    if (track == nullptr) continue;
    if (arrival.unreadable) track->lost = true;
    if (track->lost) continue;
    AdvanceOperator(StepFor(index, *track), arrival.change, track, &graphs_,
                    &result_.faults);
  }
  ReadRemoved(index);
  if (!version.unreadable.empty()) complete_ = false;
  if (complete_ && result_.faults.empty()) AddOpset(version);
  if (opsets_.size() == index + 1) ReadGraphs(index);
  graphs_.clear();
  present_.clear();
  for (const Arrival& arrival : arrivals_) {
    if (arrival.track != nullptr) {
      present_.emplace(arrival.track->names[0], arrival.track);
    }
  }
}

void Builder::CollectSchemas(const DeclaredVersion& version) {
  arrivals_.clear();
  arrival_by_name_.clear();
  arrivals_.reserve(version.schemas.size() + version.unreadable.size());
  for (size_t i = 0; i < version.schemas.size(); ++i) {
    Arrival arrival;
    arrival.name = version.schemas[i].full_name();
    arrival.change.schema = &version.schemas[i];
    arrival.change.schema_place = version.place;
    if (i < version.schema_lines.size()) {
      arrival.change.schema_place = {version.operators_file,
                                     version.schema_lines[i]};
    }
    if (!arrival_by_name_.emplace(arrival.name, arrivals_.size()).second) {
      Fault(arrival.change.schema_place, arrival.name,
            "the operator occurs twice in this version");
      continue;
    }
    arrivals_.push_back(std::move(arrival));
  }
  for (const std::string& name : version.unreadable) {
    const auto inserted = arrival_by_name_.emplace(name, arrivals_.size());
    if (inserted.second) {
      arrivals_.emplace_back();
      arrivals_.back().name = name;
    }
    arrivals_[inserted.first->second].unreadable = true;
  }
}

// Gives each declaration to the operator that it is about.
void Builder::CollectChanges(const DeclaredVersion& version) {
  removed_.clear();
  for (const DeclaredChange& change : version.changes) {
    if (absl::holds_alternative<absl::monostate>(change.what)) {
      Fault(change.place, change.op, "the change says nothing");
      continue;
    }
    if (absl::holds_alternative<DeclaredChange::Removed>(change.what)) {
      removed_.push_back(&change);
      continue;
    }
    Arrival* arrival = FindArrival(change.op);
    if (arrival == nullptr) {
      Fault(change.place, change.op,
            present_.contains(change.op)
                ? "the operator is not in this version any more; of such only "
                  "`removed` can be declared (or, if it has a new name, "
                  "changes under that)"
                : "the change is about an operator that this version lacks");
      continue;
    }
    if (!absl::holds_alternative<DeclaredChange::OperatorRenamed>(
            change.what)) {
      arrival->change.declared.push_back(&change);
    }
  }
  if (!version.gap.has_value()) return;
  for (const DeclaredGap::Exception& exception : version.gap->except) {
    Arrival* arrival = FindArrival(exception.op);
    if (arrival == nullptr) {
      Fault(exception.place, exception.op,
            "the gap excepts an argument of an operator that this version "
            "lacks");
      continue;
    }
    arrival->change.except.push_back(&exception);
  }
}

void Builder::RenameOperators(const DeclaredVersion& version) {
  absl::flat_hash_map<std::string, std::string> taken;
  for (const DeclaredChange& change : version.changes) {
    const auto* renamed =
        absl::get_if<DeclaredChange::OperatorRenamed>(&change.what);
    if (renamed == nullptr) continue;
    Arrival* arrival = FindArrival(change.op);
    if (arrival == nullptr) continue;  // reported by CollectChanges
    const auto fault = [&](const std::string& message) {
      Fault(change.place, change.op,
            absl::StrCat("cannot be renamed from `", renamed->from,
                         "`: ", message));
      arrival->unreadable = true;
    };
    const auto before = present_.find(renamed->from);
    if (before == present_.end()) {
      fault("the version before has no such operator");
      continue;
    }
    OperatorTrack* track = before->second;
    if (FindArrival(renamed->from) != nullptr) {
      fault("this version still has an operator of that name");
      continue;
    }
    if (arrival->track != nullptr) {
      fault(absl::StrCat("it is renamed from `", arrival->track->names[1],
                         "` already"));
      continue;
    }
    const auto reserved = track_by_name_.find(change.op);
    if (reserved != track_by_name_.end() && reserved->second != track) {
      fault(
          "another operator has or had the new name, and names stay reserved");
      continue;
    }
    const auto inserted = taken.emplace(renamed->from, change.op);
    if (!inserted.second) {
      fault(absl::StrCat("`", inserted.first->second,
                         "` is renamed from that already"));
      continue;
    }
    PutNameFirst(change.op, &track->names);
    track_by_name_[change.op] = track;
    arrival->track = track;
  }
}

// Finds the operators that the schemas are of: by name, where no rename did.
void Builder::IdentifyOperators(size_t index) {
  for (Arrival& arrival : arrivals_) {
    if (arrival.track == nullptr) {
      const auto found = track_by_name_.find(arrival.name);
      if (found == track_by_name_.end()) {
        tracks_.push_back(std::make_unique<OperatorTrack>());
        arrival.track = tracks_.back().get();
        arrival.track->names = {arrival.name};
        arrival.track->origin = origin_;
        arrival.change.appears = true;
        track_by_name_.emplace(arrival.name, arrival.track);
      } else if (found->second->names[0] == arrival.name) {
        arrival.track = found->second;
      } else {
        if (!arrival.unreadable) {
          Fault(arrival.change.schema_place, arrival.name,
                absl::StrCat("the operator takes an earlier name of `",
                             found->second->names[0],
                             "`; names stay reserved (is a renamed_from "
                             "missing?)"));
        }
        continue;
      }
    }
    OperatorTrack& track = *arrival.track;
    if (track.newest_version + 1 < index) arrival.change.appears = true;
    track.newest_version = index;
  }
  absent_.clear();
  for (const std::unique_ptr<OperatorTrack>& track : tracks_) {
    if (track->newest_version != index) absent_.push_back(track.get());
  }
}

VersionStep Builder::StepFor(size_t index, const OperatorTrack& track) const {
  VersionStep step;
  step.history = &declared_.name;
  step.id = id_;
  step.index = index;
  step.origin = origin_;
  step.read_literal = read_literal_;
  step.read_type = read_type_;
  const Gaps& now = gaps_[index];
  const Gaps& then = gaps_[track.last_seen];
  const size_t gaps = now.all - then.all;
  step.gap = gaps > 0;
  step.added_defaults_are_neutral =
      now.added_neutral - then.added_neutral == gaps;
  step.removed_defaults_are_retired =
      now.removed_retired - then.removed_retired == gaps;
  return step;
}

// The operators that this version removes, and what it declares about them.
void Builder::ReadRemoved(size_t index) {
  for (OperatorTrack* track : absent_) {
    if (track->newest_version + 1 != index || track->info == nullptr) continue;
    auto info = std::make_shared<OperatorInfo>(*track->info);
    info->removed_in = origin_;
    track->info = std::move(info);
  }
  for (const DeclaredChange* change : removed_) {
    const auto found = present_.find(change->op);
    if (found == present_.end()) {
      Fault(change->place, change->op,
            "`removed` is about an operator that the version before lacks");
      continue;
    }
    OperatorTrack& track = *found->second;
    if (track.newest_version == index) {
      Fault(change->place, change->op,
            absl::StrCat("`removed` belongs to the version that removes the "
                         "operator, and this one has it",
                         track.names[0] == change->op
                             ? std::string()
                             : absl::StrCat(" as `", track.names[0], "`")));
      continue;
    }
    if (track.lost || track.revisions.empty()) continue;
    FaultList faults(change->op, declared_.name, *id_, &result_.faults);
    auto info = std::make_shared<OperatorInfo>(*track.info);
    if (info->removed != nullptr) {
      Fault(change->place, change->op, "`removed` is declared twice");
      continue;
    }
    info->removed =
        StepReader(read_literal_, read_type_, change->place, &faults)
            .Presence(
                absl::get<DeclaredChange::Removed>(change->what).upgraders,
                track.revisions.back().last, StepGraphUse::Kind::kUpgrader,
                &graphs_);
    track.info = std::move(info);
  }
}

void Builder::ReadGraphs(size_t index) {
  for (PendingGraph& pending : graphs_) {
    const bool is_up = pending.use.kind == StepGraphUse::Kind::kUpgrader;
    const Opset& written_at = opsets_[is_up ? index : index - 1];
    pending.graph->version = written_at.version();
    if (read_graph_ == nullptr || pending.use.path.empty()) continue;
    absl::StatusOr<StepGraphBody> body = read_graph_(pending.use, written_at);
    if (body.ok()) {
      pending.graph->body = std::move(body->module);
      pending.graph->mismatch = std::move(body->mismatch);
      if (!pending.graph->mismatch.empty()) {
        result_.warnings.push_back(
            {{pending.use.path},
             absl::StrCat("no call can take this graph, whose effects are not "
                          "those of `",
                          pending.use.entry->ToString(),
                          "`: ", pending.graph->mismatch)});
      }
    } else {
      result_.faults.push_back(
          {{pending.use.path}, std::string(body.status().message())});
    }
  }
}

void Builder::AddOpset(const DeclaredVersion& version) {
  OpsetParts parts;
  parts.name = declared_.name;
  parts.aliases = declared_.aliases;
  if (!opsets_.empty()) parts.versions = opsets_.back().versions();
  parts.versions.push_back(version.id);
  parts.operators.reserve(arrivals_.size());
  for (const Arrival& arrival : arrivals_) {
    parts.operators.push_back(arrival.track->info);
  }
  for (const OperatorTrack* track : absent_) {
    if (track->info != nullptr) parts.removed_operators.push_back(track->info);
  }
  parts.earlier = opsets_;
  absl::StatusOr<Opset> opset = Opset::Create(std::move(parts));
  if (opset.ok()) {
    opsets_.push_back(*std::move(opset));
  } else {
    result_.faults.push_back(
        {version.place, std::string(opset.status().message())});
  }
}

}  // namespace

HistoryResult BuildHistory(const DeclaredHistory& declared,
                           LiteralReader read_literal, TypeReader read_type,
                           const StepGraphReader& read_graph) {
  return Builder(declared, read_literal, read_type, read_graph).Build();
}

}  // namespace opcompat
