#include "fuzz/targets/frame_stream.h"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/status/statusor.h"
#include "compat_matrix/testees/frames.h"

namespace opcompat {

std::vector<std::string> MessagesOf(absl::string_view stream) {
  std::vector<std::string> messages;
  while (true) {
    const absl::StatusOr<size_t> size =
        FrameSize(stream, std::numeric_limits<uint32_t>::max());
    if (!size.ok() || *size == 0 || *size > stream.size()) return messages;
    messages.emplace_back(
        stream.substr(kFrameHeaderBytes, *size - kFrameHeaderBytes));
    stream.remove_prefix(*size);
  }
}

std::string StreamOf(const std::vector<std::string>& messages) {
  std::string stream;
  for (const std::string& message : messages) {
    stream += FrameHeader(message.size());
    stream += message;
  }
  return stream;
}

}  // namespace opcompat
