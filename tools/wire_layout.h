// Where the parts of a module file, and the fields of a protobuf message, lie
// in its bytes.
#ifndef OPCOMPAT_TOOLS_WIRE_LAYOUT_H_
#define OPCOMPAT_TOOLS_WIRE_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"

namespace opcompat {

struct FieldPlace {
  uint32_t number = 0;
  size_t offset = 0;  // of the tag, in the file
  size_t size = 0;    // with the tag
  // What a field of bytes, a message or a packed column holds; empty for
  // others.
  size_t content_offset = 0;
  absl::string_view content;
};

// The fields of the message `bytes`, which lies at `offset` of the file, in
// order. Stops where `bytes` are no message.
std::vector<FieldPlace> FieldPlaces(absl::string_view bytes, size_t offset = 0);

// A file: its message, up to and with the checksum, and the bulk data of
// tensors behind it.
struct FileParts {
  absl::string_view message;
  size_t bulk_offset = 0;
  absl::string_view bulk;
};

// The message is all of `file` if it has no checksum.
FileParts PartsOf(absl::string_view file);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_WIRE_LAYOUT_H_
