// The tables of a file: strings, types, constants, tensors. All of it is
// checked here, so that what refers to a table has only its index to check.
#ifndef OPCOMPAT_DESERIALIZER_TABLE_READER_H_
#define OPCOMPAT_DESERIALIZER_TABLE_READER_H_

#include "absl/status/statusor.h"
#include "deserializer/budget.h"
#include "deserializer/decode_options.h"
#include "deserializer/file_fields.h"
#include "deserializer/tables.h"

namespace opcompat {
namespace decoding {

// Types and constants refer only to earlier ones, are within the limits of
// schema/type.h and schema/value.h, and are as their kinds demand. No element
// of a table is there twice.
// Returns InvalidArgument, or ResourceExhausted over a limit.
absl::StatusOr<Tables> ReadTables(const FileFields& file,
                                  const DecodeOptions& options, Budget* budget);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_TABLE_READER_H_
