// GoogleMock matchers for absl::Status and absl::StatusOr.
//
//   EXPECT_THAT(Verify(module), IsOk());
//   EXPECT_THAT(ParseInt("7"), IsOkAndHolds(7));
//   EXPECT_THAT(ParseInt("x"),
//               StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("x")));
#ifndef OPCOMPAT_BASE_STATUS_MATCHERS_H_
#define OPCOMPAT_BASE_STATUS_MATCHERS_H_

#include <gmock/gmock.h>

#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace opcompat {
namespace status_matchers_internal {

inline const absl::Status& GetStatus(const absl::Status& status) {
  return status;
}

template <typename T>
const absl::Status& GetStatus(const absl::StatusOr<T>& status_or) {
  return status_or.status();
}

// Matches the status in a `StatusType`: absl::Status, absl::StatusOr<T>, or a
// reference to one.
template <typename StatusType>
class StatusIsMatcherImpl final
    : public ::testing::MatcherInterface<StatusType> {
 public:
  StatusIsMatcherImpl(::testing::Matcher<absl::StatusCode> code,
                      ::testing::Matcher<const std::string&> message)
      : code_(std::move(code)), message_(std::move(message)) {}

  void DescribeTo(std::ostream* os) const override {
    *os << "has a status code that ";
    code_.DescribeTo(os);
    *os << ", and has a message that ";
    message_.DescribeTo(os);
  }

  void DescribeNegationTo(std::ostream* os) const override {
    *os << "has a status code that ";
    code_.DescribeNegationTo(os);
    *os << ", or has a message that ";
    message_.DescribeNegationTo(os);
  }

  bool MatchAndExplain(
      StatusType value,
      ::testing::MatchResultListener* listener) const override {
    const absl::Status& status = GetStatus(value);
    *listener << "whose status is " << status;
    return code_.Matches(status.code()) &&
           message_.Matches(std::string(status.message()));
  }

 private:
  const ::testing::Matcher<absl::StatusCode> code_;
  const ::testing::Matcher<const std::string&> message_;
};

// Becomes a matcher of whatever type it is used on.
class StatusIsMatcher {
 public:
  StatusIsMatcher(::testing::Matcher<absl::StatusCode> code,
                  ::testing::Matcher<const std::string&> message)
      : code_(std::move(code)), message_(std::move(message)) {}

  template <typename StatusType>
  operator ::testing::Matcher<StatusType>() const {  // NOLINT
    return ::testing::Matcher<StatusType>(
        new StatusIsMatcherImpl<const StatusType&>(code_, message_));
  }

 private:
  const ::testing::Matcher<absl::StatusCode> code_;
  const ::testing::Matcher<const std::string&> message_;
};

// Matches an OK `StatusType` of any kind.
class IsOkMatcher {
 public:
  using is_gtest_matcher = void;

  void DescribeTo(std::ostream* os) const { *os << "is OK"; }
  void DescribeNegationTo(std::ostream* os) const { *os << "is not OK"; }

  template <typename StatusType>
  bool MatchAndExplain(const StatusType& value,
                       ::testing::MatchResultListener* listener) const {
    const absl::Status& status = GetStatus(value);
    if (!status.ok()) *listener << "whose status is " << status;
    return status.ok();
  }
};

// Matches the value in a `StatusOrType`: absl::StatusOr<T> or a reference to
// one.
template <typename StatusOrType>
class IsOkAndHoldsMatcherImpl final
    : public ::testing::MatcherInterface<StatusOrType> {
 public:
  using Value = typename std::decay_t<StatusOrType>::value_type;

  template <typename Inner>
  explicit IsOkAndHoldsMatcherImpl(const Inner& inner)
      : inner_(::testing::SafeMatcherCast<const Value&>(inner)) {}

  void DescribeTo(std::ostream* os) const override {
    *os << "is OK and holds a value that ";
    inner_.DescribeTo(os);
  }

  void DescribeNegationTo(std::ostream* os) const override {
    *os << "is not OK or holds a value that ";
    inner_.DescribeNegationTo(os);
  }

  bool MatchAndExplain(
      StatusOrType value,
      ::testing::MatchResultListener* listener) const override {
    if (!value.ok()) {
      *listener << "whose status is " << value.status();
      return false;
    }
    ::testing::StringMatchResultListener why;
    const bool matches = inner_.MatchAndExplain(*value, &why);
    *listener << "which holds " << ::testing::PrintToString(*value);
    if (!why.str().empty()) *listener << ", " << why.str();
    return matches;
  }

 private:
  const ::testing::Matcher<const Value&> inner_;
};

// Becomes a matcher of whatever absl::StatusOr it is used on.
template <typename Inner>
class IsOkAndHoldsMatcher {
 public:
  explicit IsOkAndHoldsMatcher(Inner inner) : inner_(std::move(inner)) {}

  template <typename StatusOrType>
  operator ::testing::Matcher<StatusOrType>() const {  // NOLINT
    return ::testing::Matcher<StatusOrType>(
        new IsOkAndHoldsMatcherImpl<const StatusOrType&>(inner_));
  }

 private:
  const Inner inner_;
};

}  // namespace status_matchers_internal

// Matches an OK absl::Status or absl::StatusOr.
inline status_matchers_internal::IsOkMatcher IsOk() { return {}; }

// Matches an OK absl::StatusOr whose value matches `inner`, which is a matcher
// or a value to be equal to.
template <typename Inner>
status_matchers_internal::IsOkAndHoldsMatcher<std::decay_t<Inner>> IsOkAndHolds(
    Inner&& inner) {
  return status_matchers_internal::IsOkAndHoldsMatcher<std::decay_t<Inner>>(
      std::forward<Inner>(inner));
}

// Matches an absl::Status or absl::StatusOr by code and message; either may be
// a matcher or a value to be equal to.
template <typename Code, typename Message>
status_matchers_internal::StatusIsMatcher StatusIs(Code&& code,
                                                   Message&& message) {
  return status_matchers_internal::StatusIsMatcher(
      ::testing::MatcherCast<absl::StatusCode>(std::forward<Code>(code)),
      ::testing::MatcherCast<const std::string&>(
          std::forward<Message>(message)));
}

template <typename Code>
status_matchers_internal::StatusIsMatcher StatusIs(Code&& code) {
  return StatusIs(std::forward<Code>(code), ::testing::_);
}

}  // namespace opcompat

#endif  // OPCOMPAT_BASE_STATUS_MATCHERS_H_
