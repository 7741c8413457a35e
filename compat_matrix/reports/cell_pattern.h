// Cells by pattern, as `opcompat history-of` takes them.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_CELL_PATTERN_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_CELL_PATTERN_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace opcompat {

// `MODULE HISTORY WRITER->READER[!] [TESTEE]`, each with `*` for any characters
// and `?` for one; writers and readers may be lists: `models/*.graph torch
// 2.*,1.13.1->1.7.1`. Without `!` plain cells,
// with it those of targets; `AUTHOR=>TESTEE` where another program wrote;
// without TESTEE all of them.
struct CellPattern {
  std::string module;
  std::string history;
  std::string writer;
  std::string reader;
  std::string testee = "*";
  bool for_target = false;
};

// Returns InvalidArgument, with the form that is expected.
absl::StatusOr<CellPattern> ParseCellPattern(absl::string_view text);

// Whether one of `patterns`, separated by commas, matches.
bool MatchesAnyGlob(absl::string_view patterns, absl::string_view text);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_CELL_PATTERN_H_
