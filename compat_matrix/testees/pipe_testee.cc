#include "compat_matrix/testees/pipe_testee.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "binding/report.h"
#include "compat_matrix/testees/messages.h"
#include "compat_matrix/testees/testee.pb.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"

namespace opcompat {

TesteeAnswer TesteeAnswerOf(const absl::StatusOr<testee::Answer>& answer,
                            const Runtime& reader) {
  TesteeAnswer result;
  if (!answer.ok()) {
    result.crash = std::string(answer.status().message());
    result.hung = absl::IsDeadlineExceeded(answer.status());
  } else if (answer->what_case() == testee::Answer::kRefused) {
    absl::StatusOr<std::vector<Reason>> reasons =
        ReasonsOfMessage(answer->refused());
    if (reasons.ok()) {
      result.reasons = *std::move(reasons);
    } else {
      result.crash = std::string(reasons.status().message());
    }
  } else if (answer->what_case() == testee::Answer::kAccepted) {
    absl::StatusOr<Module> module =
        ParseModule(answer->accepted().module(), reader);
    if (module.ok()) {
      result.module = *std::move(module);
      result.report = ReportOfMessage(answer->accepted().report());
    } else {
      result.crash =
          absl::StrCat("accepted a file as a module that is not valid: ",
                       module.status().message());
    }
  } else {
    result.crash =
        "gave an answer of another kind: neither accepted nor refused";
  }
  return result;
}

TesteeAnswer PipeTestee::Read(absl::string_view bytes, const Runtime& reader) {
  testee::Request request;
  request.mutable_read()->set_file(std::string(bytes));
  AddVersions(reader, request.mutable_read()->mutable_reader());
  return TesteeAnswerOf(program_.Ask(std::move(request)), reader);
}

}  // namespace opcompat
