// How a fuzz target says that a property does not hold: the process ends, so
// that the engine keeps the input.
#ifndef OPCOMPAT_FUZZ_CHECK_H_
#define OPCOMPAT_FUZZ_CHECK_H_

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace opcompat {

// Prints `what` and ends the process.
[[noreturn]] void Fail(absl::string_view what);

// Fails, with `problem` behind `what`, unless `problem` is empty.
void ExpectNone(absl::string_view problem, absl::string_view what);

// Fails if `status` is an error.
void ExpectOk(const absl::Status& status, absl::string_view what);

// Fails unless an error is one that malformed input has (InvalidArgument,
// Unimplemented, ResourceExhausted) or that a refusal has (NotFound,
// FailedPrecondition), with a message. OK passes.
void ExpectAnswerCode(const absl::Status& status, absl::string_view what);

// The value, or the process ends.
template <typename T>
T ValueOf(absl::StatusOr<T> value, absl::string_view what) {
  ExpectOk(value.status(), what);
  return *std::move(value);
}

// A number that the bytes of an input determine: what a target chooses among
// options by, so that an input is a case whole.
uint64_t ChoiceOf(absl::string_view input);

}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_CHECK_H_
