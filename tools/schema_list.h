// Files of schemas that are not part of a history, as a command reads them.
#ifndef OPCOMPAT_TOOLS_SCHEMA_LIST_H_
#define OPCOMPAT_TOOLS_SCHEMA_LIST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "schema/operator_schema.h"
#include "schema/text/schema_parser.h"
#include "tools/fault_lines.h"

namespace opcompat {

// The faults of the file and of its lines, sorted.
std::vector<FaultLine> SchemaFaults(const SchemaFile& file,
                                    const std::string& path);

// What is in one file: the operators of one version.
struct SchemaList {
  // From the header; empty without one.
  std::string history;
  std::string version;
  // Each operator once.
  std::vector<OperatorSchema> schemas;
  std::vector<int> lines;  // where each is
  // Sorted. With or without a header, an operator twice is one.
  std::vector<FaultLine> faults;
};

// Reads a path, or standard input for `-`. Errors as of ReadInput.
absl::StatusOr<SchemaList> ReadSchemaList(const std::string& path);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_SCHEMA_LIST_H_
