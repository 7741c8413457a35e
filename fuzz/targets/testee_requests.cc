// The testee protocol from the program's side: any stream of requests gets
// whole answers for as long as it makes sense.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/testees/serve_requests.h"
#include "compat_matrix/testees/testee.pb.h"
#include "compat_matrix/testees/testee_service.h"
#include "fuzz/check.h"
#include "fuzz/proto_mutator.h"
#include "fuzz/targets/frame_mutator.h"
#include "fuzz/targets/frame_stream.h"

namespace opcompat {
namespace {

void TestOne(absl::string_view input) {
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

}  // namespace
}  // namespace opcompat

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  opcompat::SilenceProtobuf();
  opcompat::TestOne(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned int seed) {
  return opcompat::MutateStream(opcompat::testee::Request::default_instance(),
                                data, size, max_size, seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1,
                                            const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t max_out_size,
                                            unsigned int seed) {
  return opcompat::CrossOverStreams(
      opcompat::testee::Request::default_instance(), data1, size1, data2, size2,
      out, max_out_size, seed);
}
