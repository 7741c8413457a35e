// Schemas as text. See DESIGN-level grammar in docs/compatibility.md.
#ifndef OPCOMPAT_SCHEMA_TEXT_SCHEMA_PARSER_H_
#define OPCOMPAT_SCHEMA_TEXT_SCHEMA_PARSER_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "schema/operator_schema.h"

namespace opcompat {

// Parses one schema; `text` is all of it (surrounding spaces are ignored).
// Returns InvalidArgument "LINE:COLUMN: what was found and expected", with
// `line` as the number of the line.
absl::StatusOr<OperatorSchema> ParseSchema(absl::string_view text,
                                           int line = 1);

// As ParseSchema, but a repeated argument name is let through
// (OperatorSchema::has_repeated_name).
absl::StatusOr<OperatorSchema> ParseSchemaLenient(absl::string_view text,
                                                  int line = 1);

// One line of a file of schemas.
struct SchemaLine {
  int line;
  absl::StatusOr<OperatorSchema> schema;
};

// A file of schemas: `.ops` (with a header) or bare lines.
struct SchemaFile {
  // From the header `opset NAME VERSION`; empty without one.
  std::string opset;
  std::string version;
  // Every line that is neither blank nor comment nor header, in order, parsed
  // leniently.
  std::vector<SchemaLine> lines;
  // Faults other than of single schemas: a header that is not one, and in a
  // file with a header an operator twice. "LINE:COLUMN: message".
  std::vector<absl::Status> faults;
};

SchemaFile ParseSchemaFile(absl::string_view text);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_TEXT_SCHEMA_PARSER_H_
