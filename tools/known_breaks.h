// The file of known breaks: findings of `opcompat check` that somebody looked
// at and accepted. One finding a line, exactly as FindingText prints it, with a
// reason after ` # ` if there is one; comment lines and blank lines are kept.
//
//   # torch never wrote these before 1.13.
//   t::f 1->2 backward argument-added-required: argument `b` ... # not used
//
// The list cannot go stale: an entry that is no finding any more, or whose
// message is another one now, is reported. No wildcards.
#ifndef OPCOMPAT_TOOLS_KNOWN_BREAKS_H_
#define OPCOMPAT_TOOLS_KNOWN_BREAKS_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "check/finding.h"

namespace opcompat {

// FindingText on one line whatever the finding says.
std::string FindingLine(const Finding& finding);

// A finding of this rule depends on the revision that somebody compares with,
// so that no file can keep it: it never is known.
inline constexpr absl::string_view kPublishedVersionChanged =
    "published-version-changed";

// Whether findings of this newer version and category are looked at. Entries
// that are not are neither stale nor dropped.
using BreaksScope =
    std::function<bool(absl::string_view newer, absl::string_view category)>;

struct StaleBreak {
  int line = 0;
  std::string text;  // the whole entry
  std::string hint;  // why, as far as it can be seen
};

struct MalformedBreak {
  int line = 0;
  int column = 0;
  std::string message;
};

struct KnownBreaks {
  struct OfFinding {
    int line = 0;  // 0: not known
    std::string reason;
  };
  // One for each finding.
  std::vector<OfFinding> findings;
  std::vector<StaleBreak> stale;
  // Lines that are neither a finding nor the form of one.
  std::vector<MalformedBreak> malformed;
};

// Looks up `findings` in the file's text. `findings` are all that there are:
// those outside of `scope` too (null: everything is looked at).
KnownBreaks MatchKnownBreaks(absl::string_view text,
                             const std::vector<Finding>& findings,
                             const BreaksScope& scope = nullptr);

struct KnownBreaksUpdate {
  std::string text;  // of the new file
  std::vector<std::string> added;
  std::vector<std::string> dropped;
  std::vector<std::pair<std::string, std::string>> changed;  // from, to
};

// The file as it should be: what still holds in its order, with comments and
// reasons; without stale entries (a paragraph all of whose entries are stale
// goes with its comments); an entry whose message changed takes the new one;
// the findings that it lacks at its end, under a heading. Changes nothing where
// nothing is new or stale. Precondition: no line of `text` is malformed.
KnownBreaksUpdate UpdateKnownBreaks(absl::string_view text,
                                    const std::vector<Finding>& findings,
                                    const BreaksScope& scope = nullptr);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_KNOWN_BREAKS_H_
