#include "schema/differences/name_similarity.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace opcompat {
namespace {

std::vector<absl::string_view> SortedWords(absl::string_view name) {
  std::vector<absl::string_view> words =
      absl::StrSplit(name, absl::ByAnyChar("_.:"), absl::SkipEmpty());
  std::sort(words.begin(), words.end());
  return words;
}

// Twice the words in common, over the words of both.
double WordSimilarity(absl::string_view a, absl::string_view b) {
  const std::vector<absl::string_view> of_a = SortedWords(a);
  const std::vector<absl::string_view> of_b = SortedWords(b);
  if (of_a.empty() || of_b.empty()) return 0;
  std::vector<absl::string_view> common;
  std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                        std::back_inserter(common));
  return 2.0 * static_cast<double>(common.size()) /
         static_cast<double>(of_a.size() + of_b.size());
}

bool IsPartOf(absl::string_view part, absl::string_view whole) {
  return part.size() > 1 &&
         (absl::StartsWith(whole, part) || absl::EndsWith(whole, part));
}

}  // namespace

size_t EditDistance(absl::string_view a, absl::string_view b) {
  // Rows of the table: for the first i, i - 1 and i - 2 letters of `a`.
  std::vector<size_t> row(b.size() + 1);
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> before_that(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_that, before);
    std::swap(before, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1,
                         before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_that[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

double NameSimilarity(absl::string_view a, absl::string_view b) {
  const size_t longest = std::max(a.size(), b.size());
  if (longest == 0) return 1;
  double best = 1 - static_cast<double>(EditDistance(a, b)) /
                        static_cast<double>(longest);
  if (IsPartOf(a, b) || IsPartOf(b, a)) best = std::max(best, 0.5);
  return std::max(best, WordSimilarity(a, b));
}

std::vector<std::string> NearestNames(absl::string_view name,
                                      const std::vector<std::string>& names,
                                      size_t limit) {
  // A mistyped name differs in a few letters; anything else is no suggestion.
  const size_t most = std::max<size_t>(2, name.size() / 4);
  std::vector<std::pair<size_t, std::string>> near;
  for (const std::string& other : names) {
    const size_t lengths = name.size() > other.size()
                               ? name.size() - other.size()
                               : other.size() - name.size();
    if (lengths > most) continue;  // the distance is at least that
    const size_t distance = EditDistance(name, other);
    if (distance <= most) near.emplace_back(distance, other);
  }
  std::sort(near.begin(), near.end());
  std::vector<std::string> nearest;
  for (size_t i = 0; i < near.size() && i < limit; ++i) {
    nearest.push_back(near[i].second);
  }
  return nearest;
}

}  // namespace opcompat
