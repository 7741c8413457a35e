// How alike two names are: to suggest a name that was mistyped, and to propose
// that one name became another. Never decides anything.
#ifndef OPCOMPAT_SCHEMA_DIFFERENCES_NAME_SIMILARITY_H_
#define OPCOMPAT_SCHEMA_DIFFERENCES_NAME_SIMILARITY_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace opcompat {

// Letters to insert, remove or replace (two neighbours exchanged count once).
// Costs a.size() * b.size().
size_t EditDistance(absl::string_view a, absl::string_view b);

// From 0 (nothing in common) to 1 (equal): the better of edit distance and
// words (`_` and `.` part them) in common; a name that begins or ends with the
// other whole counts half at least (`grad`, `grad_output`).
double NameSimilarity(absl::string_view a, absl::string_view b);

// At most `limit` of `names`, the nearest to `name` first; none that is not
// near at all.
std::vector<std::string> NearestNames(absl::string_view name,
                                      const std::vector<std::string>& names,
                                      size_t limit);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_DIFFERENCES_NAME_SIMILARITY_H_
