// Names by pattern: modules, versions and programs, as files of expected
// refusals and `opcompat history-of` take them. Not for names of files, of
// which the parts matter (tools/glob.h).
#ifndef OPCOMPAT_COMPAT_MATRIX_WILDCARDS_H_
#define OPCOMPAT_COMPAT_MATRIX_WILDCARDS_H_

#include "absl/strings/string_view.h"

namespace opcompat {

// Whether `*` in `pattern` can be filled in so that it is `text`.
bool MatchesStars(absl::string_view pattern, absl::string_view text);

// The same with `?` for any one character.
bool MatchesGlob(absl::string_view pattern, absl::string_view text);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_WILDCARDS_H_
