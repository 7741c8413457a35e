#include "compat_matrix/testees/testee_program.h"

#include <algorithm>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "compat_matrix/testees/messages.h"
#include "serializer/compile_history.h"

namespace opcompat {
namespace {

absl::Status WrongKind(const testee::Answer& answer,
                       const testee::Request& request) {
  return absl::AbortedError(absl::StrCat("gave an answer of another kind (",
                                         answer.what_case(), " to request ",
                                         request.what_case(), ")"));
}

// Whether it can do what it is for, as far as it says.
absl::Status CheckAbility(const testee::HelloAnswer& answer,
                          const std::string& ability) {
  const auto& can = answer.abilities();
  if (ability.empty() || can.empty() ||
      std::find(can.begin(), can.end(), ability) != can.end()) {
    return absl::OkStatus();
  }
  return absl::UnimplementedError(
      absl::StrCat("it does not ", ability, "; what it says that it can do: ",
                   absl::Utf8SafeCEscape(absl::StrJoin(can, ", "))));
}

}  // namespace

absl::Status TesteeProgram::Start() {
  if (process_ != nullptr) return absl::OkStatus();
  if (!has_run_ && failed_starts_ >= kMaxStarts) {
    return absl::FailedPreconditionError(
        absl::StrCat("did not start in ", kMaxStarts, " attempts"));
  }
  absl::Status status = StartProcess();
  if (!status.ok()) {
    process_.reset();
    ++failed_starts_;
    return status;
  }
  has_run_ = true;
  return absl::OkStatus();
}

absl::Status TesteeProgram::StartProcess() {
  OPCOMPAT_ASSIGN_OR_RETURN(process_, PipeProcess::Start(options_.process));
  histories_sent_ = false;
  testee::Request request;
  request.mutable_hello()->set_protocol_version(kTesteeProtocolVersion);
  request.mutable_hello()->set_name("opcompat matrix");
  OPCOMPAT_ASSIGN_OR_RETURN(const testee::Answer answer, Exchange(&request));
  if (answer.what_case() != testee::Answer::kHello) {
    return WrongKind(answer, request);
  }
  if (answer.hello().protocol_version() != kTesteeProtocolVersion) {
    return absl::UnimplementedError(
        absl::StrCat("speaks version ", answer.hello().protocol_version(),
                     " of the testee protocol; version ",
                     kTesteeProtocolVersion, " is expected"));
  }
  return CheckAbility(answer.hello(), options_.ability);
}

void TesteeProgram::SetHistories(
    const std::vector<std::shared_ptr<const OpsetHistory>>& histories) {
  if (histories == histories_) return;
  histories_ = histories;
  histories_sent_ = false;
  histories_request_.reset();
}

absl::Status TesteeProgram::SendHistories() {
  if (histories_request_ == nullptr) {
    auto request = std::make_unique<testee::Request>();
    for (const std::shared_ptr<const OpsetHistory>& history : histories_) {
      testee::History* message =
          request->mutable_set_histories()->add_histories();
      message->set_name(history->name());
      absl::StatusOr<std::string> compiled = CompileHistory(*history);
      if (!compiled.ok()) {
        return absl::AbortedError(
            absl::StrCat("the history ", history->name(),
                         " cannot be sent: ", compiled.status().message()));
      }
      message->set_compiled(*std::move(compiled));
      if (options_.history_path) {
        message->set_path(options_.history_path(*history));
      }
    }
    // The same set of none is a request, too.
    request->mutable_set_histories();
    histories_request_ = std::move(request);
  }
  OPCOMPAT_ASSIGN_OR_RETURN(const testee::Answer answer,
                            Exchange(histories_request_.get()));
  if (answer.what_case() != testee::Answer::kDone) {
    return WrongKind(answer, *histories_request_);
  }
  histories_sent_ = true;
  return absl::OkStatus();
}

absl::StatusOr<testee::Answer> TesteeProgram::Ask(testee::Request request) {
  OPCOMPAT_RETURN_IF_ERROR(Start());
  if (!histories_sent_) OPCOMPAT_RETURN_IF_ERROR(SendHistories());
  return Exchange(&request);
}

absl::StatusOr<testee::Answer> TesteeProgram::Exchange(
    testee::Request* request) {
  request->set_id(++last_id_);
  std::string bytes;
  if (!request->SerializeToString(&bytes)) {
    return absl::AbortedError("a request is larger than a message may be");
  }
  absl::StatusOr<std::string> received =
      process_->Exchange(bytes, options_.timeout);
  if (!received.ok()) {
    process_.reset();
    return received.status();
  }
  absl::StatusOr<testee::Answer> answer =
      ParseAnswer(*received, bytes, request->id());
  if (!answer.ok()) {
    process_.reset();
    return answer;
  }
  OPCOMPAT_RETURN_IF_ERROR(ErrorOfAnswer(*answer));
  return answer;
}

}  // namespace opcompat
