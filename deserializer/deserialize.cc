#include "deserializer/deserialize.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "binding/bind_module.h"
#include "binding/report.h"
#include "deserializer/decode.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

ReasonCode CodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kResourceExhausted:
      return ReasonCode::kLimit;
    case absl::StatusCode::kUnimplemented:
      return status.GetPayload(kWireVersionPayload).has_value()
                 ? ReasonCode::kWireVersion
                 : ReasonCode::kUnknownFeature;
    default:
      return ReasonCode::kMalformed;
  }
}

}  // namespace

absl::StatusOr<Loaded> Deserialize(absl::string_view bytes,
                                   const Runtime& reader,
                                   const DeserializeOptions& options,
                                   std::vector<Reason>* reasons) {
  absl::StatusOr<Module> written = Decode(bytes, options);
  if (!written.ok()) {
    if (reasons != nullptr) {
      Reason reason;
      reason.code = CodeOf(written.status());
      reason.message = std::string(written.status().message());
      reasons->push_back(std::move(reason));
    }
    return written.status();
  }
  BindOptions bind_options;
  bind_options.keep_unknown_operators = options.keep_unknown_operators;
  BindResult bound = BindModule(*std::move(written), reader, bind_options);
  if (!bound.accepted()) {
    absl::Status status = bound.status();
    if (reasons != nullptr) *reasons = std::move(bound.reasons);
    return status;
  }
  return Loaded{std::move(bound.module), std::move(bound.report)};
}

}  // namespace opcompat
