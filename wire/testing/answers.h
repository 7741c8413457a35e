// What a reader may say to a file that somebody changed.
#ifndef OPCOMPAT_WIRE_TESTING_ANSWERS_H_
#define OPCOMPAT_WIRE_TESTING_ANSWERS_H_

#include "absl/strings/string_view.h"

namespace opcompat {

// Expects that AnswerProblem(file) (answer_problem.h) is empty. `what` names
// the file in failures.
void ExpectAnswer(absl::string_view file, absl::string_view what);

}  // namespace opcompat

#endif  // OPCOMPAT_WIRE_TESTING_ANSWERS_H_
