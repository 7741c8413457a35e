// What is published does not change: files that a version wrote say what it
// declared, and a history that tells another story of it disagrees with them.
#ifndef OPCOMPAT_TOOLS_CHECK_PUBLISHED_H_
#define OPCOMPAT_TOOLS_CHECK_PUBLISHED_H_

#include <string>
#include <vector>

#include "check/finding.h"
#include "schema/declared_history.h"
#include "schema/text/history_file.h"

namespace opcompat {

// A history as declared, and how the step graphs that it names are read: by
// their paths in it.
struct HistoryState {
  const DeclaredHistory* declared = nullptr;
  FileReader read_graph;
};

// Findings `published-version-changed` (kSource), by version: of a version of
// `published` that is gone or elsewhere in the order now, whose schemas, gap or
// declarations are others now (comments, notes, places, and the order of
// schemas and declarations do not count; of step graphs, their text without
// comment lines and indentation does), and of a new version that stands before
// a published one. Both ends of a finding are the version itself.
std::vector<Finding> ComparePublished(const HistoryState& published,
                                      const HistoryState& now);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_CHECK_PUBLISHED_H_
