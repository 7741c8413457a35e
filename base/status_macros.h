// Macros that pass an error on to the caller.
#ifndef OPCOMPAT_BASE_STATUS_MACROS_H_
#define OPCOMPAT_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Evaluates an expression of type absl::Status once and, unless it is OK,
// returns it. The enclosing function returns absl::Status or absl::StatusOr.
//
//   OPCOMPAT_RETURN_IF_ERROR(Verify(module));
#define OPCOMPAT_RETURN_IF_ERROR(...)                        \
  do {                                                       \
    ::absl::Status opcompat_status_macros_s = (__VA_ARGS__); \
    if (!opcompat_status_macros_s.ok()) {                    \
      return opcompat_status_macros_s;                       \
    }                                                        \
  } while (false)

// Evaluates an expression of type absl::StatusOr<T> once; returns its status
// if that is an error, else moves its value to `lhs`, which may declare a
// variable. Expands to several statements, so it needs braces around it after
// `if`. A comma in `lhs` (other than in parentheses) is not supported.
//
//   OPCOMPAT_ASSIGN_OR_RETURN(const Module module, ParseModule(text));
#define OPCOMPAT_ASSIGN_OR_RETURN(lhs, ...)                               \
  OPCOMPAT_STATUS_MACROS_ASSIGN_(                                         \
      OPCOMPAT_STATUS_MACROS_CONCAT_(opcompat_status_or_, __LINE__), lhs, \
      __VA_ARGS__)

// Implementation.
#define OPCOMPAT_STATUS_MACROS_ASSIGN_(status_or, lhs, ...)  \
  auto status_or = (__VA_ARGS__);                            \
  if (!status_or.ok()) return std::move(status_or).status(); \
  lhs = *std::move(status_or)
#define OPCOMPAT_STATUS_MACROS_CONCAT_(a, b) OPCOMPAT_STATUS_MACROS_PASTE_(a, b)
#define OPCOMPAT_STATUS_MACROS_PASTE_(a, b) a##b

#endif  // OPCOMPAT_BASE_STATUS_MACROS_H_
