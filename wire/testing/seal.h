// For tests and fuzzers that change files: puts the checksum right again, so
// that what is behind it is tested and not the checksum.
#ifndef OPCOMPAT_WIRE_TESTING_SEAL_H_
#define OPCOMPAT_WIRE_TESTING_SEAL_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "wire/module.pb.h"

namespace opcompat {

// `file` with the checksum of its bytes, whatever they are now. A file whose
// end does not look like a checksum gets one appended.
std::string Reseal(absl::string_view file);

// Appends the checksum to a message that has none; what looks like one at its
// end, as in a history that ends with a module, is none.
std::string WithChecksum(absl::string_view message);

// How many bytes of `file` are its message: up to and with the checksum. The
// rest is the bulk data of tensors. All of them if there is no checksum.
size_t MessageSize(absl::string_view file);

// Where bulk data begins behind a message of this size.
size_t BulkBegin(size_t message_size);

// The bulk data of `file`, from where it begins; empty if there is none.
absl::string_view BulkOf(absl::string_view file);

// The message (with its checksum) and `bulk` where bulk data begins behind it;
// the message alone if `bulk` is empty.
std::string WithBulk(std::string message, absl::string_view bulk);

// The message as a file, as protobuf writes it, with the right checksum.
std::string Seal(wire::Module message);

}  // namespace opcompat

#endif  // OPCOMPAT_WIRE_TESTING_SEAL_H_
