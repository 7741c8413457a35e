#include "schema/opset.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "schema/operator_entry.h"

namespace opcompat {

// The keys are views into the OpsetParts.
struct Opset::Index {
  absl::flat_hash_map<absl::string_view, size_t> versions;
  absl::flat_hash_map<absl::string_view, const OperatorInfo*> by_name;
  absl::flat_hash_map<absl::string_view, const OperatorInfo*> by_any_name;
  absl::flat_hash_map<absl::string_view, const OperatorInfo*> removed;
};

namespace {

bool IsComplete(const OperatorInfoPtr& info) {
  if (info == nullptr || info->revisions.empty()) return false;
  for (const OperatorRevision& revision : info->revisions) {
    if (revision.first == nullptr || revision.last == nullptr ||
        revision.first->names.empty() || revision.last->names.empty()) {
      return false;
    }
  }
  return true;
}

absl::Status CheckParts(const OpsetParts& parts) {
  if (parts.name.empty()) {
    return absl::InvalidArgumentError("an opset without a name");
  }
  if (parts.versions.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("opset ", parts.name, " has no version"));
  }
  if (!parts.earlier.empty() &&
      parts.earlier.size() + 1 != parts.versions.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("opset ", parts.name, " ", parts.versions.back(),
                     ": expected ", parts.versions.size() - 1,
                     " earlier opsets or none, found ", parts.earlier.size()));
  }
  for (const auto* operators : {&parts.operators, &parts.removed_operators}) {
    if (!std::all_of(operators->begin(), operators->end(), IsComplete)) {
      return absl::InvalidArgumentError(
          absl::StrCat("opset ", parts.name, " ", parts.versions.back(),
                       " has an operator without revisions or names"));
    }
  }
  return absl::OkStatus();
}

// Every name that the operator ever had.
std::vector<absl::string_view> AllNames(const OperatorInfo& info) {
  std::vector<absl::string_view> names;
  for (const OperatorRevision& revision : info.revisions) {
    for (const OperatorEntry* entry :
         {revision.first.get(), revision.last.get()}) {
      names.insert(names.end(), entry->names.begin(), entry->names.end());
    }
  }
  return names;
}

}  // namespace

bool OperatorInfo::HasUpgraderFrom(uint32_t revision) const {
  if (removed != nullptr && !removed->graphs.empty()) return true;
  for (size_t r = revision; r < revisions.size(); ++r) {
    if (!revisions[r].step->upgraders.empty()) return true;
  }
  return false;
}

bool OperatorInfo::HasDowngraderFrom(uint32_t revision) const {
  if (added != nullptr && !added->graphs.empty() &&
      added->entry->revision <= revision) {
    return true;
  }
  for (size_t r = 1; r < revision && r < revisions.size(); ++r) {
    if (!revisions[r].step->downgraders.empty()) return true;
  }
  return false;
}

absl::StatusOr<Opset> Opset::Create(OpsetParts parts) {
  OPCOMPAT_RETURN_IF_ERROR(CheckParts(parts));
  Opset opset;
  auto shared_parts = std::make_shared<const OpsetParts>(std::move(parts));
  auto index = std::make_shared<Index>();
  const auto fault = [&](auto... what) {
    return absl::InvalidArgumentError(
        absl::StrCat("opset ", shared_parts->name, " ",
                     shared_parts->versions.back(), ": ", what...));
  };
  for (size_t i = 0; i < shared_parts->versions.size(); ++i) {
    if (!index->versions.try_emplace(shared_parts->versions[i], i).second) {
      return fault("the version ", shared_parts->versions[i], " comes twice");
    }
  }
  for (const OperatorInfoPtr& info : shared_parts->operators) {
    if (!index->by_name.try_emplace(info->current()->name(), info.get())
             .second) {
      return fault("the operator ", info->current()->name(), " comes twice");
    }
    for (absl::string_view name : AllNames(*info)) {
      const auto [it, is_new] =
          index->by_any_name.try_emplace(name, info.get());
      if (!is_new && it->second != info.get()) {
        return fault("two operators have or had the name ", name,
                     ", which are now ", it->second->current()->name(), " and ",
                     info->current()->name());
      }
    }
  }
  for (const OperatorInfoPtr& info : shared_parts->removed_operators) {
    for (absl::string_view name : AllNames(*info)) {
      index->removed.try_emplace(name, info.get());
    }
  }
  opset.parts_ = std::move(shared_parts);
  opset.index_ = std::move(index);
  return opset;
}

bool Opset::HasName(absl::string_view name) const {
  return name == this->name() ||
         std::find(aliases().begin(), aliases().end(), name) != aliases().end();
}

absl::optional<size_t> Opset::VersionIndex(absl::string_view id) const {
  const auto it = index_->versions.find(id);
  if (it == index_->versions.end()) return absl::nullopt;
  return it->second;
}

const OperatorInfo* Opset::Find(absl::string_view full_name) const {
  const auto it = index_->by_name.find(full_name);
  return it == index_->by_name.end() ? nullptr : it->second;
}

const OperatorInfo* Opset::FindByAnyName(absl::string_view full_name) const {
  const auto it = index_->by_any_name.find(full_name);
  return it == index_->by_any_name.end() ? nullptr : it->second;
}

const OperatorInfo* Opset::FindByNamesOf(const OperatorEntry& entry) const {
  for (const std::string& name : entry.names) {
    const OperatorInfo* info = FindByAnyName(name);
    if (info != nullptr) return info;
  }
  return nullptr;
}

const OperatorInfo* Opset::FindRemoved(absl::string_view full_name) const {
  const auto it = index_->removed.find(full_name);
  return it == index_->removed.end() ? nullptr : it->second;
}

bool Opset::ContradictsVersion(absl::string_view id,
                               const OperatorEntry& entry) const {
  const absl::optional<size_t> version = VersionIndex(id);
  if (!version.has_value()) return false;
  const Opset* opset = this;
  if (*version + 1 < versions().size()) {
    if (parts_->earlier.empty()) return false;
    opset = &parts_->earlier[*version];
  }
  const OperatorInfo* info = opset->FindByNamesOf(entry);
  return info != nullptr && entry.revision >= 1 &&
         entry.revision <= info->revision() &&
         entry != *info->revisions[entry.revision - 1].last;
}

absl::StatusOr<Runtime> Runtime::Create(std::vector<Opset> opsets) {
  absl::flat_hash_map<absl::string_view, const Opset*> names;
  absl::flat_hash_map<absl::string_view, const Opset*> operators;
  for (const Opset& opset : opsets) {
    std::vector<absl::string_view> all_names(opset.aliases().begin(),
                                             opset.aliases().end());
    all_names.push_back(opset.name());
    for (absl::string_view name : all_names) {
      const auto [it, is_new] = names.try_emplace(name, &opset);
      if (!is_new && it->second != &opset) {
        return absl::InvalidArgumentError(absl::StrCat(
            "the opsets ", it->second->name(), " ", it->second->version(),
            " and ", opset.name(), " ", opset.version(), " both go by ", name,
            "; a runtime has one version of each history"));
      }
    }
    for (const OperatorInfoPtr& info : opset.operators()) {
      const std::string& name = info->current()->name();
      const auto [it, is_new] = operators.try_emplace(name, &opset);
      if (!is_new) {
        return absl::InvalidArgumentError(
            absl::StrCat("the opsets ", it->second->name(), " ",
                         it->second->version(), " and ", opset.name(), " ",
                         opset.version(), " both have the operator ", name));
      }
    }
  }
  Runtime runtime;
  runtime.opsets_ = std::move(opsets);
  return runtime;
}

const Opset* Runtime::FindOpset(absl::string_view name) const {
  for (const Opset& opset : opsets_) {
    if (opset.HasName(name)) return &opset;
  }
  return nullptr;
}

const OperatorInfo* Runtime::Find(absl::string_view full_name,
                                  const Opset** opset) const {
  for (const Opset& candidate : opsets_) {
    const OperatorInfo* info = candidate.Find(full_name);
    if (info == nullptr) continue;
    if (opset != nullptr) *opset = &candidate;
    return info;
  }
  return nullptr;
}

}  // namespace opcompat
