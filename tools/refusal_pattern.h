// The cells that a line of expected refusals is about: `MODULE HISTORY
// WRITER->READER`, and a `!` at the end for files that were written for the
// reader's version.
//
//   models/gelu.graph torch 2.6.0->1.7.1
//   models/*.graph torch 2.*,1.13.1->1.7.1!
//
// `*` stands for any characters, of a path too; writers and readers are lists.
// A module in double quotes is meant as it is spelled, with `\n`, `\"`, `\\`
// and such for what a line cannot hold; `*` is no pattern there:
//
//   "models/a # b*.graph" torch 2.6.0->1.7.1
#ifndef OPCOMPAT_TOOLS_REFUSAL_PATTERN_H_
#define OPCOMPAT_TOOLS_REFUSAL_PATTERN_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/result.h"

namespace opcompat {

struct RefusalPattern {
  std::string module;
  bool is_literal = false;  // `module` was in quotes: `*` in it is a character
  std::string history;
  std::vector<std::string> writers;
  std::vector<std::string> readers;
  bool for_target = false;

  // Returns InvalidArgument with what was found and expected. A module may have
  // spaces in it.
  static absl::StatusOr<RefusalPattern> Parse(absl::string_view text);

  bool MatchesModule(absl::string_view path,
                     absl::string_view history_name) const;
  bool MatchesWriter(absl::string_view version) const;
  bool MatchesReader(absl::string_view version) const;
  std::string ToString() const;
};

// `models/gelu.graph torch 2.6.0->1.7.1!`: a pattern that means this cell.
std::string CellName(const ModuleCells& module, const Cell& cell);

// `path` as a pattern that means nothing else: as it stands, or in quotes.
std::string ModulePattern(absl::string_view path);

// How long the quoted name is that `text` begins with, quotes included; 0: it
// begins with none, or with one that has no end.
size_t QuotedLength(absl::string_view text);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_REFUSAL_PATTERN_H_
