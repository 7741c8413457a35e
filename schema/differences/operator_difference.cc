#include "schema/differences/operator_difference.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace {

struct KindText {
  const char* id;
  const char* title;
};

// In the order of DifferenceKind.
constexpr KindText kKindTexts[kNumDifferenceKinds] = {
    {"operator_added", "operators added"},
    {"operator_removed", "operators removed"},
    {"operator_renamed", "operators renamed"},
    {"revision_changed", "revisions changed"},
    {"argument_added", "arguments added"},
    {"argument_removed", "arguments removed"},
    {"argument_renamed", "arguments renamed"},
    {"arguments_reordered", "arguments reordered"},
    {"made_keyword_only", "arguments made keyword-only"},
    {"made_positional", "arguments made positional"},
    {"type_changed", "types changed"},
    {"default_changed", "defaults changed"},
    {"vararg_changed", "variable arguments changed"},
    {"result_added", "results added"},
    {"result_removed", "results removed"},
    {"result_retyped", "result types changed"},
    {"result_renamed", "results renamed"},
    {"varret_changed", "variable results changed"},
    {"alias_changed", "alias marks changed"},
    {"ignorable_changed", "ignorable arguments changed"},
    {"equal_values_changed", "equal values changed"},
    {"usability_changed", "usable schema lines changed"},
};

bool ShareName(const EntryArgument& a, const EntryArgument& b) {
  return std::any_of(a.names.begin(), a.names.end(), [&](const auto& name) {
    return std::find(b.names.begin(), b.names.end(), name) != b.names.end();
  });
}

// Values print as values do everywhere else (`1.0`, `1e-05`), not with the
// digits of a schema's text.
std::string DefaultText(const EntryArgument& argument) {
  return argument.default_value.has_value() ? argument.default_value->ToString()
                                            : "";
}

// A default that reads the same at the newer type has not changed.
bool SameDefault(const EntryArgument& older, const EntryArgument& newer) {
  if (older.default_value.has_value() != newer.default_value.has_value()) {
    return false;
  }
  if (!older.default_value.has_value() ||
      *older.default_value == *newer.default_value) {
    return true;
  }
  if (older.type == newer.type) return false;
  const absl::StatusOr<Value> moved =
      CoerceLiteral(*older.default_value, newer.type);
  return moved.ok() && *moved == *newer.default_value;
}

std::string EqualValuesText(const EntryArgument& argument) {
  return absl::StrJoin(argument.equal_values, ", ",
                       [](std::string* out, const EqualValues& equal) {
                         absl::StrAppend(out, equal.value.value.ToString(),
                                         " means ",
                                         equal.means.value.ToString());
                       });
}

std::string ResultLabel(const EntryResult& result, size_t index) {
  return result.name.empty() ? absl::StrCat("result ", index) : result.name;
}

std::string ResultText(const EntryResult& result) {
  return absl::StrCat(TypeToString(result.type, result.alias),
                      result.name.empty() ? "" : " ", result.name);
}

class Differ {
 public:
  Differ(const OperatorEntry& older, const OperatorEntry& newer)
      : older_(older), newer_(newer), pairs_(MatchArguments(older, newer)) {}

  std::vector<Difference> Run() {
    if (older_.name() != newer_.name()) {
      Add(DifferenceKind::kOperatorRenamed, "", older_.name(), newer_.name());
    }
    if (older_.revision != newer_.revision) {
      Add(DifferenceKind::kRevisionChanged, "",
          absl::StrCat("revision ", older_.revision),
          absl::StrCat("revision ", newer_.revision));
    }
    AddUnmatched();
    CompareOrder();
    for (const auto& [o, n] : pairs_) {
      CompareArgument(older_.arguments[o], newer_.arguments[n]);
    }
    CompareResults();
    CompareDots(DifferenceKind::kVarargChanged, older_.is_vararg,
                newer_.is_vararg);
    CompareDots(DifferenceKind::kVarretChanged, older_.is_varret,
                newer_.is_varret);
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Difference& a, const Difference& b) {
                       return a.kind < b.kind;
                     });
    return std::move(found_);
  }

 private:
  void Add(DifferenceKind kind, std::string argument, std::string before,
           std::string after) {
    found_.push_back({kind, newer_.name(), std::move(argument),
                      std::move(before), std::move(after)});
  }

  void AddUnmatched() {
    std::vector<bool> in_older(older_.arguments.size());
    std::vector<bool> in_newer(newer_.arguments.size());
    for (const auto& [o, n] : pairs_) in_older[o] = in_newer[n] = true;
    for (size_t i = 0; i < newer_.num_exposed(); ++i) {
      const EntryArgument& argument = newer_.arguments[i];
      if (in_newer[i]) continue;
      Add(DifferenceKind::kArgumentAdded, argument.name(), "",
          ArgumentText(argument));
    }
    for (size_t i = 0; i < older_.num_exposed(); ++i) {
      const EntryArgument& argument = older_.arguments[i];
      if (in_older[i]) continue;
      Add(DifferenceKind::kArgumentRemoved, argument.name(),
          ArgumentText(argument), "");
    }
  }

  // Among those that are positional (keyword-only) in both.
  void CompareOrder() {
    for (const bool keyword_only : {false, true}) {
      std::vector<std::pair<size_t, size_t>> same;
      for (const auto& pair : pairs_) {
        if (older_.arguments[pair.first].keyword_only == keyword_only &&
            newer_.arguments[pair.second].keyword_only == keyword_only) {
          same.push_back(pair);
        }
      }
      if (std::is_sorted(same.begin(), same.end())) continue;
      const auto name = [this](std::string* out, const auto& pair) {
        absl::StrAppend(out, newer_.arguments[pair.second].name());
      };
      const std::string after = absl::StrJoin(same, ", ", name);
      std::sort(same.begin(), same.end());
      Add(DifferenceKind::kArgumentsReordered, "",
          absl::StrCat("(", absl::StrJoin(same, ", ", name), ")"),
          absl::StrCat("(", after, ")"));
    }
  }

  void CompareArgument(const EntryArgument& older, const EntryArgument& newer) {
    const std::string& name = newer.name();
    if (older.name() != name) {
      Add(DifferenceKind::kArgumentRenamed, name, older.name(), name);
    }
    if (older.keyword_only != newer.keyword_only) {
      Add(newer.keyword_only ? DifferenceKind::kMadeKeywordOnly
                             : DifferenceKind::kMadePositional,
          name, ArgumentText(older), ArgumentText(newer));
    }
    if (older.type != newer.type) {
      Add(DifferenceKind::kTypeChanged, name, older.type.ToString(),
          newer.type.ToString());
    }
    if (!SameDefault(older, newer)) {
      Add(DifferenceKind::kDefaultChanged, name, DefaultText(older),
          DefaultText(newer));
    }
    if (older.alias != newer.alias) {
      Add(DifferenceKind::kAliasChanged, name,
          TypeToString(older.type, older.alias),
          TypeToString(newer.type, newer.alias));
    }
    if (older.ignorable != newer.ignorable) {
      Add(DifferenceKind::kIgnorableChanged, name,
          older.ignorable ? "ignorable" : "",
          newer.ignorable ? "ignorable" : "");
    }
    if (older.equal_values != newer.equal_values) {
      Add(DifferenceKind::kEqualValuesChanged, name, EqualValuesText(older),
          EqualValuesText(newer));
    }
  }

  void CompareResults() {
    const size_t both = std::min(older_.results.size(), newer_.results.size());
    for (size_t i = 0; i < newer_.results.size(); ++i) {
      const EntryResult& newer = newer_.results[i];
      if (i >= both) {
        Add(DifferenceKind::kResultAdded, ResultLabel(newer, i), "",
            ResultText(newer));
        continue;
      }
      const EntryResult& older = older_.results[i];
      if (older.type != newer.type) {
        Add(DifferenceKind::kResultRetyped, ResultLabel(newer, i),
            older.type.ToString(), newer.type.ToString());
      }
      if (older.name != newer.name) {
        Add(DifferenceKind::kResultRenamed, absl::StrCat("result ", i),
            older.name, newer.name);
      }
      if (older.alias != newer.alias) {
        Add(DifferenceKind::kAliasChanged, ResultLabel(newer, i),
            TypeToString(older.type, older.alias),
            TypeToString(newer.type, newer.alias));
      }
    }
    for (size_t i = both; i < older_.results.size(); ++i) {
      Add(DifferenceKind::kResultRemoved, ResultLabel(older_.results[i], i),
          ResultText(older_.results[i]), "");
    }
  }

  void CompareDots(DifferenceKind kind, bool older, bool newer) {
    if (older == newer) return;
    Add(kind, "", older ? "..." : "", newer ? "..." : "");
  }

  const OperatorEntry& older_;
  const OperatorEntry& newer_;
  const std::vector<std::pair<size_t, size_t>> pairs_;
  std::vector<Difference> found_;
};

}  // namespace

absl::string_view DifferenceKindId(DifferenceKind kind) {
  return kKindTexts[static_cast<int>(kind)].id;
}

absl::string_view DifferenceKindTitle(DifferenceKind kind) {
  return kKindTexts[static_cast<int>(kind)].title;
}

std::vector<std::pair<size_t, size_t>> MatchArguments(
    const OperatorEntry& older, const OperatorEntry& newer) {
  std::vector<std::pair<size_t, size_t>> pairs;
  std::vector<bool> taken(older.arguments.size());
  const size_t num_older = older.num_exposed();
  for (size_t n = 0; n < newer.num_exposed(); ++n) {
    for (size_t o = 0; o < num_older; ++o) {
      if (taken[o] || !ShareName(older.arguments[o], newer.arguments[n])) {
        continue;
      }
      taken[o] = true;
      pairs.emplace_back(o, n);
      break;
    }
  }
  return pairs;
}

std::vector<Difference> DiffOperators(const OperatorEntry& older,
                                      const OperatorEntry& newer) {
  return Differ(older, newer).Run();
}

std::string ArgumentText(const EntryArgument& argument) {
  std::string text = absl::StrCat(argument.keyword_only ? "*, " : "",
                                  TypeToString(argument.type, argument.alias),
                                  " ", argument.name());
  if (argument.default_value.has_value()) {
    absl::StrAppend(&text, "=", argument.default_value->ToString());
  }
  return text;
}

}  // namespace opcompat
