// What a reader may say to a file that somebody changed.
#ifndef OPCOMPAT_WIRE_TESTING_ANSWERS_H_
#define OPCOMPAT_WIRE_TESTING_ANSWERS_H_

#include "absl/strings/string_view.h"

namespace opcompat {

// Expects of Decode(file) one of two answers:
//   * an error of a code that malformed files have, with a message;
//   * a module that verifies, is written, and is read back equal, so that
//     nothing is hidden in the file. And what protobuf's generated code reads
//     in the file, written by it, is the same module: two readers of one file
//     do not disagree. (But for debug information, which may be garbage to us.)
// `what` names the file in failures.
void ExpectAnswer(absl::string_view file, absl::string_view what);

}  // namespace opcompat

#endif  // OPCOMPAT_WIRE_TESTING_ANSWERS_H_
