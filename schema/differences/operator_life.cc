#include "schema/differences/operator_life.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "schema/differences/name_similarity.h"
#include "schema/differences/operator_difference.h"
#include "schema/operator_entry.h"

namespace opcompat {
namespace {

// By any of its names, also where the version calls it otherwise. (Names stay
// reserved, so none of them is another operator's.)
const OperatorInfo* FindIn(const Opset& opset,
                           const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const OperatorInfo* info = opset.Find(name);
    if (info != nullptr) return info;
  }
  return nullptr;
}

std::vector<const DeclaredChange*> DeclaredBy(
    const DeclaredVersion& version, const std::vector<std::string>& names) {
  std::vector<const DeclaredChange*> declared;
  for (const DeclaredChange& change : version.changes) {
    if (std::find(names.begin(), names.end(), change.op) != names.end()) {
      declared.push_back(&change);
    }
  }
  return declared;
}

std::vector<Difference> DiffInfos(const OperatorInfo& older,
                                  const OperatorInfo& newer) {
  if (older.fault.empty() && newer.fault.empty()) {
    return DiffOperators(*older.current(), *newer.current());
  }
  if (older.fault == newer.fault) return {};
  return {{DifferenceKind::kUsabilityChanged, newer.current()->name(), "",
           older.fault, newer.fault}};
}

// All names that operators of the histories have or had.
std::set<std::string> NamesIn(
    const std::vector<const OpsetHistory*>& histories) {
  std::set<std::string> names;
  for (const OpsetHistory* history : histories) {
    const Opset& newest = history->newest();
    for (const std::vector<OperatorInfoPtr>* operators :
         {&newest.operators(), &newest.removed_operators()}) {
      for (const OperatorInfoPtr& info : *operators) {
        const std::vector<std::string>& known = info->current()->names;
        names.insert(known.begin(), known.end());
      }
    }
  }
  return names;
}

// `add` of `aten::add`.
absl::string_view WithoutNamespace(absl::string_view name) {
  const size_t colons = name.rfind("::");
  return colons == absl::string_view::npos ? name : name.substr(colons + 2);
}

// `aten::add` of `aten::add.Tensor`.
absl::string_view WithoutOverload(absl::string_view name) {
  const size_t start = name.size() - WithoutNamespace(name).size();
  return name.substr(0, name.find('.', start));
}

}  // namespace

absl::string_view LifeEventId(LifeEvent event) {
  switch (event) {
    case LifeEvent::kThere:
      return "there";
    case LifeEvent::kAdded:
      return "added";
    case LifeEvent::kChanged:
      return "changed";
    case LifeEvent::kRemoved:
      return "removed";
    case LifeEvent::kReturned:
      return "returned";
  }
  return "";
}

absl::optional<OperatorLife> LifeOf(const OpsetHistory& history,
                                    const DeclaredHistory& declared,
                                    absl::string_view full_name) {
  const OperatorInfo* newest = history.newest().FindByAnyName(full_name);
  if (newest == nullptr) newest = history.newest().FindRemoved(full_name);
  if (newest == nullptr) return absl::nullopt;
  OperatorLife life;
  life.names = newest->current()->names;
  const OperatorInfo* last = nullptr;  // as last known
  bool present = false;
  for (size_t v = 0; v < history.versions().size(); ++v) {
    const OperatorInfo* info = FindIn(history.versions()[v], life.names);
    LifeChange change;
    change.version = v;
    change.info = info != nullptr ? info : last;
    if (change.info == nullptr) continue;  // not yet
    change.declared = DeclaredBy(declared.versions[v], life.names);
    if (info == nullptr) {
      if (!present) continue;
      change.event = LifeEvent::kRemoved;
    } else if (last == nullptr) {
      change.event = v == 0 ? LifeEvent::kThere : LifeEvent::kAdded;
    } else {
      change.event = present ? LifeEvent::kChanged : LifeEvent::kReturned;
      change.differences = DiffInfos(*last, *info);
    }
    present = info != nullptr;
    if (info != nullptr) last = info;
    if (change.event == LifeEvent::kChanged && change.differences.empty() &&
        change.declared.empty()) {
      continue;
    }
    life.changes.push_back(std::move(change));
  }
  return life;
}

std::vector<std::string> SuggestOperators(
    const std::vector<const OpsetHistory*>& histories,
    absl::string_view full_name, size_t limit) {
  if (full_name.empty()) return {};
  const std::set<std::string> names = NamesIn(histories);
  const absl::string_view base = WithoutOverload(full_name);
  std::vector<std::string> suggested;
  for (const std::string& name : names) {
    if (WithoutOverload(name) == base) suggested.push_back(name);
  }
  if (suggested.empty()) {
    for (const std::string& name : names) {
      if (WithoutNamespace(WithoutOverload(name)) == WithoutNamespace(base)) {
        suggested.push_back(name);
      }
    }
  }
  if (!suggested.empty()) {
    // One that is nearly spelled like it comes first.
    std::stable_sort(suggested.begin(), suggested.end(),
                     [&](const std::string& a, const std::string& b) {
                       return EditDistance(full_name, a) <
                              EditDistance(full_name, b);
                     });
    if (suggested.size() > limit) suggested.resize(limit);
    return suggested;
  }
  if (WithoutNamespace(base) != base) {
    return NearestNames(full_name, {names.begin(), names.end()}, limit);
  }
  // Without a namespace: the first operator that each near name is of.
  std::map<std::string, std::string> by_local_name;
  std::vector<std::string> local_names;
  for (const std::string& name : names) {
    const std::string local(WithoutNamespace(name));
    if (by_local_name.emplace(local, name).second) local_names.push_back(local);
  }
  for (const std::string& local : NearestNames(full_name, local_names, limit)) {
    suggested.push_back(by_local_name[local]);
  }
  return suggested;
}

}  // namespace opcompat
