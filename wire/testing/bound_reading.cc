#include "wire/testing/bound_reading.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "binding/bind_module.h"
#include "binding/report.h"
#include "deserializer/decode.h"
#include "deserializer/deserialize.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "ir/verifier.h"

namespace opcompat {
namespace {

std::string ReportText(const LoadReport& report) {
  std::string text;
  for (const OperatorReport& op : report.operators) {
    absl::StrAppend(&text, op.op, ": ", op.calls, " calls, ", op.identical,
                    " identical, ", op.filled, " filled, ", op.materialized,
                    " materialized, ", op.dropped, " dropped, ", op.retired,
                    " retired, ", op.renamed, " renamed, ", op.upgraded,
                    " upgraded\n");
  }
  for (const std::string& warning : report.warnings) {
    absl::StrAppend(&text, warning, "\n");
  }
  return text;
}

std::string Difference(absl::string_view what, absl::string_view read,
                       absl::string_view expected) {
  return absl::StrCat(what, " of reading:\n", read,
                      "\nof binding what was decoded:\n", expected);
}

}  // namespace

std::string BoundReadingProblem(absl::string_view file, const Runtime& reader) {
  const absl::StatusOr<Loaded> loaded = Deserialize(file, reader);
  const absl::StatusOr<Module> written = Decode(file);
  if (!written.ok()) {
    if (loaded.status() == written.status()) return "";
    return Difference("status", loaded.status().ToString(),
                      written.status().ToString());
  }
  const BindResult expected = BindModule(*written, reader);
  const absl::Status expected_status =
      expected.accepted() ? absl::OkStatus() : expected.status();
  if (loaded.status() != expected_status) {
    return Difference("status", loaded.status().ToString(),
                      expected_status.ToString());
  }
  if (!loaded.ok()) return "";
  const absl::Status verified = Verify(loaded->module);
  if (!verified.ok()) {
    return absl::StrCat("what is read does not verify: ", verified.ToString());
  }
  const absl::optional<std::string> difference =
      FirstDifference(loaded->module, expected.module);
  if (difference.has_value()) return *difference;
  const std::string report = ReportText(loaded->report);
  const std::string expected_report = ReportText(expected.report);
  if (report == expected_report) return "";
  return Difference("report", report, expected_report);
}

}  // namespace opcompat
