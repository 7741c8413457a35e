// What `opcompat check` found, for people and for scripts. For the pages of a
// continuous integration see check_annotations.h.
#ifndef OPCOMPAT_TOOLS_CHECK_REPORT_H_
#define OPCOMPAT_TOOLS_CHECK_REPORT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "check/finding.h"
#include "nlohmann/json.hpp"
#include "tools/fault_lines.h"
#include "tools/known_breaks.h"

namespace opcompat {

struct CheckedFinding {
  Finding finding;
  bool known = false;
  std::string reason;  // why it is accepted, if known and said
};

struct CheckReport {
  std::string history;
  // Of its text, for findings that have no place.
  std::string history_file;
  // Those that were asked for, in the order in which they are told.
  std::vector<CheckedFinding> findings;
  std::string known_breaks_file;
  std::vector<StaleBreak> stale;
  // Of the history or of the file of known breaks. Then there is nothing else.
  std::vector<FaultLine> faults;

  size_t CountNew(FindingCategory category) const;
  size_t CountNew() const;
  size_t CountKnown() const;
};

struct CheckTextOptions {
  bool color = false;
  bool show_known = false;
};

// By pair of versions and operator; each with category, rule, message, call and
// remedy. Stale entries after them; the last line counts. Lines are broken at
// 80 columns where no string literal is torn.
std::string CheckToText(const CheckReport& report,
                        const CheckTextOptions& options);

// {"history", "findings": [{"rule", "category", "history", "older", "newer",
//   "operator", "argument", "message", "counterexample", "remedy", "file",
//   "line", "column", "text", "known", "reason"}], "stale": [{"file", "line",
//   "text", "hint"}], "summary": {"new", "backward", "forward", "source",
//   "known", "stale"}, "faults": [...]}
// `text` is the line for the file of known breaks. The categories count what is
// new. Of a finding `argument`, `file`, `line`, `column` and `reason` are left
// out if there is none, as is `hint`.
nlohmann::ordered_json CheckToJson(const CheckReport& report);

// `text` in lines of at most `width` columns, broken at spaces outside of "..."
// only, each after `indent` spaces; lines that it has stay apart.
std::string WrapOutsideQuotes(absl::string_view text, size_t width,
                              size_t indent);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_CHECK_REPORT_H_
