// Functions of a file: the columns become the columns of a Graph, in flat
// passes, with no allocation per node.
#ifndef OPCOMPAT_DESERIALIZER_FUNCTION_READER_H_
#define OPCOMPAT_DESERIALIZER_FUNCTION_READER_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "deserializer/budget.h"
#include "deserializer/decode_limits.h"
#include "deserializer/file_fields.h"
#include "deserializer/form_reader.h"
#include "deserializer/module_tables.h"
#include "deserializer/tables.h"
#include "ir/module.h"

namespace opcompat {
namespace decoding {

// Reads all functions into `module`. Checks structure: blocks nest and end,
// columns have the elements that the forms take, values were defined before.
// Whether the result makes sense is the verifier's business, but most nodes are
// seen to be right in passing: the others of each function are in `doubtful`
// (VerifyOptions::doubtful).
// Returns InvalidArgument, or ResourceExhausted over a limit.
absl::Status ReadFunctions(const FileFields& file, const Tables& tables,
                           const std::vector<WireForm>& forms,
                           const DecodeLimits& limits, size_t file_size,
                           Budget* budget, ModuleTables* module_tables,
                           Module* module,
                           std::vector<std::vector<NodeId>>* doubtful);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_FUNCTION_READER_H_
