#include "compat_matrix/testees/serve_requests.h"

#include <algorithm>
#include <string>

#include "compat_matrix/testees/frames.h"
#include "compat_matrix/testees/testee.pb.h"

namespace opcompat {
namespace {

// Reads `size` bytes; nothing is asked for before it is there. Returns how many
// there were.
size_t ReadBytes(const ReadSome& read, size_t size, std::string* bytes) {
  bytes->clear();
  char buffer[1 << 16];
  while (bytes->size() < size) {
    const size_t got =
        read(buffer, std::min(size - bytes->size(), sizeof buffer));
    if (got == 0) break;
    bytes->append(buffer, got);
  }
  return bytes->size();
}

}  // namespace

absl::Status ServeRequests(const ReadSome& read, const WriteAll& write,
                           TesteeService* service) {
  std::string bytes;
  while (true) {
    const size_t got = ReadBytes(read, kFrameHeaderBytes, &bytes);
    if (got == 0) return absl::OkStatus();
    if (got < kFrameHeaderBytes) {
      return absl::InvalidArgumentError("half a length at the end of input");
    }
    const size_t length = FrameLength(bytes);
    if (ReadBytes(read, length, &bytes) < length) {
      return absl::InvalidArgumentError("half a request at the end of input");
    }
    testee::Request request;
    if (!request.ParseFromString(bytes)) {
      return absl::InvalidArgumentError(
          "the input is no message opcompat.testee.Request");
    }
    const std::string answer = service->Serve(request).SerializeAsString();
    if (!write(FrameHeader(answer.size())) || !write(answer)) {
      return absl::AbortedError("standard output is closed");
    }
  }
}

}  // namespace opcompat
