#include "tools/refusal_pattern.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace opcompat {
namespace {

// Takes the last word off `text`; empty: there is none.
absl::string_view TakeLastWord(absl::string_view* text) {
  *text = absl::StripAsciiWhitespace(*text);
  const size_t space = text->find_last_of(" \t");
  if (space == absl::string_view::npos) {
    const absl::string_view word = *text;
    *text = "";
    return word;
  }
  const absl::string_view word = text->substr(space + 1);
  *text = absl::StripTrailingAsciiWhitespace(text->substr(0, space));
  return word;
}

bool MatchesAny(const std::vector<std::string>& patterns,
                absl::string_view text) {
  return std::any_of(
      patterns.begin(), patterns.end(),
      [&](const std::string& pattern) { return MatchesStars(pattern, text); });
}

bool HasEmpty(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word.empty(); });
}

}  // namespace

bool MatchesStars(absl::string_view pattern, absl::string_view text) {
  // Where to go on if what follows the last star does not match here.
  size_t after_star = absl::string_view::npos;
  size_t retry = 0;
  size_t p = 0;
  size_t t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      retry = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
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

absl::StatusOr<RefusalPattern> RefusalPattern::Parse(absl::string_view text) {
  const auto error = [&](absl::string_view found) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected `MODULE HISTORY WRITER->READER`, found ", found));
  };
  absl::string_view rest = text;
  const absl::string_view way = TakeLastWord(&rest);
  const absl::string_view history = TakeLastWord(&rest);
  if (rest.empty()) return error(absl::StrCat("`", text, "`"));
  RefusalPattern pattern;
  pattern.module = std::string(rest);
  pattern.history = std::string(history);
  const std::vector<absl::string_view> ends =
      absl::StrSplit(way, absl::MaxSplits("->", 1));
  if (ends.size() != 2) {
    return error(absl::StrCat("`", way, "` for WRITER->READER"));
  }
  absl::string_view readers = ends[1];
  pattern.for_target = absl::ConsumeSuffix(&readers, "!");
  pattern.writers = absl::StrSplit(ends[0], ',');
  pattern.readers = absl::StrSplit(readers, ',');
  if (HasEmpty(pattern.writers) || HasEmpty(pattern.readers)) {
    return error(absl::StrCat("`", way, "`, which lacks a version"));
  }
  return pattern;
}

bool RefusalPattern::MatchesModule(absl::string_view path,
                                absl::string_view history_name) const {
  return MatchesStars(history, history_name) && MatchesStars(module, path);
}

bool RefusalPattern::MatchesWriter(absl::string_view version) const {
  return MatchesAny(writers, version);
}

bool RefusalPattern::MatchesReader(absl::string_view version) const {
  return MatchesAny(readers, version);
}

std::string RefusalPattern::ToString() const {
  return absl::StrCat(module, " ", history, " ", absl::StrJoin(writers, ","),
                      "->", absl::StrJoin(readers, ","), for_target ? "!" : "");
}

std::string CellName(const ModuleCells& module, const Cell& cell) {
  return absl::StrCat(module.module, " ", module.history->name, " ",
                      module.writer(cell), "->", module.reader(cell),
                      cell.for_target ? "!" : "");
}

}  // namespace opcompat
