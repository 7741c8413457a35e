// Requests that make no sense get an answer; the bytes of
// docs/testee_protocol.md are what they say.
#include "compat_matrix/testees/testee_service.h"

#include <cctype>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/testees/testee.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;

// The frames of the page: direction (`>`, `<`) and bytes.
std::vector<std::pair<char, std::string>> FramesOfThePage() {
  std::ifstream page("docs/testee_protocol.md");
  EXPECT_TRUE(page.good());
  std::vector<std::pair<char, std::string>> frames;
  bool is_inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "```") {
      is_inside = false;
    } else if (line.size() > 4 && (line[0] == '>' || line[0] == '<') &&
               std::isxdigit(line[2]) != 0) {
      is_inside = true;
      frames.emplace_back(line[0], "");
    }
    if (!is_inside) continue;
    for (size_t i = 2; i + 1 < line.size() && std::isxdigit(line[i]) != 0;
         i += 3) {
      frames.back().second += absl::HexStringToBytes(line.substr(i, 2));
    }
  }
  return frames;
}

template <typename Message>
Message MessageOf(absl::string_view frame) {
  EXPECT_GT(frame.size(), 4u);
  EXPECT_EQ(frame.substr(1, 3), absl::string_view("\0\0\0", 3));
  EXPECT_EQ(static_cast<unsigned char>(frame[0]), frame.size() - 4);
  Message message;
  EXPECT_TRUE(message.ParseFromString(std::string(frame.substr(4))));
  // Nothing that the messages do not have, and in the order that they write.
  EXPECT_EQ(message.SerializeAsString(), frame.substr(4));
  EXPECT_TRUE(message.GetReflection()->GetUnknownFields(message).empty());
  EXPECT_NE(message.what_case(), Message::WHAT_NOT_SET);
  return message;
}

TEST(TesteeServiceTest, TheBytesOfThePageAreMessages) {
  const auto frames = FramesOfThePage();
  ASSERT_EQ(frames.size(), 6u);
  for (size_t i = 0; i < frames.size(); i += 2) {
    EXPECT_EQ(frames[i].first, '>');
    EXPECT_EQ(frames[i + 1].first, '<');
    EXPECT_EQ(MessageOf<testee::Request>(frames[i].second).id(), i / 2 + 1);
    EXPECT_EQ(MessageOf<testee::Answer>(frames[i + 1].second).id(), i / 2 + 1);
  }
  TesteeService service("opcompat");
  EXPECT_EQ(service.Serve(MessageOf<testee::Request>(frames[0].second))
                .SerializeAsString(),
            frames[1].second.substr(4));
}

TEST(TesteeServiceTest, WhatIsNotKnownIsUnsupported) {
  TesteeService service("x");
  testee::Request request;
  request.set_id(7);
  testee::Answer answer = service.Serve(request);
  EXPECT_EQ(answer.id(), 7u);
  EXPECT_THAT(answer.unsupported().message(), HasSubstr("kind of request"));
  request.mutable_hello()->set_protocol_version(2);
  EXPECT_THAT(service.Serve(request).unsupported().message(),
              HasSubstr("version 2 of the testee protocol"));
  request.mutable_hello()->set_protocol_version(1);
  request.mutable_hello()->add_required_features("telepathy");
  EXPECT_THAT(service.Serve(request).unsupported().message(),
              HasSubstr("feature \"telepathy\""));
}

TEST(TesteeServiceTest, WhatCannotBeServedIsAnError) {
  TesteeService service("x");
  testee::Request request;
  request.mutable_set_histories()->add_histories()->set_compiled("no history");
  EXPECT_THAT(service.Serve(request).error(), HasSubstr("INVALID_ARGUMENT"));
  testee::Version* reader = request.mutable_read()->add_reader();
  reader->set_history("t");
  EXPECT_THAT(service.Serve(request).error(),
              HasSubstr("no history t was told"));
  request.mutable_write()->set_module("func f(:\n");
  EXPECT_THAT(service.Serve(request).error(), HasSubstr("1:"));
}

TEST(TesteeServiceTest, AFileThatIsNoneIsRefused) {
  TesteeService service("x");
  testee::Request request;
  request.mutable_read()->set_file("no file");
  const testee::Answer answer = service.Serve(request);
  ASSERT_EQ(answer.refused().reasons_size(), 1);
  EXPECT_EQ(answer.refused().reasons(0).code(), "malformed");
}

}  // namespace
}  // namespace opcompat
