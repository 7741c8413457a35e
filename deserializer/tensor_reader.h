// The tensors of a file: small ones in the message, large ones in the bulk data
// behind it.
#ifndef OPCOMPAT_DESERIALIZER_TENSOR_READER_H_
#define OPCOMPAT_DESERIALIZER_TENSOR_READER_H_

#include "absl/status/status.h"
#include "deserializer/budget.h"
#include "deserializer/decode_options.h"
#include "deserializer/file_fields.h"
#include "deserializer/tables.h"

namespace opcompat {
namespace decoding {

// Fills in `tensors` and `compared_tensor_bytes`. Everything behind the message is accounted for: bulk data
// is where the one before ends, between two of them are zeros, nothing follows
// the last. (With `check_tensor_hashes` off the bytes themselves, the zeros
// among them, are not looked at.)
// Precondition: `strings` are read.
absl::Status ReadTensors(const FileFields& file, const DecodeOptions& options,
                         Budget* budget, Tables* tables);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_TENSOR_READER_H_
