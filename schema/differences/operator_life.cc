#include "schema/differences/operator_life.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
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

std::vector<std::string> SuggestOperators(const OpsetHistory& history,
                                          absl::string_view full_name,
                                          size_t limit) {
  std::set<std::string> names;
  for (const std::vector<OperatorInfoPtr>* operators :
       {&history.newest().operators(), &history.newest().removed_operators()}) {
    for (const OperatorInfoPtr& info : *operators) {
      const std::vector<std::string>& known = info->current()->names;
      names.insert(known.begin(), known.end());
    }
  }
  // `aten::add` of `aten::add.tensor`.
  const absl::string_view base = full_name.substr(
      0, full_name.find('.', full_name.find("::") == absl::string_view::npos
                                 ? 0
                                 : full_name.find("::") + 2));
  std::vector<std::string> suggested;
  for (const std::string& name : names) {
    if (name == base || absl::StartsWith(name, absl::StrCat(base, "."))) {
      suggested.push_back(name);
    }
  }
  const std::vector<std::string> nearest =
      NearestNames(full_name, {names.begin(), names.end()}, limit);
  if (suggested.empty()) return nearest;
  // Among the overloads, one that is nearly spelled like it comes first.
  std::stable_sort(suggested.begin(), suggested.end(),
                   [&](const std::string& a, const std::string& b) {
                     return EditDistance(full_name, a) <
                            EditDistance(full_name, b);
                   });
  if (suggested.size() > limit) suggested.resize(limit);
  return suggested;
}

}  // namespace opcompat
