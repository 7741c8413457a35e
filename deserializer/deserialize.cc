#include "deserializer/deserialize.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "binding/bind_module.h"
#include "binding/form_binder.h"
#include "binding/report.h"
#include "deserializer/decode_options.h"
#include "deserializer/file_fields.h"
#include "deserializer/function_reader.h"
#include "deserializer/module_reader.h"
#include "ir/module.h"
#include "ir/surely_canonical.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

ReasonCode CodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kResourceExhausted:
      return ReasonCode::kLimit;
    case absl::StatusCode::kUnimplemented:
      return decoding::RefusesWireVersion(status) ? ReasonCode::kWireVersion
                                                  : ReasonCode::kUnknownFeature;
    default:
      return ReasonCode::kMalformed;
  }
}

// The module with its calls bound as they were read; nullopt: that cannot be
// done, or not all is right.
absl::optional<Loaded> ReadBound(const decoding::FileTables& read,
                                 const DecodeOptions& options,
                                 const Runtime& reader,
                                 const BindOptions& bind_options) {
  const FormBinder binder(reader, bind_options, read.entries, read.header);
  if (!binder.may_bind()) return absl::nullopt;
  decoding::FunctionFindings findings;
  absl::StatusOr<Module> module =
      decoding::ReadModule(read, options.limits, &binder, &findings);
  // Else constants may have to move before calls are bound.
  if (!module.ok() || !IsSurelyCanonical(*module)) return absl::nullopt;
  binder.SetOpsets(&*module);
  std::vector<FormBinder::FormCalls> calls;
  for (size_t f = 0; f < read.forms.size(); ++f) {
    if (findings.calls[f] == 0 || read.forms[f].intrinsic != Intrinsic::kNone) {
      continue;
    }
    calls.push_back(
        {read.forms[f].entry, findings.calls[f],
         findings.notes[f].has_value() ? &*findings.notes[f] : nullptr});
  }
  return Loaded{*std::move(module), binder.Report(calls)};
}

}  // namespace

absl::StatusOr<Loaded> Deserialize(absl::string_view bytes,
                                   const Runtime& reader,
                                   const DeserializeOptions& options,
                                   std::vector<Reason>* reasons) {
  BindOptions bind_options;
  bind_options.keep_unknown_operators = options.keep_unknown_operators;
  const auto malformed = [&](const absl::Status& status) {
    if (reasons != nullptr) {
      Reason reason;
      reason.code = CodeOf(status);
      reason.message = std::string(status.message());
      reasons->push_back(std::move(reason));
    }
    return status;
  };
  const absl::StatusOr<decoding::FileTables> read =
      decoding::ReadFileTables(bytes, options, &reader);
  if (!read.ok()) return malformed(read.status());
  const auto done = [&] {
    if (options.progress) options.progress(bytes.size(), bytes.size());
  };
  if (absl::optional<Loaded> loaded =
          ReadBound(*read, options, reader, bind_options);
      loaded.has_value()) {
    done();
    return *std::move(loaded);
  }
  decoding::FunctionFindings findings;
  absl::StatusOr<Module> written =
      decoding::ReadModule(*read, options.limits, nullptr, &findings);
  if (!written.ok()) return malformed(written.status());
  done();
  bind_options.doubtful = &findings.doubtful;
  BindResult bound = BindModule(*std::move(written), reader, bind_options);
  if (!bound.accepted()) {
    absl::Status status = bound.status();
    if (reasons != nullptr) *reasons = std::move(bound.reasons);
    return status;
  }
  return Loaded{std::move(bound.module), std::move(bound.report)};
}

}  // namespace opcompat
