#include "ir/text/opset_for_testing.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "schema/operator_entry.h"
#include "schema/operator_schema.h"
#include "schema/text/schema_parser.h"

namespace opcompat {
namespace {

OperatorEntryPtr EntryOf(const OperatorSchema& schema,
                         const std::string& history) {
  OperatorEntry entry = EntryOfSchema(schema);
  entry.history = history;
  return std::make_shared<const OperatorEntry>(std::move(entry));
}

}  // namespace

absl::StatusOr<Opset> OpsetForTesting(absl::string_view operators,
                                      std::vector<std::string> aliases) {
  const SchemaFile file = ParseSchemaFile(operators);
  if (!file.faults.empty()) return file.faults[0];
  OpsetParts parts;
  parts.name = file.opset;
  parts.aliases = std::move(aliases);
  parts.versions = {file.version};
  for (const SchemaLine& line : file.lines) {
    if (!line.schema.ok()) return line.schema.status();
    OperatorInfo info;
    const OperatorEntryPtr entry = EntryOf(*line.schema, file.opset);
    info.revisions.push_back({entry, entry, nullptr});
    if (line.schema->has_repeated_name()) {
      info.fault = "an argument name stands twice in its schema";
    }
    parts.operators.push_back(std::make_shared<const OperatorInfo>(info));
  }
  return Opset::Create(std::move(parts));
}

absl::StatusOr<Runtime> RuntimeForTesting(
    const std::vector<std::string>& operators) {
  std::vector<Opset> opsets;
  for (const std::string& text : operators) {
    OPCOMPAT_ASSIGN_OR_RETURN(Opset opset, OpsetForTesting(text));
    opsets.push_back(std::move(opset));
  }
  return Runtime::Create(std::move(opsets));
}

}  // namespace opcompat
