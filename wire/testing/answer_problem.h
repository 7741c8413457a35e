// What a reader may say to a file that somebody changed, for tests and fuzz
// targets alike.
#ifndef OPCOMPAT_WIRE_TESTING_ANSWER_PROBLEM_H_
#define OPCOMPAT_WIRE_TESTING_ANSWER_PROBLEM_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace opcompat {

// Empty if Decode(file) gives one of two answers, else what is wrong with it:
//   * an error of a code that malformed files have, with a message;
//   * a module that verifies, is written, and is read back equal, so that
//     nothing is hidden in the file. And what protobuf's generated code reads
//     in the file, written by it, is the same module: two readers of one file
//     do not disagree. (But for debug information, which may be garbage to us.)
std::string AnswerProblem(absl::string_view file);

// Empty if each question to `compiled`, as a compiled history, gets an answer,
// else what is wrong with one:
//   * opening it, one version, and all of it, gives what there is or an error
//     of a code that malformed files have;
//   * reading `files` with one of its versions gives something at all;
//   * what was loaded whole compiles and loads again as the same history.
std::string CompiledHistoryAnswerProblem(absl::string_view compiled,
                                         const std::vector<std::string>& files);

}  // namespace opcompat

#endif  // OPCOMPAT_WIRE_TESTING_ANSWER_PROBLEM_H_
