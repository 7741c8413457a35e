#include "schema/differences/argument_alignment.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/types/optional.h"
#include "schema/differences/name_similarity.h"
#include "schema/operator_schema.h"

namespace opcompat {
namespace {

// What an argument that is in both weighs, so that no pair of others outweighs
// it.
constexpr double kSameName = 1000;

// Schemas with more pairs of arguments are left alone: the table grows with
// them, and a file may say anything.
constexpr size_t kMostPairs = 1 << 16;

// One formal of the older and of the newer schema; npos: none.
constexpr size_t kNone = static_cast<size_t>(-1);
struct Pair {
  size_t older = kNone;
  size_t newer = kNone;
};

std::string TypeText(const Argument& argument) {
  return absl::StrReplaceAll(argument.type.ToString(), {{"SymInt", "int"}});
}

class Aligner {
 public:
  Aligner(const OperatorSchema& older, const OperatorSchema& newer,
          const std::vector<DeclaredRename>& declared)
      : older_(older.arguments()), newer_(newer.arguments()) {
    partner_.assign(newer_.size(), kNone);
    taken_.assign(older_.size(), false);
    const auto pair = [&](const std::string& from, const std::string& to) {
      const absl::optional<size_t> o = older.FindArgument(from);
      const absl::optional<size_t> n = newer.FindArgument(to);
      if (!o.has_value() || !n.has_value() || taken_[*o]) return;
      if (partner_[*n] != kNone) return;
      partner_[*n] = *o;
      taken_[*o] = true;
    };
    for (const DeclaredRename& rename : declared) pair(rename.from, rename.to);
    for (const Argument& argument : newer_) pair(argument.name, argument.name);
    for (size_t o = 0; o < older_.size(); ++o) removed_ += !taken_[o];
    for (const size_t o : partner_) added_ += o == kNone;
  }

  std::vector<LikelyArgumentRename> Run() {
    if (removed_ == 0 || added_ == 0) return {};
    if (older_.size() > kMostPairs / newer_.size()) return {};
    std::vector<LikelyArgumentRename> found;
    for (const Pair& pair : Positional()) {
      if (partner_[pair.newer] == kNone) found.push_back(Describe(pair));
    }
    for (const Pair& pair : KeywordOnly()) found.push_back(Describe(pair));
    return found;
  }

 private:
  // What laying the two side by side is worth; 0: they cannot be one.
  double Worth(size_t o, size_t n) const {
    const Argument& older = older_[o];
    const Argument& newer = newer_[n];
    if (taken_[o] || partner_[n] != kNone) {
      return partner_[n] == o ? kSameName : 0;
    }
    if (older.keyword_only != newer.keyword_only ||
        TypeText(older) != TypeText(newer)) {
      return 0;
    }
    // A name that is alike weighs more than the place, which an argument added
    // before it shifts.
    return 1 + (older.default_value == newer.default_value ? 0.5 : 0) +
           (o == n ? 0.2 : 0) + 0.6 * NameSimilarity(older.name, newer.name);
  }

  size_t NumPositional(const std::vector<Argument>& arguments) const {
    return static_cast<size_t>(
        std::find_if(arguments.begin(), arguments.end(),
                     [](const Argument& a) { return a.keyword_only; }) -
        arguments.begin());
  }

  // The best alignment that keeps the order, as that of two texts.
  std::vector<Pair> Positional() const {
    const size_t rows = NumPositional(older_);
    const size_t columns = NumPositional(newer_);
    std::vector<std::vector<double>> best(rows + 1,
                                          std::vector<double>(columns + 1));
    for (size_t o = 1; o <= rows; ++o) {
      for (size_t n = 1; n <= columns; ++n) {
        const double worth = Worth(o - 1, n - 1);
        best[o][n] = std::max(best[o - 1][n], best[o][n - 1]);
        if (worth > 0) {
          best[o][n] = std::max(best[o][n], best[o - 1][n - 1] + worth);
        }
      }
    }
    std::vector<Pair> pairs;
    size_t o = rows, n = columns;
    while (o > 0 && n > 0) {
      if (best[o][n] == best[o - 1][n]) {
        --o;
      } else if (best[o][n] == best[o][n - 1]) {
        --n;
      } else {
        pairs.push_back({--o, --n});
      }
    }
    std::reverse(pairs.begin(), pairs.end());
    return pairs;
  }

  // The pairs that are worth most first; each argument once.
  std::vector<Pair> KeywordOnly() const {
    std::vector<std::pair<double, Pair>> candidates;
    for (size_t o = NumPositional(older_); o < older_.size(); ++o) {
      for (size_t n = NumPositional(newer_); n < newer_.size(); ++n) {
        if (taken_[o] || partner_[n] != kNone) continue;
        const double worth = Worth(o, n);
        if (worth > 0) candidates.push_back({worth, {o, n}});
      }
    }
    std::stable_sort(
        candidates.begin(), candidates.end(),
        [](const auto& a, const auto& b) { return a.first > b.first; });
    absl::flat_hash_set<size_t> older_used, newer_used;
    std::vector<Pair> pairs;
    for (const auto& [worth, pair] : candidates) {
      if (older_used.contains(pair.older) || newer_used.contains(pair.newer)) {
        continue;
      }
      older_used.insert(pair.older);
      newer_used.insert(pair.newer);
      pairs.push_back(pair);
    }
    return pairs;
  }

  LikelyArgumentRename Describe(const Pair& pair) const {
    const Argument& older = older_[pair.older];
    const Argument& newer = newer_[pair.newer];
    LikelyArgumentRename rename;
    rename.from = older.name;
    rename.to = newer.name;
    rename.score = Worth(pair.older, pair.newer) / 2.3;
    const bool same_place = pair.older == pair.newer;
    const bool same_default = older.default_value == newer.default_value;
    // Arguments that went and came without a partner leave a choice.
    rename.sure =
        same_default &&
        (same_place || NameSimilarity(older.name, newer.name) >= 0.5 ||
         IsPlaceholder(older.name));
    rename.reason =
        absl::StrCat(same_place ? "same place and type" : "same type and order",
                     same_default ? "" : ", another default");
    if (removed_ == 1 && added_ == 1) {
      absl::StrAppend(&rename.reason, "; nothing else went, nothing else came");
    } else {
      absl::StrAppend(&rename.reason, "; ", removed_, " went and ", added_,
                      " came");
    }
    return rename;
  }

  // `_0`: an argument that had no name.
  static bool IsPlaceholder(const std::string& name) {
    return name.size() > 1 && name[0] == '_' &&
           name.find_first_not_of("0123456789", 1) == std::string::npos;
  }

  const std::vector<Argument>& older_;
  const std::vector<Argument>& newer_;
  // For each newer argument the older one that is the same beyond doubt.
  std::vector<size_t> partner_;
  std::vector<bool> taken_;
  size_t removed_ = 0;
  size_t added_ = 0;
};

}  // namespace

std::vector<LikelyArgumentRename> AlignArguments(
    const OperatorSchema& older, const OperatorSchema& newer,
    const std::vector<DeclaredRename>& declared) {
  return Aligner(older, newer, declared).Run();
}

}  // namespace opcompat
