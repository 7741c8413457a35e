// Bytes as text, by less code than absl/strings/escaping.h has: its functions
// stand in one object file, so that each brings all the others, 15 KB.
#ifndef OPCOMPAT_BASE_ESCAPE_H_
#define OPCOMPAT_BASE_ESCAPE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace opcompat {

// The same as absl::CHexEscape: what is not printable ASCII, as in C.
std::string HexEscape(absl::string_view bytes);

// The same as absl::BytesToHexString: two digits for each byte.
std::string HexDigits(absl::string_view bytes);

}  // namespace opcompat

#endif  // OPCOMPAT_BASE_ESCAPE_H_
