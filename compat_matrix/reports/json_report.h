// Results as JSON: the machine-readable side of the tool.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_JSON_REPORT_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_JSON_REPORT_H_

#include <string>
#include <vector>

#include "binding/report.h"
#include "compat_matrix/result.h"
#include "nlohmann/json.hpp"

namespace opcompat {

// [{"code", "function", "node", "location", "operator", "argument", "value",
//   "calls", "message"}, ...]; fields that do not apply are left out.
// Bytes that are not UTF-8 are replaced.
nlohmann::ordered_json ReasonsToJson(const std::vector<Reason>& reasons);

// [{"operator", "calls", "identical", "filled", ...}, ...]
nlohmann::ordered_json LoadReportToJson(const LoadReport& report);

// {"summary": {...}, "cells": [...]}
nlohmann::ordered_json MatrixToJson(const MatrixResult& result);

// The text of a JSON document, with a newline at its end.
std::string JsonText(const nlohmann::ordered_json& json);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_JSON_REPORT_H_
