#include "tools/schema_list.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/inputs.h"

namespace opcompat {

std::vector<FaultLine> SchemaFaults(const SchemaFile& file,
                                    const std::string& path) {
  std::vector<FaultLine> faults;
  for (const absl::Status& fault : file.faults) {
    faults.push_back(FaultOf(path, fault.message()));
  }
  for (const SchemaLine& line : file.lines) {
    if (line.schema.ok()) continue;
    faults.push_back(FaultOf(path, line.schema.status().message()));
  }
  SortFaults(&faults);
  return faults;
}

absl::StatusOr<SchemaList> ReadSchemaList(const std::string& path) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::string text, ReadInput(path));
  SchemaFile file = ParseSchemaFile(text);
  SchemaList list;
  list.history = file.opset;
  list.version = file.version;
  list.faults = SchemaFaults(file, path);
  absl::flat_hash_set<std::string> names;
  for (SchemaLine& line : file.lines) {
    if (!line.schema.ok()) continue;
    const std::string name = line.schema->full_name();
    if (names.insert(name).second) {
      list.schemas.push_back(*std::move(line.schema));
      list.lines.push_back(line.line);
    } else if (file.opset.empty()) {
      // With a header that is among the faults of the file already.
      list.faults.push_back(
          {path, line.line, 0,
           absl::StrCat("the operator ", name, " is there already")});
    }
  }
  SortFaults(&list.faults);
  return list;
}

}  // namespace opcompat
