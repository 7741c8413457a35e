// Our reader and writer as a program under test: speaks the protocol of
// docs/testee_protocol.md over standard input and output until the input ends.
//
//   bazel build //compat_matrix/testees:testee_main
//   bin=$(bazel info bazel-bin)
//   opcompat matrix --testee="$bin/compat_matrix/testees/testee_main"
//
// Status 0; 1 if the input is no request or the output is closed.
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/testees/serve_requests.h"
#include "compat_matrix/testees/testee_service.h"

namespace opcompat {
namespace {

size_t ReadInput(char* buffer, size_t size) {
  while (true) {
    const ssize_t got = read(STDIN_FILENO, buffer, size);
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR) return 0;
  }
}

bool WriteOutput(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

int RealMain() {
  TesteeService service("opcompat");
  const absl::Status status = ServeRequests(ReadInput, WriteOutput, &service);
  if (status.ok()) return 0;
  std::fprintf(stderr, "testee: %s\n", std::string(status.message()).c_str());
  return 1;
}

}  // namespace
}  // namespace opcompat

int main() { return opcompat::RealMain(); }
