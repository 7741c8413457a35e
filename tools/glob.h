// File names by pattern, as `--modules=GLOB` takes them.
#ifndef OPCOMPAT_TOOLS_GLOB_H_
#define OPCOMPAT_TOOLS_GLOB_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace opcompat {

// Returns the files that match `pattern`, sorted: `*`, `?` and `[...]` match
// within one name and no leading dot, `**` as a whole name any number of
// directories. Symbolic links to directories are not followed by `**`. A
// pattern without such signs is a path as it is.
// Returns NotFound if there is none: a pattern that matches nothing is a
// mistake.
absl::StatusOr<std::vector<std::string>> Glob(absl::string_view pattern);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_GLOB_H_
