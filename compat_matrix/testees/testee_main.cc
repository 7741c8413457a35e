// Our reader and writer as a program under test: speaks the protocol of
// docs/testee_protocol.md over standard input and output until the input ends.
//
//   opcompat matrix --testee='bazel-bin/compat_matrix/testees/testee_main'
//
// Status 0; 1 if the input is no request or the output is closed.
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>

#include "absl/strings/string_view.h"
#include "compat_matrix/testees/testee.pb.h"
#include "compat_matrix/testees/testee_service.h"

namespace opcompat {
namespace {

constexpr size_t kHeaderBytes = 4;

// Reads `size` bytes; nothing is asked for before it is there. Returns how many
// there were.
size_t ReadBytes(size_t size, std::string* bytes) {
  bytes->clear();
  char buffer[1 << 16];
  while (bytes->size() < size) {
    const size_t left = size - bytes->size();
    const ssize_t got =
        read(STDIN_FILENO, buffer, left < sizeof buffer ? left : sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    bytes->append(buffer, static_cast<size_t>(got));
  }
  return bytes->size();
}

bool WriteBytes(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

int Fail(const char* message) {
  std::fprintf(stderr, "testee: %s\n", message);
  return 1;
}

int RealMain() {
  TesteeService service("opcompat");
  std::string bytes;
  while (true) {
    const size_t got = ReadBytes(kHeaderBytes, &bytes);
    if (got == 0) return 0;
    if (got < kHeaderBytes) return Fail("half a length at the end of input");
    size_t length = 0;
    for (size_t i = 0; i < kHeaderBytes; ++i) {
      length |= size_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
    }
    if (ReadBytes(length, &bytes) < length) {
      return Fail("half a request at the end of input");
    }
    testee::Request request;
    if (!request.ParseFromString(bytes)) {
      return Fail("the input is no message opcompat.testee.Request");
    }
    const std::string answer = service.Serve(request).SerializeAsString();
    std::string frame;
    for (size_t i = 0; i < kHeaderBytes; ++i) {
      frame.push_back(static_cast<char>(answer.size() >> (8 * i)));
    }
    if (!WriteBytes(frame) || !WriteBytes(answer)) {
      return Fail("standard output is closed");
    }
  }
}

}  // namespace
}  // namespace opcompat

int main() { return opcompat::RealMain(); }
