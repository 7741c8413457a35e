// Tests of the status macros: what is returned, and how often it is computed.
#include "base/status_macros.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "base/status_matchers.h"

namespace opcompat {
namespace {

using ::testing::Pointee;

absl::Status Fail() { return absl::NotFoundError("gone"); }

// Counts its calls and returns `status`.
absl::Status Count(int& calls, absl::Status status) {
  ++calls;
  return status;
}

template <typename K, typename V>
absl::StatusOr<std::map<K, V>> MakeMap(K key, V value) {
  return std::map<K, V>{{key, value}};
}

TEST(ReturnIfErrorTest, GoesOnWhenOk) {
  int calls = 0;
  auto run = [&]() -> absl::Status {
    OPCOMPAT_RETURN_IF_ERROR(Count(calls, absl::OkStatus()));
    OPCOMPAT_RETURN_IF_ERROR(Count(calls, absl::OkStatus()));
    return absl::AbortedError("end");
  };
  EXPECT_EQ(run(), absl::AbortedError("end"));
  EXPECT_EQ(calls, 2);
}

TEST(ReturnIfErrorTest, ReturnsFirstErrorOnce) {
  int calls = 0;
  auto run = [&]() -> absl::Status {
    OPCOMPAT_RETURN_IF_ERROR(Count(calls, Fail()));
    OPCOMPAT_RETURN_IF_ERROR(Count(calls, absl::AbortedError("later")));
    return absl::OkStatus();
  };
  EXPECT_EQ(run(), Fail());
  EXPECT_EQ(calls, 1);
}

TEST(ReturnIfErrorTest, ConvertsToStatusOr) {
  auto run = []() -> absl::StatusOr<int> {
    OPCOMPAT_RETURN_IF_ERROR(Fail());
    return 1;
  };
  EXPECT_EQ(run().status(), Fail());
}

TEST(ReturnIfErrorTest, IsOneStatement) {
  auto run = [](bool fail) -> absl::Status {
    if (fail)
      OPCOMPAT_RETURN_IF_ERROR(Fail());
    else
      return absl::AbortedError("else");
    return absl::OkStatus();
  };
  EXPECT_EQ(run(true), Fail());
  EXPECT_EQ(run(false), absl::AbortedError("else"));
}

TEST(ReturnIfErrorTest, KeepsPayload) {
  auto run = []() -> absl::Status {
    absl::Status status = Fail();
    status.SetPayload("url", absl::Cord("payload"));
    OPCOMPAT_RETURN_IF_ERROR(status);
    return absl::OkStatus();
  };
  EXPECT_EQ(run().GetPayload("url"), absl::Cord("payload"));
}

TEST(AssignOrReturnTest, DeclaresAndAssigns) {
  auto run = []() -> absl::StatusOr<int> {
    OPCOMPAT_ASSIGN_OR_RETURN(const int a, absl::StatusOr<int>(1));
    int b = 0;
    OPCOMPAT_ASSIGN_OR_RETURN(b, absl::StatusOr<int>(20));
    return a + b;
  };
  EXPECT_THAT(run(), IsOkAndHolds(21));
}

TEST(AssignOrReturnTest, ReturnsError) {
  auto run = [](absl::StatusOr<int> input) -> absl::Status {
    int value = 5;
    OPCOMPAT_ASSIGN_OR_RETURN(value, input);
    ADD_FAILURE() << value;
    return absl::OkStatus();
  };
  EXPECT_EQ(run(Fail()), Fail());
}

TEST(AssignOrReturnTest, MovesTheValue) {
  auto run = []() -> absl::StatusOr<std::unique_ptr<int>> {
    OPCOMPAT_ASSIGN_OR_RETURN(
        std::unique_ptr<int> value,
        absl::StatusOr<std::unique_ptr<int>>(std::make_unique<int>(7)));
    return value;
  };
  EXPECT_THAT(run(), IsOkAndHolds(Pointee(7)));
}

TEST(AssignOrReturnTest, TakesCommasInTheExpression) {
  auto run = []() -> absl::StatusOr<int> {
    OPCOMPAT_ASSIGN_OR_RETURN(const auto map, MakeMap<int, int>(1, 2));
    return map.at(1);
  };
  EXPECT_THAT(run(), IsOkAndHolds(2));
}

}  // namespace
}  // namespace opcompat
