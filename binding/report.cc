#include "binding/report.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/concat.h"

namespace opcompat {

absl::string_view ReasonCodeName(ReasonCode code) {
  switch (code) {
    case ReasonCode::kUnknownOperator:
      return "unknown_operator";
    case ReasonCode::kUnknownArgument:
      return "unknown_argument";
    case ReasonCode::kNoNeutralValue:
      return "no_neutral_value";
    case ReasonCode::kRetiredArgument:
      return "retired_argument";
    case ReasonCode::kValueDoesNotFit:
      return "value_does_not_fit";
    case ReasonCode::kTypeMismatch:
      return "type_mismatch";
    case ReasonCode::kMissingResult:
      return "missing_result";
    case ReasonCode::kAliasChanged:
      return "alias_changed";
    case ReasonCode::kNewerRevision:
      return "newer_revision";
    case ReasonCode::kNoUpgrader:
      return "no_upgrader";
    case ReasonCode::kNoDowngrader:
      return "no_downgrader";
    case ReasonCode::kOtherHistory:
      return "other_history";
    case ReasonCode::kUnknownFeature:
      return "unknown_feature";
    case ReasonCode::kWireVersion:
      return "wire_version";
    case ReasonCode::kLimit:
      return "limit";
    case ReasonCode::kMalformed:
      return "malformed";
  }
  return "malformed";
}

namespace {

absl::StatusCode StatusCodeOf(ReasonCode code) {
  switch (code) {
    case ReasonCode::kLimit:
      return absl::StatusCode::kResourceExhausted;
    case ReasonCode::kMalformed:
      return absl::StatusCode::kInvalidArgument;
    case ReasonCode::kNewerRevision:
    case ReasonCode::kUnknownFeature:
    case ReasonCode::kWireVersion:
      return absl::StatusCode::kUnimplemented;
    case ReasonCode::kUnknownOperator:
      return absl::StatusCode::kNotFound;
    default:
      return absl::StatusCode::kFailedPrecondition;
  }
}

}  // namespace

absl::Status RefusalStatus(const std::vector<Reason>& reasons) {
  if (reasons.empty()) return absl::OkStatus();
  absl::StatusCode code = absl::StatusCode::kFailedPrecondition;
  bool found = false;
  for (const absl::StatusCode candidate :
       {absl::StatusCode::kResourceExhausted,
        absl::StatusCode::kInvalidArgument, absl::StatusCode::kUnimplemented,
        absl::StatusCode::kNotFound}) {
    for (const Reason& reason : reasons) {
      if (!found && StatusCodeOf(reason.code) == candidate) {
        code = candidate;
        found = true;
      }
    }
  }
  std::string message;
  for (const Reason& reason : reasons) {
    ConcatTo(&message, message.empty() ? "" : "\n", reason.message);
  }
  return absl::Status(code, message);
}

}  // namespace opcompat
