// Results as JSON: the machine-readable side of the tool. docs/matrix.md has
// the schema.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_JSON_REPORT_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_JSON_REPORT_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "binding/report.h"
#include "compat_matrix/reports/report.h"
#include "compat_matrix/result.h"
#include "nlohmann/json.hpp"
#include "serializer/byte_sink.h"

namespace opcompat {

// Of the documents that JsonReport writes. Grows when a field goes or means
// something else; new fields may come at any time.
constexpr int kMatrixJsonSchema = 1;

// [{"code", "function", "node", "location", "operator", "argument", "value",
//   "calls", "message"}, ...]; fields that do not apply are left out.
// Bytes that are not UTF-8 are replaced.
nlohmann::ordered_json ReasonsToJson(const std::vector<Reason>& reasons);

// [{"operator", "calls", "identical", "filled", ...}, ...]
nlohmann::ordered_json LoadReportToJson(const LoadReport& report);

// {"cells", "accepted", "identical", "refused", "misread", "crashed", "hung",
//  "unexpected"}
nlohmann::ordered_json SummaryToJson(const MatrixSummary& summary);

// Writes {"schema", "testees", "authors", "cells", "summary"} while the run
// goes on, a cell a line; keeps nothing.
class JsonReport : public MatrixReport {
 public:
  // `sink` must outlive the report.
  JsonReport(RunNames names, ByteSink* sink)
      : names_(std::move(names)), sink_(*sink) {}

  absl::Status Add(const ModuleCells& module) override;
  // A field of the document, behind the summary. Before Finish().
  void AddField(std::string name, nlohmann::ordered_json value) {
    more_.emplace_back(std::move(name), std::move(value));
  }
  absl::Status Finish(const MatrixSummary& summary) override;

 private:
  absl::Status Begin();

  RunNames names_;
  ByteSink& sink_;
  bool begun_ = false;
  bool has_cells_ = false;
  std::vector<std::pair<std::string, nlohmann::ordered_json>> more_;
};

// What JsonReport writes on a result that is in memory.
nlohmann::ordered_json MatrixToJson(const MatrixResult& result);

// The text of a JSON document, with a newline at its end.
std::string JsonText(const nlohmann::ordered_json& json);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_JSON_REPORT_H_
