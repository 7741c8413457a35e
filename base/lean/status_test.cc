// absl::Status does what it does without payloads in a program that is linked
// with status.cc. The expected values are those of abseil's own code.
#include "absl/status/status.h"

#include <sstream>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

const char kLong[] = "a message that does not fit into a short string";

TEST(LeanStatusTest, StatusesHaveCodesAndMessages) {
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

TEST(LeanStatusTest, StatusesAreCopiedMovedAndCompared) {
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

TEST(LeanStatusTest, EachCodeHasItsFunctions) {
  const struct {
    absl::StatusCode code;
    absl::Status (*make)(absl::string_view);
    bool (*is)(const absl::Status&);
    const char* name;
  } rows[] = {
      {absl::StatusCode::kCancelled, absl::CancelledError, absl::IsCancelled,
       "CANCELLED"},
      {absl::StatusCode::kUnknown, absl::UnknownError, absl::IsUnknown,
       "UNKNOWN"},
      {absl::StatusCode::kInvalidArgument, absl::InvalidArgumentError,
       absl::IsInvalidArgument, "INVALID_ARGUMENT"},
      {absl::StatusCode::kDeadlineExceeded, absl::DeadlineExceededError,
       absl::IsDeadlineExceeded, "DEADLINE_EXCEEDED"},
      {absl::StatusCode::kNotFound, absl::NotFoundError, absl::IsNotFound,
       "NOT_FOUND"},
      {absl::StatusCode::kAlreadyExists, absl::AlreadyExistsError,
       absl::IsAlreadyExists, "ALREADY_EXISTS"},
      {absl::StatusCode::kPermissionDenied, absl::PermissionDeniedError,
       absl::IsPermissionDenied, "PERMISSION_DENIED"},
      {absl::StatusCode::kResourceExhausted, absl::ResourceExhaustedError,
       absl::IsResourceExhausted, "RESOURCE_EXHAUSTED"},
      {absl::StatusCode::kFailedPrecondition, absl::FailedPreconditionError,
       absl::IsFailedPrecondition, "FAILED_PRECONDITION"},
      {absl::StatusCode::kAborted, absl::AbortedError, absl::IsAborted,
       "ABORTED"},
      {absl::StatusCode::kOutOfRange, absl::OutOfRangeError, absl::IsOutOfRange,
       "OUT_OF_RANGE"},
      {absl::StatusCode::kUnimplemented, absl::UnimplementedError,
       absl::IsUnimplemented, "UNIMPLEMENTED"},
      {absl::StatusCode::kInternal, absl::InternalError, absl::IsInternal,
       "INTERNAL"},
      {absl::StatusCode::kUnavailable, absl::UnavailableError,
       absl::IsUnavailable, "UNAVAILABLE"},
      {absl::StatusCode::kDataLoss, absl::DataLossError, absl::IsDataLoss,
       "DATA_LOSS"},
      {absl::StatusCode::kUnauthenticated, absl::UnauthenticatedError,
       absl::IsUnauthenticated, "UNAUTHENTICATED"},
  };
  for (const auto& row : rows) {
    const absl::Status status = row.make("what");
    EXPECT_EQ(status.code(), row.code);
    EXPECT_EQ(status.raw_code(), static_cast<int>(row.code));
    EXPECT_EQ(status.message(), "what");
    EXPECT_EQ(status.ToString(), std::string(row.name) + ": what");
    EXPECT_EQ(absl::StatusCodeToString(row.code), row.name);
    EXPECT_TRUE(row.is(status));
    EXPECT_FALSE(row.is(absl::OkStatus()));
    EXPECT_EQ(row.make("").message(), "");
    EXPECT_TRUE(row.is(row.make("")));
  }
  EXPECT_EQ(absl::StatusCodeToString(static_cast<absl::StatusCode>(99)), "");
  const absl::Status odd(static_cast<absl::StatusCode>(99), "odd");
  EXPECT_EQ(odd.code(), absl::StatusCode::kUnknown);
  EXPECT_EQ(odd.raw_code(), 99);
  EXPECT_TRUE(absl::Status(absl::StatusCode::kOk, "ignored").ok());
}

TEST(LeanStatusDeathTest, AnErrorHasNoValue) {
  const absl::StatusOr<int> none = absl::NotFoundError("nothing there");
  EXPECT_DEATH(EXPECT_EQ(*none, 1), "NOT_FOUND: nothing there");
  EXPECT_DEATH(static_cast<void>(absl::StatusOr<int>(absl::OkStatus())),
               "An OK status");
}

TEST(LeanStatusTest, StatusOrHasAValueOrAStatus) {
  absl::StatusOr<std::string> value = kLong;
  EXPECT_EQ(*value, kLong);
  value = absl::DataLossError("lost");
  EXPECT_EQ(value.status(), absl::DataLossError("lost"));
  const absl::StatusOr<std::string> copy = value;
  EXPECT_EQ(copy.status(), value.status());
}

}  // namespace
}  // namespace opcompat
