// Types as text: `Tensor(a!)[]`, `Dict(str, t)`, `int[2]?`, `(Tensor, int)`.
#ifndef OPCOMPAT_SCHEMA_TEXT_TYPE_PARSER_H_
#define OPCOMPAT_SCHEMA_TEXT_TYPE_PARSER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "schema/operator_schema.h"
#include "schema/text/scanner.h"
#include "schema/type.h"

namespace opcompat {

// Reads one type from the scanner. Annotations go to `alias` (null: they are
// refused). Errors have line and column.
absl::StatusOr<Type> ParseType(Scanner& scanner, AliasAnnotations* alias);

// Reads `text`, all of it, as a type without annotations.
absl::StatusOr<Type> ParseType(absl::string_view text);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_TEXT_TYPE_PARSER_H_
