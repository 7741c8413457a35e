#include "compat_matrix/testees/messages.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "compat_matrix/reason_codes.h"

namespace opcompat {

testee::Refused RefusedMessage(const std::vector<Reason>& reasons) {
  testee::Refused refused;
  for (const Reason& reason : reasons) {
    testee::Reason* message = refused.add_reasons();
    message->set_code(std::string(ReasonCodeName(reason.code)));
    message->set_function(reason.function);
    message->set_node(reason.node);
    message->set_location(reason.location);
    message->set_operator_(reason.op);
    message->set_argument(reason.argument);
    message->set_value(reason.value);
    message->set_calls(reason.calls);
    message->set_message(reason.message);
  }
  return refused;
}

absl::StatusOr<std::vector<Reason>> ReasonsOfMessage(
    const testee::Refused& refused) {
  if (refused.ByteSizeLong() > kMaxRefusedBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("refused with ", refused.ByteSizeLong(),
                     " bytes of reasons; at most ", kMaxRefusedBytes,
                     " are allowed"));
  }
  std::vector<Reason> reasons;
  for (const testee::Reason& message : refused.reasons()) {
    const absl::optional<ReasonCode> code = ReasonCodeOfName(message.code());
    if (!code.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("refused for a reason of unknown code \"",
                       absl::Utf8SafeCEscape(message.code()), "\""));
    }
    if (message.message().empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("refused (", message.code(), ") without a message"));
    }
    Reason reason;
    reason.code = *code;
    reason.function = message.function();
    reason.node = message.node();
    reason.location = message.location();
    reason.op = message.operator_();
    reason.argument = message.argument();
    reason.value = message.value();
    reason.calls = message.calls();
    reason.message = message.message();
    reasons.push_back(std::move(reason));
  }
  if (reasons.empty()) {
    return absl::InvalidArgumentError("refused without a reason");
  }
  return reasons;
}

absl::StatusOr<testee::Answer> ParseAnswer(absl::string_view received,
                                           absl::string_view request,
                                           uint64_t id) {
  // It would pass for an answer that says little.
  if (received == request) {
    return absl::AbortedError(
        "repeated the request instead of answering it: it does not speak the "
        "testee protocol");
  }
  testee::Answer answer;
  if (!answer.ParseFromArray(received.data(),
                             static_cast<int>(received.size()))) {
    return absl::AbortedError(
        absl::StrCat("answered ", received.size(),
                     " bytes that are no message opcompat.testee.Answer"));
  }
  if (answer.id() != id) {
    return absl::AbortedError(
        absl::StrCat("answered request ", answer.id(), "; asked was ", id));
  }
  return answer;
}

absl::Status ErrorOfAnswer(const testee::Answer& answer) {
  if (answer.what_case() == testee::Answer::kError) {
    return absl::AbortedError(
        absl::StrCat("error: ", absl::Utf8SafeCEscape(answer.error())));
  }
  if (answer.what_case() == testee::Answer::kUnsupported) {
    return absl::UnimplementedError(
        absl::StrCat("does not support this: ",
                     absl::Utf8SafeCEscape(answer.unsupported().message())));
  }
  return absl::OkStatus();
}

testee::LoadReport ReportMessage(const LoadReport& report) {
  testee::LoadReport message;
  for (const OperatorReport& op : report.operators) {
    testee::OperatorReport* of_operator = message.add_operators();
    of_operator->set_operator_(op.op);
    of_operator->set_calls(op.calls);
    of_operator->set_identical(op.identical);
    of_operator->set_filled(op.filled);
    of_operator->set_materialized(op.materialized);
    of_operator->set_dropped(op.dropped);
    of_operator->set_retired(op.retired);
    of_operator->set_renamed(op.renamed);
    of_operator->set_upgraded(op.upgraded);
  }
  for (const std::string& warning : report.warnings) {
    message.add_warnings(warning);
  }
  return message;
}

LoadReport ReportOfMessage(const testee::LoadReport& message) {
  LoadReport report;
  for (const testee::OperatorReport& of_operator : message.operators()) {
    OperatorReport op;
    op.op = of_operator.operator_();
    op.calls = of_operator.calls();
    op.identical = of_operator.identical();
    op.filled = of_operator.filled();
    op.materialized = of_operator.materialized();
    op.dropped = of_operator.dropped();
    op.retired = of_operator.retired();
    op.renamed = of_operator.renamed();
    op.upgraded = of_operator.upgraded();
    report.operators.push_back(std::move(op));
  }
  report.warnings.assign(message.warnings().begin(), message.warnings().end());
  return report;
}

void AddVersions(
    const Runtime& runtime,
    google::protobuf::RepeatedPtrField<testee::Version>* versions) {
  for (const Opset& opset : runtime.opsets()) {
    testee::Version* version = versions->Add();
    version->set_history(opset.name());
    version->set_id(opset.version());
  }
}

}  // namespace opcompat
