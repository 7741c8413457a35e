// The testee protocol from the program's side: any stream of requests gets
// whole answers for as long as it makes sense.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/testees/serve_requests.h"
#include "compat_matrix/testees/testee.pb.h"
#include "compat_matrix/testees/testee_service.h"
#include "fuzz/check.h"
#include "fuzz/targets/frame_stream.h"
#include "fuzz/targets/frame_target.h"
#include "google/protobuf/message.h"

namespace opcompat {

const google::protobuf::Message& PrototypeOfInputs() {
  return testee::Request::default_instance();
}

void TestStream(absl::string_view input) {
  const std::vector<std::string> requests = MessagesOf(input);
  std::string output;
  TesteeService service("fuzz");
  const absl::Status status = ServeRequests(
      [&](char* buffer, size_t size) {
        size = std::min(size, input.size());
        std::copy_n(input.data(), size, buffer);
        input.remove_prefix(size);
        return size;
      },
      [&](absl::string_view bytes) {
        output.append(bytes.data(), bytes.size());
        return true;
      },
      &service);
  ExpectAnswerCode(status, "serving");
  const std::vector<std::string> answers = MessagesOf(output);
  if (StreamOf(answers) != output) Fail("half an answer");
  if (status.ok() && answers.size() != requests.size()) {
    Fail("not one answer for each request");
  }
  for (size_t i = 0; i < answers.size(); ++i) {
    testee::Request request;
    testee::Answer answer;
    if (!request.ParseFromString(requests[i])) Fail("no request is answered");
    if (!answer.ParseFromString(answers[i])) Fail("an answer that is none");
    if (answer.id() != request.id()) Fail("an answer to another request");
    if (answer.what_case() == testee::Answer::WHAT_NOT_SET) {
      Fail("an answer that says nothing");
    }
    if (answer.what_case() == testee::Answer::kError &&
        absl::StartsWith(answer.error(), "INTERNAL")) {
      Fail(answer.error());
    }
  }
}

}  // namespace opcompat
