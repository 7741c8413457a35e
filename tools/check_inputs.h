// What `opcompat check` is about: a history, two files of schemas, or a history
// beside what it was at a git revision.
#ifndef OPCOMPAT_TOOLS_CHECK_INPUTS_H_
#define OPCOMPAT_TOOLS_CHECK_INPUTS_H_

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "check/finding.h"
#include "schema/declared_history.h"
#include "schema/history.h"
#include "tools/fault_lines.h"
#include "tools/histories.h"

namespace opcompat {

struct CheckInput {
  DeclaredHistory declared;
  // Null if there are faults.
  std::shared_ptr<const OpsetHistory> history;
  std::vector<FaultLine> faults;
  // Where its known breaks are unless a flag says so: beside its
  // history.textproto. Empty: nowhere.
  std::string known_breaks;
  // With a revision to compare with: its versions, and what is said of them.
  std::set<std::string> published_versions;
  std::vector<Finding> published_findings;
  // Of two files: what only a declaration settles; see check_undeclared.h.
  std::vector<Finding> undeclared_findings;
};

// `NAME|DIR|FILE`. Returns NotFound if there is none.
absl::StatusOr<CheckInput> ReadHistoryInput(const std::string& name,
                                            Histories& histories);

// The same, compared with what git has of it at `revision`. Errors as of
// ReadHistoryInput and GitRevision.
absl::StatusOr<CheckInput> ReadHistoryAgainst(const std::string& name,
                                              const std::string& revision,
                                              Histories& histories);

// A history of two versions without declarations, from two files of schemas;
// one of them may be `-`. Their headers name it and the versions; a file
// without a header goes by the other one's name; versions without an id, and
// two of the same id, are `old` and `new`. `gap`: released versions between
// them are missing. A fault about an operator of the newer file that a new
// revision settles is in undeclared_findings instead. Returns InvalidArgument
// if the headers have different names.
absl::StatusOr<CheckInput> ReadTwoFiles(const std::string& older,
                                        const std::string& newer, bool gap);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_CHECK_INPUTS_H_
