// Module -> bytes, as it is: no checks, nothing bound, nothing lowered.
#ifndef OPCOMPAT_SERIALIZER_ENCODE_H_
#define OPCOMPAT_SERIALIZER_ENCODE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/module.h"
#include "schema/value.h"
#include "serializer/byte_sink.h"
#include "serializer/options.h"

namespace opcompat {

// A file that is still in two parts, so that large tensors are not copied.
// Equal iff the files are.
struct EncodedModule {
  std::string message;
  // The tensors whose bytes follow the message, in the order of the file.
  std::vector<Value> bulk;

  // Bytes of the whole file.
  uint64_t file_size() const;

  friend bool operator==(const EncodedModule& a, const EncodedModule& b) {
    return a.message == b.message && a.bulk == b.bulk;
  }
  friend bool operator!=(const EncodedModule& a, const EncodedModule& b) {
    return !(a == b);
  }
};

// Of `options`, the targets and the progress are not looked at.
// InvalidArgument: parts of the module are larger than readers take.
// Precondition: `module` is canonical and verifies.
absl::StatusOr<EncodedModule> Encode(const Module& module,
                                     const SerializeOptions& options);

// Appends the file. Returns what `sink` does.
absl::Status WriteFile(const EncodedModule& module,
                       const ProgressCallback& progress, ByteSink* sink);

}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_ENCODE_H_
