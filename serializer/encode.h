// Module -> bytes, as it is: no checks, nothing bound, nothing lowered.
#ifndef OPCOMPAT_SERIALIZER_ENCODE_H_
#define OPCOMPAT_SERIALIZER_ENCODE_H_

#include <string>

#include "absl/status/statusor.h"
#include "ir/module.h"
#include "serializer/options.h"

namespace opcompat {

// Returns the file. Of `options`, the targets are not looked at.
// Precondition: `module` is canonical and verifies.
absl::StatusOr<std::string> Encode(const Module& module,
                                   const SerializeOptions& options);

}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_ENCODE_H_
