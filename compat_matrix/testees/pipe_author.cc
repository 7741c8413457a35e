#include "compat_matrix/testees/pipe_author.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "binding/report.h"
#include "compat_matrix/testees/messages.h"
#include "compat_matrix/testees/testee.pb.h"
#include "ir/text/module_printer.h"

namespace opcompat {

AuthorAnswer AuthorAnswerOf(absl::StatusOr<testee::Answer> answer,
                            bool for_target) {
  AuthorAnswer result;
  if (!answer.ok()) {
    result.crash = std::string(answer.status().message());
    result.hung = absl::IsDeadlineExceeded(answer.status());
  } else if (answer->what_case() == testee::Answer::kWritten) {
    result.file = std::move(*answer->mutable_written()->mutable_file());
  } else if (answer->what_case() == testee::Answer::kRefused && for_target) {
    absl::StatusOr<std::vector<Reason>> reasons =
        ReasonsOfMessage(answer->refused());
    if (reasons.ok()) {
      result.reasons = *std::move(reasons);
    } else {
      result.crash = std::string(reasons.status().message());
    }
  } else {
    result.crash = "gave an answer of another kind: neither a file nor reasons";
  }
  return result;
}

AuthorAnswer PipeAuthor::Write(const Module& module, const Runtime& writer,
                               const Runtime* target) {
  testee::Request request;
  request.mutable_write()->set_module(PrintModule(module));
  AddVersions(writer, request.mutable_write()->mutable_writer());
  if (target != nullptr) {
    AddVersions(*target, request.mutable_write()->mutable_target());
  }
  return AuthorAnswerOf(program_.Ask(std::move(request)), target != nullptr);
}

}  // namespace opcompat
