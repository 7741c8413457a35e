#include "compat_matrix/reports/cell_pattern.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "compat_matrix/wildcards.h"

namespace opcompat {
namespace {

constexpr absl::string_view kArrow = "->";

absl::Status NotAPattern(absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(
      "`", text,
      "` is no cell: expected `MODULE HISTORY WRITER->READER`, as in ",
      "`models/net.graph torch 2.6.0->1.7.1`; `!` after READER: written for ",
      "that version; then a testee, if it matters"));
}

}  // namespace

absl::StatusOr<CellPattern> ParseCellPattern(absl::string_view text) {
  const std::vector<absl::string_view> words =
      absl::StrSplit(text, ' ', absl::SkipEmpty());
  // A module's path and a testee's command may have blanks.
  size_t way = words.size();
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].find(kArrow) != absl::string_view::npos) way = i;
  }
  if (way == words.size() || way < 2) return NotAPattern(text);
  CellPattern pattern;
  const absl::Span<const absl::string_view> all(words);
  pattern.module = absl::StrJoin(all.subspan(0, way - 1), " ");
  pattern.history = std::string(words[way - 1]);
  const size_t arrow = words[way].find(kArrow);
  absl::string_view reader = words[way].substr(arrow + kArrow.size());
  pattern.writer = std::string(words[way].substr(0, arrow));
  pattern.for_target = absl::ConsumeSuffix(&reader, "!");
  pattern.reader = std::string(reader);
  if (pattern.writer.empty() || pattern.reader.empty()) {
    return NotAPattern(text);
  }
  if (way + 1 < words.size()) {
    pattern.testee = absl::StrJoin(all.subspan(way + 1), " ");
  }
  return pattern;
}

bool MatchesAnyGlob(absl::string_view patterns, absl::string_view text) {
  for (const absl::string_view pattern : absl::StrSplit(patterns, ',')) {
    if (MatchesGlob(pattern, text)) return true;
  }
  return false;
}

}  // namespace opcompat
