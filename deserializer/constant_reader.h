// The constants of a file (message Constants of wire/module.proto).
#ifndef OPCOMPAT_DESERIALIZER_CONSTANT_READER_H_
#define OPCOMPAT_DESERIALIZER_CONSTANT_READER_H_

#include "absl/status/status.h"
#include "deserializer/budget.h"
#include "deserializer/file_fields.h"
#include "deserializer/tables.h"

namespace opcompat {
namespace decoding {

// Fills in `floats`, `int_lists`, `others` and `other_sizes`.
// Precondition: `strings` and `tensors` are read.
absl::Status ReadConstants(const FileFields& file, Budget* budget,
                           Tables* tables);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_CONSTANT_READER_H_
