#include "compat_matrix/testees/testee_service.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "compat_matrix/testees/author.h"
#include "compat_matrix/testees/messages.h"
#include "compat_matrix/testees/testee.h"
#include "deserializer/compiled_history.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"

namespace opcompat {

testee::Answer TesteeService::Serve(const testee::Request& request) {
  testee::Answer answer;
  absl::Status status = absl::UnimplementedError(
      "this kind of request; a newer program may know it");
  switch (request.what_case()) {
    case testee::Request::kHello:
      status = Hello(request.hello(), &answer);
      break;
    case testee::Request::kSetHistories:
      status = SetHistories(request.set_histories(), &answer);
      break;
    case testee::Request::kRead:
      status = Read(request.read(), &answer);
      break;
    case testee::Request::kWrite:
      status = Write(request.write(), &answer);
      break;
    case testee::Request::WHAT_NOT_SET:
      break;
  }
  if (absl::IsUnimplemented(status)) {
    answer.mutable_unsupported()->set_message(std::string(status.message()));
  } else if (!status.ok()) {
    answer.set_error(status.ToString());
  }
  answer.set_id(request.id());
  return answer;
}

absl::Status TesteeService::Hello(const testee::Hello& hello,
                                  testee::Answer* answer) {
  if (hello.protocol_version() != kTesteeProtocolVersion) {
    return absl::UnimplementedError(
        absl::StrCat("version ", hello.protocol_version(),
                     " of the testee protocol; this program speaks version ",
                     kTesteeProtocolVersion));
  }
  if (hello.required_features_size() > 0) {
    return absl::UnimplementedError(
        absl::StrCat("feature \"", hello.required_features(0), "\""));
  }
  answer->mutable_hello()->set_protocol_version(kTesteeProtocolVersion);
  answer->mutable_hello()->set_name(name_);
  answer->mutable_hello()->add_abilities("read");
  answer->mutable_hello()->add_abilities("write");
  return absl::OkStatus();
}

absl::Status TesteeService::SetHistories(const testee::SetHistories& request,
                                         testee::Answer* answer) {
  histories_.clear();
  for (const testee::History& history : request.histories()) {
    const auto bytes = std::make_shared<const std::string>(history.compiled());
    OPCOMPAT_ASSIGN_OR_RETURN(const CompiledHistory compiled,
                              CompiledHistory::Open(*bytes, bytes));
    OPCOMPAT_ASSIGN_OR_RETURN(std::shared_ptr<const OpsetHistory> loaded,
                              compiled.LoadAll());
    histories_.push_back(std::move(loaded));
  }
  answer->mutable_done();
  return absl::OkStatus();
}

absl::Status TesteeService::Read(const testee::Read& request,
                                 testee::Answer* answer) {
  OPCOMPAT_ASSIGN_OR_RETURN(const Runtime reader, RuntimeOf(request.reader()));
  const TesteeAnswer read = InProcessTestee().Read(request.file(), reader);
  if (!read.crash.empty()) return absl::InternalError(read.crash);
  if (read.module.has_value()) {
    answer->mutable_accepted()->set_module(PrintModule(*read.module));
    *answer->mutable_accepted()->mutable_report() = ReportMessage(read.report);
  } else {
    *answer->mutable_refused() = RefusedMessage(read.reasons);
  }
  return absl::OkStatus();
}

absl::Status TesteeService::Write(const testee::Write& request,
                                  testee::Answer* answer) {
  OPCOMPAT_ASSIGN_OR_RETURN(const Runtime writer, RuntimeOf(request.writer()));
  OPCOMPAT_ASSIGN_OR_RETURN(const Module module,
                            ParseModule(request.module(), writer));
  Runtime target;
  if (request.target_size() > 0) {
    OPCOMPAT_ASSIGN_OR_RETURN(target, RuntimeOf(request.target()));
  }
  AuthorAnswer written = InProcessAuthor().Write(
      module, writer, request.target_size() > 0 ? &target : nullptr);
  if (!written.crash.empty()) return absl::InternalError(written.crash);
  if (written.file.has_value()) {
    answer->mutable_written()->set_file(*std::move(written.file));
  } else {
    *answer->mutable_refused() = RefusedMessage(written.reasons);
  }
  return absl::OkStatus();
}

absl::StatusOr<Runtime> TesteeService::RuntimeOf(
    const google::protobuf::RepeatedPtrField<testee::Version>& versions) const {
  std::vector<Opset> opsets;
  for (const testee::Version& version : versions) {
    const auto history =
        std::find_if(histories_.begin(), histories_.end(),
                     [&](const std::shared_ptr<const OpsetHistory>& h) {
                       return h->name() == version.history();
                     });
    if (history == histories_.end()) {
      return absl::NotFoundError(
          absl::StrCat("no history ", version.history(), " was told"));
    }
    OPCOMPAT_ASSIGN_OR_RETURN(Opset opset, (*history)->At(version.id()));
    opsets.push_back(std::move(opset));
  }
  return Runtime::Create(std::move(opsets));
}

}  // namespace opcompat
