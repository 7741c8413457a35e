// Functions of a file: the columns become the columns of a Graph, in flat
// passes, with no allocation per node.
#ifndef OPCOMPAT_DESERIALIZER_FUNCTION_READER_H_
#define OPCOMPAT_DESERIALIZER_FUNCTION_READER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "binding/call.h"
#include "deserializer/budget.h"
#include "deserializer/decode_limits.h"
#include "deserializer/file_fields.h"
#include "deserializer/form_reader.h"
#include "deserializer/module_tables.h"
#include "deserializer/tables.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "schema/operator_entry.h"

namespace opcompat {
namespace decoding {

// What was seen of the nodes in passing.
struct FunctionFindings {
  // By function: the nodes that were not seen to be right
  // (VerifyOptions::doubtful).
  std::vector<std::vector<NodeId>> doubtful;
  // By form of the file: how many nodes it has, and what binding did to them.
  std::vector<uint64_t> calls;
  std::vector<absl::optional<CallNotes>> notes;  // nullopt: they passed
};

// Reads all functions into `module`. Checks structure: blocks nest and end,
// columns have the elements that the forms take, values were defined before.
// Whether the result makes sense is the verifier's business, but most nodes are
// seen to be right in passing.
// Returns InvalidArgument, or ResourceExhausted over a limit; Cancelled if
// `module_tables` binds and some node must be seen to be bound.
absl::Status ReadFunctions(const FileFields& file, const Tables& tables,
                           const std::vector<OperatorEntryPtr>& entries,
                           const std::vector<WireForm>& forms,
                           const DecodeLimits& limits, size_t file_size,
                           Budget* budget, ModuleTables* module_tables,
                           Module* module, FunctionFindings* findings);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_FUNCTION_READER_H_
