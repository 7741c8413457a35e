#include "wire/testing/answers.h"

#include <gtest/gtest.h>

#include "wire/testing/answer_problem.h"

namespace opcompat {

void ExpectAnswer(absl::string_view file, absl::string_view what) {
  EXPECT_EQ(AnswerProblem(file), "") << what;
}

}  // namespace opcompat
