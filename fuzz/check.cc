#include "fuzz/check.h"

#include <xxhash.h>

#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"

namespace opcompat {

void Fail(absl::string_view what) {
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()),
               what.data());
  std::abort();
}

void ExpectNone(absl::string_view problem, absl::string_view what) {
  if (!problem.empty()) Fail(absl::StrCat(what, ": ", problem));
}

void ExpectOk(const absl::Status& status, absl::string_view what) {
  if (!status.ok()) Fail(absl::StrCat(what, ": ", status.ToString()));
}

void ExpectAnswerCode(const absl::Status& status, absl::string_view what) {
  if (status.ok()) return;
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kUnimplemented:
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kFailedPrecondition:
      break;
    default:
      Fail(absl::StrCat(
          what, ": an error of a code that no input has: ", status.ToString()));
  }
  if (status.message().empty()) {
    Fail(absl::StrCat(what, ": an error without a message"));
  }
}

uint64_t ChoiceOf(absl::string_view input) {
  return XXH3_64bits(input.data(), input.size());
}

}  // namespace opcompat
