// Text from anywhere (names of files, what a testee said) as it may stand in a
// report, whatever bytes it has.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_PLAIN_TEXT_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_PLAIN_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "compat_matrix/result.h"

namespace opcompat {

// Valid UTF-8 of characters that every format and terminal takes: bytes that
// are not UTF-8 become U+FFFD, control characters (C1 too) but newlines and
// tabs are spelled `\x1b`, and so are U+2028, U+2029 and U+FEFF (`\u2028`).
std::string PlainText(absl::string_view text);

// The same on one line: newlines and tabs are spelled `\n` and `\t`.
std::string PlainLine(absl::string_view text);

// The first `bytes` of `text` or a few less, so that no character is cut, and
// ` ...` if something is missing. Precondition: PlainText made `text`.
std::string Shortened(absl::string_view text, size_t bytes);

// `models/net.graph torch 2.6.0->1.7.1! in-process`: a cell as reports and
// `opcompat history-of` name it; `!` for a target. The testee is left out if
// the run has one, and stands as `AUTHOR=>TESTEE` if another program wrote.
std::string CellName(const RunNames& names, const ModuleCells& module,
                     const Cell& cell);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_PLAIN_TEXT_H_
