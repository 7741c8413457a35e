#include "schema/evolution/operator_track.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/variant.h"
#include "schema/evolution/advance.h"
#include "schema/evolution/alias_marks.h"
#include "schema/evolution/fault_list.h"
#include "schema/evolution/steps.h"

namespace opcompat {
namespace evolution_internal {

void Advance::Run() {
  if (schema_.has_repeated_name()) return RunUnusable();
  FindSemanticChange();
  if (!MatchArguments()) {
    track_.lost = true;
    return;
  }
  UpdateArguments();
  ApplyDeclarations();
  ApplyExceptions();
  for (size_t id = 0; id < track_.arguments.size(); ++id) {
    if (news_[id] == News::kAdded) FillNeutral(id);
    if (news_[id] == News::kRemoved) FillRetired(id);
  }
  CheckResults();
  OperatorEntryPtr entry = MakeEntry();
  ReadAdded(entry);
  Publish(std::move(entry));
}

void Advance::RunUnusable() {
  for (const DeclaredChange* change : change_.declared) {
    faults_.Add(change->place,
                "nothing can be declared about an operator whose schema "
                "repeats an argument name");
  }
  auto entry = std::make_shared<OperatorEntry>();
  entry->names = track_.names;
  entry->history = *version_.history;
  entry->origin = track_.origin;
  entry->revision_origin = track_.origin;
  auto info = std::make_shared<OperatorInfo>();
  info->revisions = track_.revisions;
  if (info->revisions.empty()) {
    info->revisions.push_back({entry, entry, nullptr});
  } else {
    entry->revision = info->revision();
    entry->revision_origin = before()->revision_origin;
    info->revisions.back().last = entry;
  }
  info->fault =
      absl::StrCat("the schema repeats an argument name: ", schema_.ToString());
  track_.info = std::move(info);
}

void Advance::FindSemanticChange() {
  for (const DeclaredChange* change : change_.declared) {
    if (absl::holds_alternative<DeclaredChange::AnnotationFixed>(
            change->what)) {
      if (annotation_fixed_ != nullptr) {
        faults_.Add(change->place, "annotation_fixed is declared twice");
      }
      annotation_fixed_ = change;
    }
    const auto* declared = absl::get_if<DeclaredSemanticChange>(&change->what);
    if (declared == nullptr) continue;
    if (track_.revisions.empty()) {
      faults_.Add(change->place,
                  "a new operator begins at revision 1, so it has no "
                  "semantic_change");
      continue;
    }
    if (semantic_change_ != nullptr) {
      faults_.Add(change->place,
                  "a version can make one new revision of an operator, and "
                  "this is its second semantic_change");
      continue;
    }
    const uint64_t expected = track_.revisions.size() + 1;
    if (declared->revision != expected) {
      faults_.Add(
          change->place,
          absl::StrCat("semantic_change to revision ", declared->revision,
                       ", but the next one is ", expected));
    }
    semantic_change_ = declared;
    semantic_place_ = change->place;
  }
}

void Advance::CheckResults() {
  if (before() == nullptr) return;
  const size_t now = schema_.results().size();
  const size_t then = before()->results.size();
  for (size_t i = 0; i < std::min(now, then); ++i) {
    marks_.Compare(before()->results[i].type, before()->results[i].alias,
                   schema_.results()[i].type, schema_.results()[i].alias);
  }
  if (semantic_change_ != nullptr) return;
  if (now < then) track_.results_shrunk = true;
  if (now > then && track_.results_shrunk) {
    faults_.Add(
        change_.schema_place,
        absl::StrCat("the list of results grows from ", then, " to ", now,
                     " after it had shrunk, which is a change of "
                     "meaning: declare a semantic_change"));
  }
}

OperatorEntryPtr Advance::MakeEntry() {
  auto entry = std::make_shared<OperatorEntry>();
  entry->names = track_.names;
  entry->history = *version_.history;
  entry->origin = track_.origin;
  if (before() == nullptr) {
    entry->revision_origin = track_.origin;
  } else if (semantic_change_ != nullptr) {
    entry->revision = static_cast<uint32_t>(track_.revisions.size() + 1);
    entry->revision_origin = version_.origin;
  } else {
    entry->revision = before()->revision;
    entry->revision_origin = before()->revision_origin;
  }
  entry->arguments.reserve(track_.exposed.size() + track_.retired.size());
  for (size_t id : track_.exposed) {
    entry->arguments.push_back(argument(id).entry);
  }
  for (size_t id : track_.retired) {
    entry->arguments.push_back(argument(id).entry);
  }
  entry->is_vararg = schema_.is_vararg();
  entry->is_varret = schema_.is_varret();
  entry->results.reserve(schema_.results().size());
  for (const Result& r : schema_.results()) {
    entry->results.push_back({r.name, r.type, r.alias});
  }
  CoverMarks(entry.get());
  return entry;
}

// Marks that were declared to be equal stay so while nothing changes. A new
// revision is compared with the last schema before it only.
void Advance::CoverMarks(OperatorEntry* entry) {
  if (before() == nullptr) {
    if (annotation_fixed_ != nullptr) {
      faults_.Add(annotation_fixed_->place,
                  "annotation_fixed: the operator is new in this version");
    }
    return;
  }
  if (annotation_fixed_ != nullptr && !marks_.respelled()) {
    faults_.Add(annotation_fixed_->place,
                "annotation_fixed: this version changes no alias annotation");
  }
  const bool keep = !marks_.changed() || annotation_fixed_ != nullptr;
  if (keep && semantic_change_ == nullptr) {
    entry->covered_marks = before()->covered_marks;
  }
  if (annotation_fixed_ == nullptr) return;
  CoveredMarks marks = MarksOf(*before());
  if (std::find(entry->covered_marks.begin(), entry->covered_marks.end(),
                marks) == entry->covered_marks.end()) {
    entry->covered_marks.push_back(std::move(marks));
  }
}

void Advance::ReadAdded(const OperatorEntryPtr& entry) {
  if (change_.appears) track_.added = nullptr;
  for (const DeclaredChange* change : change_.declared) {
    const auto* added = absl::get_if<DeclaredChange::Added>(&change->what);
    if (added == nullptr || !change_.appears) continue;
    if (version_.index == 0) {
      faults_.Add(change->place,
                  "`added` gives downgraders for the version before, and this "
                  "is the first one");
      continue;
    }
    track_.added = StepReader(version_.read_literal, version_.read_type,
                              change->place, &faults_)
                       .Presence(added->downgraders, entry,
                                 StepGraphUse::Kind::kDowngrader, &graphs_);
  }
}

void Advance::Publish(OperatorEntryPtr entry) {
  if (track_.revisions.empty()) {
    track_.revisions.push_back({entry, entry, nullptr});
  } else if (semantic_change_ != nullptr) {
    StepReader reader(version_.read_literal, version_.read_type,
                      semantic_place_, &faults_);
    track_.revisions.push_back(
        {entry, entry,
         reader.Step(*semantic_change_, track_.revisions.back().last, entry,
                     &graphs_)});
  } else if (*entry != *before()) {
    track_.revisions.back().last = std::move(entry);
  } else if (track_.info != nullptr && track_.info->fault.empty() &&
             track_.info->added == track_.added &&
             track_.info->removed_in.is_base()) {
    return;  // what the version before knows is all that there is
  }
  auto info = std::make_shared<OperatorInfo>();
  info->revisions = track_.revisions;
  info->added = track_.added;
  track_.info = std::move(info);
}

}  // namespace evolution_internal

void AdvanceOperator(const VersionStep& version, const OperatorChange& change,
                     OperatorTrack* track, std::vector<PendingGraph>* graphs,
                     std::vector<HistoryFault>* faults) {
  evolution_internal::Advance(version, change, track, graphs, faults).Run();
  if (!change.schema->has_repeated_name()) track->last_seen = version.index;
}

void PutNameFirst(const std::string& name, std::vector<std::string>* names) {
  const auto found = std::find(names->begin(), names->end(), name);
  if (found == names->end()) {
    names->insert(names->begin(), name);
  } else {
    std::rotate(names->begin(), found, found + 1);
  }
}

}  // namespace opcompat
