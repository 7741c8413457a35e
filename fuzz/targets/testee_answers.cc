// The testee protocol from the matrix's side: whatever a program sends is an
// answer, or a crash of the program, never one of ours.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/testees/author.h"
#include "compat_matrix/testees/frames.h"
#include "compat_matrix/testees/messages.h"
#include "compat_matrix/testees/pipe_author.h"
#include "compat_matrix/testees/pipe_testee.h"
#include "compat_matrix/testees/testee.h"
#include "compat_matrix/testees/testee.pb.h"
#include "deserializer/deserialize.h"
#include "fuzz/check.h"
#include "fuzz/runtimes.h"
#include "fuzz/targets/frame_target.h"
#include "google/protobuf/message.h"
#include "ir/verifier.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

// Of the request that each frame is taken for an answer to.
constexpr uint64_t kId = 1;
// Inputs may have longer ones.
constexpr uint32_t kMaxAnswerBytes = 1000;

void CheckOne(bool a, bool b, bool c) {
  if (int{a} + int{b} + int{c} != 1) {
    Fail("an answer is understood as several things, or as none");
  }
}

void CheckAnswer(absl::string_view message, const Runtime& reader) {
  absl::StatusOr<testee::Answer> answer = ParseAnswer(message, "request", kId);
  if (answer.ok()) {
    const absl::Status status = ErrorOfAnswer(*answer);
    if (!status.ok()) answer = status;
  }
  const TesteeAnswer read = TesteeAnswerOf(answer, reader);
  CheckOne(read.module.has_value(), !read.reasons.empty(), !read.crash.empty());
  if (read.module.has_value()) {
    ExpectOk(Verify(*read.module), "a module that does not verify is taken");
  }
  for (const bool for_target : {false, true}) {
    const AuthorAnswer written = AuthorAnswerOf(answer, for_target);
    CheckOne(written.file.has_value(), !written.reasons.empty(),
             !written.crash.empty());
    if (written.file.has_value()) {
      ExpectAnswerCode(Deserialize(*written.file, reader).status(),
                       "reading what was written");
    }
  }
}

}  // namespace

const google::protobuf::Message& PrototypeOfInputs() {
  return testee::Answer::default_instance();
}

void TestStream(absl::string_view stream) {
  while (true) {
    const absl::StatusOr<size_t> size = FrameSize(stream, kMaxAnswerBytes);
    const bool has_header = stream.size() >= kFrameHeaderBytes;
    if (size.ok() == (has_header && FrameLength(stream) > kMaxAnswerBytes)) {
      Fail("a frame is taken for longer, or for shorter, than it says");
    }
    if (!size.ok() || *size == 0 || *size > stream.size()) return;
    CheckAnswer(stream.substr(kFrameHeaderBytes, *size - kFrameHeaderBytes),
                DemoRuntimes().back());
    stream.remove_prefix(*size);
  }
}

}  // namespace opcompat
