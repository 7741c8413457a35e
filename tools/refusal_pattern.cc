#include "tools/refusal_pattern.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "compat_matrix/wildcards.h"

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

// Whether a line that begins with `path` would be read as another one.
bool NeedsQuotes(absl::string_view path) {
  return path.empty() || path[0] == '#' || path[0] == '"' ||
         absl::ascii_isspace(path.front()) ||
         absl::ascii_isspace(path.back()) ||
         std::any_of(
             path.begin(), path.end(),
             [](char c) { return absl::ascii_iscntrl(c) || c == '*'; }) ||
         absl::StrContains(absl::StrCat(path, " "), " # ");
}

}  // namespace

size_t QuotedLength(absl::string_view text) {
  if (text.empty() || text[0] != '"') return 0;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\\') ++i;
  }
  return 0;
}

std::string ModulePattern(absl::string_view path) {
  if (!NeedsQuotes(path)) return std::string(path);
  return absl::StrCat("\"", absl::Utf8SafeCEscape(path), "\"");
}

absl::StatusOr<RefusalPattern> RefusalPattern::Parse(absl::string_view text) {
  const auto error = [&](absl::string_view found) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected `MODULE HISTORY WRITER->READER`, found ", found));
  };
  RefusalPattern pattern;
  absl::string_view rest = absl::StripLeadingAsciiWhitespace(text);
  if (absl::StartsWith(rest, "\"")) {
    const size_t length = QuotedLength(rest);
    if (length == 0) return error("no `\"` at the end of MODULE");
    std::string problem;
    if (!absl::CUnescape(rest.substr(1, length - 2), &pattern.module,
                         &problem)) {
      return error(absl::StrCat("MODULE in quotes with a fault: ", problem));
    }
    pattern.is_literal = true;
    rest.remove_prefix(length);
    if (rest.empty() || !absl::ascii_isspace(rest[0])) {
      return error("no space behind the `\"` of MODULE");
    }
  }
  const absl::string_view way = TakeLastWord(&rest);
  const absl::string_view history = TakeLastWord(&rest);
  if (history.empty() || rest.empty() != pattern.is_literal) {
    return error(absl::StrCat("`", text, "`"));
  }
  if (!pattern.is_literal) pattern.module = std::string(rest);
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
  return MatchesStars(history, history_name) &&
         (is_literal ? module == path : MatchesStars(module, path));
}

bool RefusalPattern::MatchesWriter(absl::string_view version) const {
  return MatchesAny(writers, version);
}

bool RefusalPattern::MatchesReader(absl::string_view version) const {
  return MatchesAny(readers, version);
}

std::string RefusalPattern::ToString() const {
  return absl::StrCat(is_literal ? ModulePattern(module) : module, " ", history,
                      " ", absl::StrJoin(writers, ","), "->",
                      absl::StrJoin(readers, ","), for_target ? "!" : "");
}

std::string CellName(const ModuleCells& module, const Cell& cell) {
  return absl::StrCat(ModulePattern(module.module), " ", module.history->name,
                      " ", module.writer(cell), "->", module.reader(cell),
                      cell.for_target ? "!" : "");
}

}  // namespace opcompat
