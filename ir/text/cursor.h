// What the parser of modules needs of a Scanner beyond its tokens: names that
// are longer than a word, and lines. For the parser of modules only.
#ifndef OPCOMPAT_IR_TEXT_CURSOR_H_
#define OPCOMPAT_IR_TEXT_CURSOR_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "schema/text/scanner.h"

namespace opcompat {

// Reads the name of a function, an attribute or a tensor: `layer.0.weight`, or
// a string. `what` is for the error: "a function's name".
absl::StatusOr<std::string> ReadName(Scanner& scanner, absl::string_view what);

// Reads a string literal. `what` is for the error.
absl::StatusOr<std::string> ReadString(Scanner& scanner,
                                       absl::string_view what);

// Passes over the end of the line, or stays at the end of the text.
absl::Status ExpectEndOfLine(Scanner& scanner);

void SkipNewlines(Scanner& scanner);

// The fields of a line as spaces part them, without a comment, and where the
// last one ends.
struct RawLine {
  std::vector<absl::string_view> fields;
  size_t end;
};
RawLine ReadRawLine(absl::string_view text, size_t begin);

// "LINE:COLUMN" of an offset, for messages that name a second place.
std::string PlaceOf(absl::string_view text, size_t offset);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TEXT_CURSOR_H_
