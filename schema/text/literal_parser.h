// Literals as text: the one grammar of defaults, histories and module text.
//
//   None True False 12 -1 1.5 1e-05 inf -inf nan nan(0x7ff8000000000001)
//   1.0+2.0j 2j "s" 's' [1, 2] (1,) (1, "a") {"k": 1} long
//   tensor(float32, [2], hex"0000803f00000000")
#ifndef OPCOMPAT_SCHEMA_TEXT_LITERAL_PARSER_H_
#define OPCOMPAT_SCHEMA_TEXT_LITERAL_PARSER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "schema/text/scanner.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

// Reads one literal; no type is expected, so `1` is an int and a word (`long`)
// is ValueKind::kWord. Ints are decimal, over all of int64, without needless
// zeros. Errors have line and column.
absl::StatusOr<Value> ParseLiteral(Scanner& scanner);

// Reads one literal and coerces it to `type` (typing.h): what it says of a
// misfit, with the literal's place.
absl::StatusOr<Value> ParseLiteralAt(Scanner& scanner, const Type& type);

// Reads `text`, all of it.
absl::StatusOr<Value> ParseLiteralAt(absl::string_view text, const Type& type);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_TEXT_LITERAL_PARSER_H_
