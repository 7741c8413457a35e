#include "compat_matrix/wildcards.h"

#include <cstddef>

namespace opcompat {
namespace {

bool Matches(absl::string_view pattern, absl::string_view text,
             bool has_question_marks) {
  // Where to go on if what follows the last star does not match here.
  size_t after_star = absl::string_view::npos;
  size_t retry = 0;
  size_t p = 0;
  size_t t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      retry = t;
    } else if (p < pattern.size() &&
               (pattern[p] == text[t] ||
                (has_question_marks && pattern[p] == '?'))) {
      ++p;
      ++t;
    } else if (after_star != absl::string_view::npos) {
      p = after_star;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

bool MatchesStars(absl::string_view pattern, absl::string_view text) {
  return Matches(pattern, text, /*has_question_marks=*/false);
}

bool MatchesGlob(absl::string_view pattern, absl::string_view text) {
  return Matches(pattern, text, /*has_question_marks=*/true);
}

}  // namespace opcompat
