// absl::Status does all that it does without payloads in a program that is
// linked with no_cords.cc.
#include <sstream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

const char kLong[] = "a message that does not fit into a short string";

TEST(NoCordsTest, StatusesHaveCodesAndMessages) {
  const absl::Status status = absl::InvalidArgumentError(kLong);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), kLong);
  EXPECT_EQ(status.ToString(), std::string("INVALID_ARGUMENT: ") + kLong);
  std::ostringstream stream;
  stream << status << ", " << absl::OkStatus();
  EXPECT_EQ(stream.str(), std::string("INVALID_ARGUMENT: ") + kLong + ", OK");
  EXPECT_EQ(absl::Status(absl::StatusCode::kUnknown, "").ToString(),
            "UNKNOWN: ");
}

TEST(NoCordsTest, StatusesAreCopiedMovedAndCompared) {
  absl::Status first = absl::NotFoundError(kLong);
  const absl::Status second = first;
  EXPECT_EQ(first, second);
  EXPECT_EQ(first, absl::NotFoundError(kLong));
  EXPECT_NE(first, absl::NotFoundError("another"));
  EXPECT_NE(first, absl::InternalError(kLong));
  EXPECT_NE(first, absl::OkStatus());
  const absl::Status third = std::move(first);
  EXPECT_EQ(third, second);
  first = absl::OkStatus();
  first.Update(second);
  first.Update(absl::InternalError("too late"));
  EXPECT_EQ(first, second);
}

TEST(NoCordsTest, StatusesHaveNoPayloads) {
  absl::Status status = absl::NotFoundError(kLong);
  EXPECT_FALSE(status.GetPayload("url").has_value());
  EXPECT_FALSE(status.ErasePayload("url"));
  status.ForEachPayload(
      [](absl::string_view, const absl::Cord&) { FAIL() << "a payload"; });
}

TEST(NoCordsTest, APayloadThatSaysAllByBeingThereWorks) {
  absl::Status status = absl::NotFoundError(kLong);
  status.SetPayload("url", absl::Cord());
  const absl::Status copy = status;
  EXPECT_TRUE(copy.GetPayload("url").has_value());
  EXPECT_EQ(copy, status);
  EXPECT_THAT(copy.ToString(), testing::HasSubstr("url"));
  EXPECT_TRUE(status.ErasePayload("url"));
  EXPECT_NE(copy, status);
}

TEST(NoCordsTest, StatusOrHasAValueOrAStatus) {
  absl::StatusOr<std::string> value = kLong;
  EXPECT_EQ(*value, kLong);
  value = absl::DataLossError("lost");
  EXPECT_EQ(value.status(), absl::DataLossError("lost"));
  const absl::StatusOr<std::string> copy = value;
  EXPECT_EQ(copy.status(), value.status());
}

}  // namespace
}  // namespace opcompat
