// Tests of the status matchers: what they match and how they explain it.
#include "base/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace opcompat {
namespace {

using ::testing::_;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Matcher;
using ::testing::Not;
using ::testing::Pointee;
using ::testing::StringMatchResultListener;

template <typename T, typename M>
std::string Explain(const T& value, const M& matcher) {
  StringMatchResultListener listener;
  Matcher<const T&>(matcher).MatchAndExplain(value, &listener);
  return listener.str();
}

template <typename T, typename M>
std::string Describe(const M& matcher) {
  return ::testing::DescribeMatcher<T>(matcher);
}

template <typename T, typename M>
std::string DescribeNegation(const M& matcher) {
  return ::testing::DescribeMatcher<T>(matcher, /*negation=*/true);
}

const absl::Status kGone = absl::NotFoundError("it is gone");

TEST(IsOkTest, Matches) {
  EXPECT_THAT(absl::OkStatus(), IsOk());
  EXPECT_THAT(absl::StatusOr<int>(1), IsOk());
  EXPECT_THAT(absl::StatusOr<std::unique_ptr<int>>(nullptr), IsOk());
  EXPECT_THAT(kGone, Not(IsOk()));
  EXPECT_THAT(absl::StatusOr<int>(kGone), Not(IsOk()));
}

TEST(IsOkTest, Explains) {
  EXPECT_EQ(Explain(kGone, IsOk()), "whose status is NOT_FOUND: it is gone");
}

TEST(IsOkTest, Describes) {
  EXPECT_EQ(Describe<absl::Status>(IsOk()), "is OK");
  EXPECT_EQ(DescribeNegation<absl::Status>(IsOk()), "is not OK");
}

TEST(IsOkAndHoldsTest, Matches) {
  EXPECT_THAT(absl::StatusOr<int>(7), IsOkAndHolds(7));
  EXPECT_THAT(absl::StatusOr<int>(7), IsOkAndHolds(Gt(6)));
  EXPECT_THAT(absl::StatusOr<std::string>("abc"), IsOkAndHolds("abc"));
  EXPECT_THAT(absl::StatusOr<std::string>("abc"), IsOkAndHolds(HasSubstr("b")));
  EXPECT_THAT((absl::StatusOr<std::vector<int>>({1, 2})),
              IsOkAndHolds(ElementsAre(1, _)));
  EXPECT_THAT(absl::StatusOr<std::unique_ptr<int>>(std::make_unique<int>(1)),
              IsOkAndHolds(Pointee(1)));
  EXPECT_THAT(absl::StatusOr<int>(7), Not(IsOkAndHolds(8)));
  EXPECT_THAT(absl::StatusOr<int>(kGone), Not(IsOkAndHolds(_)));
}

TEST(IsOkAndHoldsTest, Explains) {
  EXPECT_EQ(Explain(absl::StatusOr<int>(7), IsOkAndHolds(8)), "which holds 7");
  EXPECT_EQ(Explain(absl::StatusOr<int>(kGone), IsOkAndHolds(8)),
            "whose status is NOT_FOUND: it is gone");
}

TEST(IsOkAndHoldsTest, Describes) {
  EXPECT_EQ(Describe<absl::StatusOr<int>>(IsOkAndHolds(8)),
            "is OK and holds a value that is equal to 8");
  EXPECT_EQ(DescribeNegation<absl::StatusOr<int>>(IsOkAndHolds(8)),
            "is not OK or holds a value that isn't equal to 8");
}

TEST(StatusIsTest, MatchesCode) {
  EXPECT_THAT(kGone, StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(absl::StatusOr<int>(kGone),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(absl::OkStatus(), StatusIs(absl::StatusCode::kOk));
  EXPECT_THAT(kGone, StatusIs(AnyOf(absl::StatusCode::kNotFound,
                                    absl::StatusCode::kAborted)));
  EXPECT_THAT(kGone, Not(StatusIs(absl::StatusCode::kAborted)));
}

TEST(StatusIsTest, MatchesMessage) {
  EXPECT_THAT(kGone, StatusIs(absl::StatusCode::kNotFound, "it is gone"));
  EXPECT_THAT(kGone, StatusIs(_, HasSubstr("gone")));
  EXPECT_THAT(kGone, Not(StatusIs(absl::StatusCode::kNotFound, "it is")));
  EXPECT_THAT(kGone, Not(StatusIs(absl::StatusCode::kAborted, "it is gone")));
}

TEST(StatusIsTest, Explains) {
  EXPECT_EQ(Explain(kGone, StatusIs(absl::StatusCode::kAborted)),
            "whose status is NOT_FOUND: it is gone");
}

TEST(StatusIsTest, Describes) {
  const auto matcher = StatusIs(absl::StatusCode::kAborted, "a");
  EXPECT_EQ(Describe<absl::Status>(matcher),
            "has a status code that is equal to ABORTED, and has a message "
            "that is equal to \"a\"");
  EXPECT_EQ(DescribeNegation<absl::Status>(matcher),
            "has a status code that isn't equal to ABORTED, or has a message "
            "that isn't equal to \"a\"");
}

}  // namespace
}  // namespace opcompat
