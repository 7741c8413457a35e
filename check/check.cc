#include "check/check.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "check/finding_places.h"
#include "check/operator_check.h"
#include "check/program_text.h"
#include "check/source_rules.h"

namespace opcompat {
namespace {

void AddOverloads(const VersionPair& pair, std::vector<Finding>* findings) {
  for (OverloadBreach& overload : CheckOverloads(pair.older(), pair.newer())) {
    findings->push_back(pair.MakeFinding(overload.op, FindingCategory::kSource,
                                         std::move(overload.breach)));
  }
}

auto SortKey(const Finding& f) {
  return std::tie(f.op, f.category, f.rule, f.argument);
}

// Consecutive versions that know the same of an operator.
struct Stretch {
  size_t first = 0;
  size_t last = 0;
  const OperatorInfo* info = nullptr;  // null: they lack it
};
using Life = std::vector<Stretch>;

// What distinguishes a finding from one of other versions.
std::string SameAs(const Finding& finding) {
  return absl::StrCat(finding.rule, " ", FindingCategoryName(finding.category),
                      " ", finding.argument);
}

class HistoryCheck {
 public:
  explicit HistoryCheck(const OpsetHistory& history)
      : versions_(history.versions()) {}

  std::vector<std::pair<size_t, Finding>> Run();

 private:
  std::vector<Life> Lives() const;
  Life WithoutStretches(const Life& life) const;
  VersionPair& Pair(size_t older, size_t newer);
  void CheckLife(const Life& life);
  void CheckReuse(const Life& life);
  void CheckReturningArguments(const Life& life, size_t now);

  const std::vector<Opset>& versions_;
  std::map<std::pair<size_t, size_t>, std::unique_ptr<VersionPair>> pairs_;
  // With the newer version's number.
  std::vector<std::pair<size_t, Finding>> findings_;
};

VersionPair& HistoryCheck::Pair(size_t older, size_t newer) {
  std::unique_ptr<VersionPair>& pair = pairs_[{older, newer}];
  if (pair == nullptr) {
    pair = std::make_unique<VersionPair>(versions_[older], versions_[newer]);
  }
  return *pair;
}

// Names stay reserved: operators that share one are one.
std::vector<Life> HistoryCheck::Lives() const {
  absl::flat_hash_map<absl::string_view, size_t> life_by_name;
  std::vector<Life> lives;
  for (size_t v = 0; v < versions_.size(); ++v) {
    for (const OperatorInfoPtr& info : versions_[v].operators()) {
      const std::vector<std::string>& names = info->current()->names;
      size_t id = lives.size();
      for (const std::string& name : names) {
        const auto found = life_by_name.find(name);
        if (found != life_by_name.end()) id = found->second;
      }
      for (const std::string& name : names) life_by_name.emplace(name, id);
      if (id == lives.size()) {
        lives.emplace_back();
        if (v > 0) lives.back().push_back({0, v - 1, nullptr});
      }
      Life& life = lives[id];
      if (!life.empty() && life.back().last + 1 < v) {
        life.push_back({life.back().last + 1, v - 1, nullptr});
      }
      if (!life.empty() && life.back().info == info.get()) {
        life.back().last = v;
      } else {
        life.push_back({v, v, info.get()});
      }
    }
  }
  for (Life& life : lives) {
    if (life.back().last + 1 < versions_.size()) {
      life.push_back({life.back().last + 1, versions_.size() - 1, nullptr});
    }
  }
  return lives;
}

// The same with one stretch for each version, if what refuses calls may be in
// other operators.
Life HistoryCheck::WithoutStretches(const Life& life) const {
  bool has_graphs = false;
  const OperatorInfo* last = nullptr;
  for (const Stretch& stretch : life) {
    const OperatorInfo* info = stretch.info;
    if (info == nullptr && last != nullptr) {
      info = versions_[stretch.first].FindRemoved(last->current()->name());
    }
    // Graphs of steps call other operators, which change on their own.
    has_graphs = has_graphs || (info != nullptr && info->HasUpgraderFrom(1));
    if (stretch.info != nullptr) last = stretch.info;
  }
  if (!has_graphs) return life;
  Life longer;
  for (const Stretch& stretch : life) {
    for (size_t v = stretch.first; v <= stretch.last; ++v) {
      longer.push_back({v, v, stretch.info});
    }
  }
  return longer;
}

void HistoryCheck::CheckLife(const Life& life) {
  // Where each finding was seen: stretches, nearer ones first.
  absl::flat_hash_map<std::string, std::vector<std::pair<size_t, size_t>>> seen;
  for (size_t distance = 1; distance < life.size(); ++distance) {
    for (size_t a = 0; a + distance < life.size(); ++a) {
      const size_t b = a + distance;
      if (life[a].info == nullptr && life[b].info == nullptr) continue;
      for (Finding& finding : Pair(life[a].last, life[b].first)
                                  .Check(life[a].info, life[b].info)) {
        std::vector<std::pair<size_t, size_t>>& at = seen[SameAs(finding)];
        const bool nearer = std::any_of(
            at.begin(), at.end(), [&](const std::pair<size_t, size_t>& other) {
              return other != std::make_pair(a, b) && other.first >= a &&
                     other.second <= b;
            });
        if (nearer) continue;
        at.emplace_back(a, b);
        findings_.emplace_back(life[b].first, std::move(finding));
      }
    }
  }
}

void HistoryCheck::CheckReuse(const Life& life) {
  for (size_t s = 2; s < life.size(); ++s) {
    if (life[s].info == nullptr) continue;
    if (life[s - 1].info != nullptr) {
      CheckReturningArguments(life, s);
      continue;
    }
    if (life[s - 2].info == nullptr) continue;
    const std::string& op = life[s].info->current()->name();
    Breach breach;
    breach.rule = "name-reused";
    breach.message = absl::StrCat(
        "the operator was there in ", versions_[life[s - 2].last].version(),
        ", not in ", versions_[life[s - 1].first].version(),
        ", and is back: it is read as the same operator");
    breach.counterexample = FullProgramCall(*life[s].info->current());
    breach.remedy = "if it is another operator, give it another name";
    findings_.emplace_back(
        life[s].first,
        Pair(life[s - 2].last, life[s].first)
            .MakeFinding(op, FindingCategory::kSource, std::move(breach)));
  }
}

void HistoryCheck::CheckReturningArguments(const Life& life, size_t now) {
  const OperatorEntry& entry = *life[now].info->current();
  const OperatorEntry& before = *life[now - 1].info->current();
  for (size_t i = 0; i < entry.num_exposed(); ++i) {
    const std::string& name = entry.arguments[i].name();
    const auto retired = std::find_if(
        before.arguments.begin(), before.arguments.end(),
        [&](const EntryArgument& argument) { return argument.name() == name; });
    if (retired == before.arguments.end() || retired->is_exposed()) continue;
    for (size_t s = now - 1; s > 0; --s) {
      const OperatorInfo* then = life[s - 1].info;
      if (then == nullptr || !then->current()->FindExposed(name).has_value()) {
        continue;
      }
      Breach breach;
      breach.rule = "name-reused";
      breach.argument = name;
      breach.message =
          absl::StrCat("argument `", name, "` was there in ",
                       versions_[life[s - 1].last].version(), ", not in ",
                       versions_[life[now - 1].last].version(),
                       ", and is back: it is read as the same argument");
      breach.counterexample = ProgramCallByName(entry, name, name);
      breach.remedy = "if it is another argument, give it another name";
      findings_.emplace_back(
          life[now].first,
          Pair(life[s - 1].last, life[now].first)
              .MakeFinding(entry.name(), FindingCategory::kSource,
                           std::move(breach)));
      break;
    }
  }
}

std::vector<std::pair<size_t, Finding>> HistoryCheck::Run() {
  for (const Life& life : Lives()) {
    if (life.size() < 2) continue;
    CheckLife(WithoutStretches(life));
    CheckReuse(life);
  }
  for (size_t v = 1; v < versions_.size(); ++v) {
    std::vector<Finding> overloads;
    AddOverloads(Pair(v - 1, v), &overloads);
    for (Finding& finding : overloads) {
      findings_.emplace_back(v, std::move(finding));
    }
  }
  std::stable_sort(findings_.begin(), findings_.end(),
                   [](const auto& a, const auto& b) {
                     if (a.first != b.first) return a.first < b.first;
                     return SortKey(a.second) < SortKey(b.second);
                   });
  return std::move(findings_);
}

}  // namespace

std::vector<Finding> CheckPair(const Opset& older, const Opset& newer) {
  VersionPair pair(older, newer);
  std::vector<Finding> findings;
  const auto check = [&](const OperatorInfo* before, const OperatorInfo* now) {
    for (Finding& finding : pair.Check(before, now)) {
      // Where the history and its step graphs are is not known.
      finding.place = SourcePlace();
      findings.push_back(std::move(finding));
    }
  };
  absl::flat_hash_set<const OperatorInfo*> met;
  for (const OperatorInfoPtr& info : newer.operators()) {
    const OperatorInfo* before = older.FindByNamesOf(*info->current());
    met.insert(before);
    check(before, info.get());
  }
  for (const OperatorInfoPtr& info : older.operators()) {
    if (!met.contains(info.get())) {
      check(info.get(), newer.FindByNamesOf(*info->current()));
    }
  }
  AddOverloads(pair, &findings);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) {
                     return SortKey(a) < SortKey(b);
                   });
  return findings;
}

std::vector<Finding> CheckHistory(const OpsetHistory& history,
                                  const DeclaredHistory* declared,
                                  const CheckOptions& options) {
  std::vector<Finding> findings;
  FindingPlaces places(declared);
  for (auto& [version, finding] : HistoryCheck(history).Run()) {
    if (!options.newer.empty() && finding.newer != options.newer) continue;
    finding.place = places.Find(finding);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace opcompat
