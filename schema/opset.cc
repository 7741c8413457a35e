#include "schema/opset.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "base/concat.h"
#include "base/hash_map.h"
#include "base/status_macros.h"
#include "schema/operator_entry.h"

namespace opcompat {

// The keys are views into the OpsetParts. Operators are numbered as
// LazyOperators does.
struct Opset::Index {
  struct Named {
    size_t index;
    bool is_current;  // the name at this version
  };
  HashMap<absl::string_view, size_t> versions;
  HashMap<absl::string_view, Named> operators;  // by any name
  HashMap<absl::string_view, size_t> removed;   // by any name

  // Of lazy ones, once all were asked for.
  mutable std::once_flag all_made;
  mutable std::vector<OperatorInfoPtr> all_operators;
  mutable std::vector<OperatorInfoPtr> all_removed;
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
        Concat("opset ", parts.name, " has no version"));
  }
  if (!parts.earlier.empty() &&
      parts.earlier.size() + 1 != parts.versions.size()) {
    return absl::InvalidArgumentError(
        Concat("opset ", parts.name, " ", parts.versions.back(), ": expected ",
               parts.versions.size() - 1, " earlier opsets or none, found ",
               parts.earlier.size()));
  }
  if (parts.lazy != nullptr &&
      !(parts.operators.empty() && parts.removed_operators.empty() &&
        parts.earlier.empty())) {
    return absl::InvalidArgumentError(
        Concat("opset ", parts.name, " ", parts.versions.back(),
               " has operators of both kinds, lazy and not"));
  }
  for (const auto* operators : {&parts.operators, &parts.removed_operators}) {
    if (!std::all_of(operators->begin(), operators->end(), IsComplete)) {
      return absl::InvalidArgumentError(
          Concat("opset ", parts.name, " ", parts.versions.back(),
                 " has an operator without revisions or names"));
    }
  }
  return absl::OkStatus();
}

// Every name that the operator ever had, the present one first.
std::vector<absl::string_view> AllNames(const OperatorInfo& info) {
  std::vector<absl::string_view> names = {info.current()->name()};
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
  opset.parts_ = std::make_shared<const OpsetParts>(std::move(parts));
  const OpsetParts& made = *opset.parts_;
  auto index = std::make_shared<Index>();
  const auto fault = [&](auto... what) {
    return absl::InvalidArgumentError(
        Concat("opset ", made.name, " ", made.versions.back(), ": ", what...));
  };
  for (size_t i = 0; i < made.versions.size(); ++i) {
    if (!index->versions.try_emplace(made.versions[i], i).second) {
      return fault("the version ", made.versions[i], " comes twice");
    }
  }
  const size_t num_operators = opset.num_operators();
  const size_t num_all =
      num_operators + (made.lazy != nullptr ? made.lazy->num_removed_operators()
                                            : made.removed_operators.size());
  index->operators.reserve(num_operators);
  std::vector<absl::string_view> names_of_info;
  for (size_t i = 0; i < num_all; ++i) {
    absl::Span<const absl::string_view> names;
    if (made.lazy != nullptr) {
      names = made.lazy->names(i);
    } else {
      names_of_info = AllNames(
          i < num_operators ? *made.operators[i]
                            : *made.removed_operators[i - num_operators]);
      names = names_of_info;
    }
    for (const absl::string_view name : names) {
      if (i >= num_operators) {
        index->removed.try_emplace(name, i);
        continue;
      }
      const bool is_current = name == names[0];
      const auto [it, is_new] =
          index->operators.try_emplace(name, Index::Named{i, is_current});
      if (is_new || it->second.index == i) continue;
      if (is_current && it->second.is_current) {
        return fault("the operator ", name, " comes twice");
      }
      return fault("two operators have or had the name ", name,
                   ", which are now ", opset.name_of(it->second.index), " and ",
                   names[0]);
    }
  }
  opset.index_ = std::move(index);
  return opset;
}

size_t Opset::num_operators() const {
  return parts_->lazy != nullptr ? parts_->lazy->num_operators()
                                 : parts_->operators.size();
}

absl::string_view Opset::name_of(size_t i) const {
  if (parts_->lazy != nullptr) return parts_->lazy->names(i)[0];
  return info(i)->current()->name();
}

const OperatorInfo* Opset::info(size_t i) const {
  if (parts_->lazy != nullptr) return parts_->lazy->info(i).get();
  const size_t num_operators = parts_->operators.size();
  return i < num_operators ? parts_->operators[i].get()
                           : parts_->removed_operators[i - num_operators].get();
}

const std::vector<OperatorInfoPtr>& Opset::operators() const {
  if (parts_->lazy == nullptr) return parts_->operators;
  removed_operators();  // makes both
  return index_->all_operators;
}

const std::vector<OperatorInfoPtr>& Opset::removed_operators() const {
  if (parts_->lazy == nullptr) return parts_->removed_operators;
  std::call_once(index_->all_made, [this] {
    const LazyOperators& lazy = *parts_->lazy;
    const size_t num_operators = lazy.num_operators();
    index_->all_operators.reserve(num_operators);
    for (size_t i = 0; i < num_operators; ++i) {
      index_->all_operators.push_back(lazy.info(i));
    }
    index_->all_removed.reserve(lazy.num_removed_operators());
    for (size_t i = 0; i < lazy.num_removed_operators(); ++i) {
      index_->all_removed.push_back(lazy.info(num_operators + i));
    }
  });
  return index_->all_removed;
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
  const auto it = index_->operators.find(full_name);
  return it == index_->operators.end() || !it->second.is_current
             ? nullptr
             : info(it->second.index);
}

const OperatorInfo* Opset::FindByAnyName(absl::string_view full_name) const {
  const auto it = index_->operators.find(full_name);
  return it == index_->operators.end() ? nullptr : info(it->second.index);
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
  return it == index_->removed.end() ? nullptr : info(it->second);
}

const Opset* Opset::Earlier(absl::string_view id) const {
  const absl::optional<size_t> version = VersionIndex(id);
  return version.has_value() && *version < parts_->earlier.size()
             ? &parts_->earlier[*version]
             : nullptr;
}

bool Opset::ContradictsVersion(absl::string_view id,
                               const OperatorEntry& entry) const {
  const absl::optional<size_t> version = VersionIndex(id);
  if (!version.has_value()) return false;
  const OperatorInfo* known = nullptr;
  OperatorInfoPtr owner;  // of `known`, unless an opset is
  if (*version + 1 == versions().size()) {
    known = FindByNamesOf(entry);
  } else if (parts_->lazy != nullptr) {
    absl::StatusOr<OperatorInfoPtr> earlier = FindAt(*version, entry);
    if (!earlier.ok()) return true;
    owner = *std::move(earlier);
    known = owner.get();
  } else if (!parts_->earlier.empty()) {
    known = parts_->earlier[*version].FindByNamesOf(entry);
  }
  if (known == nullptr || entry.revision < 1 ||
      entry.revision > known->revision()) {
    return false;
  }
  const OperatorEntryPtr& then = known->revisions[entry.revision - 1].last;
  return then.get() != &entry && entry != *then;
}

absl::StatusOr<OperatorInfoPtr> Opset::FindAt(
    size_t version, const OperatorEntry& entry) const {
  for (const std::string& name : entry.names) {
    size_t i = 0;
    const auto present = index_->operators.find(name);
    if (present != index_->operators.end()) {
      i = present->second.index;
    } else {
      const auto removed = index_->removed.find(name);
      if (removed == index_->removed.end()) continue;
      i = removed->second;
    }
    OPCOMPAT_ASSIGN_OR_RETURN(OperatorInfoPtr then,
                              parts_->lazy->InfoAt(version, i));
    if (then == nullptr) continue;
    // It may have got the name later.
    const std::vector<absl::string_view> names = AllNames(*then);
    if (std::find(names.begin(), names.end(), name) != names.end()) return then;
  }
  return OperatorInfoPtr();
}

absl::StatusOr<Runtime> Runtime::Create(std::vector<Opset> opsets) {
  HashMap<absl::string_view, const Opset*> names;
  HashMap<absl::string_view, const Opset*> operators;
  for (const Opset& opset : opsets) {
    std::vector<absl::string_view> all_names(opset.aliases().begin(),
                                             opset.aliases().end());
    all_names.push_back(opset.name());
    for (absl::string_view name : all_names) {
      const auto [it, is_new] = names.try_emplace(name, &opset);
      if (!is_new && it->second != &opset) {
        return absl::InvalidArgumentError(Concat(
            "the opsets ", it->second->name(), " ", it->second->version(),
            " and ", opset.name(), " ", opset.version(), " both go by ", name,
            "; a runtime has one version of each history"));
      }
    }
    if (opsets.size() == 1) break;  // its own names are unique
    for (size_t i = 0; i < opset.num_operators(); ++i) {
      const absl::string_view name = opset.name_of(i);
      const auto [it, is_new] = operators.try_emplace(name, &opset);
      if (!is_new) {
        return absl::InvalidArgumentError(
            Concat("the opsets ", it->second->name(), " ",
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
