#include "compat_matrix/testees/frames.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace opcompat {

std::string FrameHeader(size_t size) {
  std::string header;
  for (size_t i = 0; i < kFrameHeaderBytes; ++i) {
    header.push_back(static_cast<char>(size >> (8 * i)));
  }
  return header;
}

uint32_t FrameLength(absl::string_view header) {
  uint32_t length = 0;
  for (size_t i = 0; i < kFrameHeaderBytes; ++i) {
    length |= static_cast<uint32_t>(static_cast<uint8_t>(header[i])) << (8 * i);
  }
  return length;
}

absl::StatusOr<size_t> FrameSize(absl::string_view received,
                                 uint32_t max_bytes) {
  if (received.size() < kFrameHeaderBytes) return 0;
  const uint32_t length = FrameLength(received);
  if (length > max_bytes) {
    return absl::AbortedError(absl::StrCat("announced an answer of ", length,
                                           " bytes; at most ", max_bytes,
                                           " are taken"));
  }
  return kFrameHeaderBytes + size_t{length};
}

}  // namespace opcompat
