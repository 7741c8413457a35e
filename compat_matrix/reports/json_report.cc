#include "compat_matrix/reports/json_report.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "binding/report.h"
#include "compat_matrix/result.h"
#include "nlohmann/json.hpp"

namespace opcompat {

using nlohmann::ordered_json;

ordered_json ReasonsToJson(const std::vector<Reason>& reasons) {
  ordered_json json = ordered_json::array();
  for (const Reason& reason : reasons) {
    ordered_json item;
    item["code"] = std::string(ReasonCodeName(reason.code));
    const auto add = [&item](const char* name, const std::string& text) {
      if (!text.empty()) item[name] = text;
    };
    add("function", reason.function);
    add("node", reason.node);
    add("location", reason.location);
    add("operator", reason.op);
    add("argument", reason.argument);
    add("value", reason.value);
    if (reason.calls > 0) item["calls"] = reason.calls;
    item["message"] = reason.message;
    json.push_back(std::move(item));
  }
  return json;
}

ordered_json LoadReportToJson(const LoadReport& report) {
  ordered_json json = ordered_json::array();
  for (const OperatorReport& op : report.operators) {
    json.push_back({{"operator", op.op},
                    {"calls", op.calls},
                    {"identical", op.identical},
                    {"filled", op.filled},
                    {"materialized", op.materialized},
                    {"dropped", op.dropped},
                    {"retired", op.retired},
                    {"renamed", op.renamed},
                    {"upgraded", op.upgraded}});
  }
  return json;
}

ordered_json SummaryToJson(const MatrixSummary& summary) {
  return {{"cells", summary.cells},         {"accepted", summary.accepted},
          {"identical", summary.identical}, {"refused", summary.refused},
          {"misread", summary.misread},     {"crashed", summary.crashed},
          {"hung", summary.hung},           {"unexpected", summary.unexpected}};
}

namespace {

ordered_json CellToJson(const RunNames& names, const ModuleCells& module,
                        const Cell& cell) {
  const CellOutcome& outcome = module.outcome(cell);
  ordered_json item;
  // The first cell of a module says what all of them have in common.
  if (!names.part.run.empty() && &cell == &module.cells[0]) {
    item["of_module"] = {{"unit", module.unit},
                         {"group", module.history->group},
                         {"versions", module.history->versions},
                         {"cells", module.cells.size()},
                         {"text", module.text}};
  }
  item["module"] = module.module;
  item["history"] = module.history->name;
  item["writer"] = module.writer(cell);
  item["reader"] = module.reader(cell);
  if (cell.for_target) item["target"] = module.reader(cell);
  item["testee"] = names.testees[cell.testee];
  if (cell.author != 0) item["author"] = names.authors[cell.author];
  item["predicted"] = cell.predicted_accepted ? "accepted" : "refused";
  // The three outcomes of a reading; `state` is the judgement on it.
  item["outcome"] =
      cell.state == CellState::kMisread ? "misread"
      : cell.state == CellState::kCrashed || cell.state == CellState::kHung
          ? "crashed"
      : cell.accepted ? "accepted"
                      : "refused";
  item["state"] = std::string(CellStateName(cell.state));
  item["reasons"] = ReasonsToJson(outcome.reasons);
  // What an identical reading did is known.
  if (cell.accepted && cell.state != CellState::kIdentical) {
    if (!outcome.report.operators.empty()) {
      item["report"] = LoadReportToJson(outcome.report);
    }
    if (!outcome.report.warnings.empty()) {
      item["warnings"] = outcome.report.warnings;
    }
  }
  if (!IsGood(cell.state) && !outcome.predicted_reasons.empty()) {
    item["predicted_reasons"] = outcome.predicted_reasons;
  }
  if (!outcome.detail.empty()) item["detail"] = outcome.detail;
  return item;
}

ordered_json PartToJson(const RunPart& part) {
  ordered_json json = {
      {"id", part.run}, {"shard", part.shard + 1}, {"shards", part.shards}};
  if (part.limited) json["limited"] = true;
  return json;
}

std::string Compact(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

absl::Status JsonReport::Begin() {
  begun_ = true;
  return sink_.Append(absl::StrCat(
      "{\n\"schema\": ", kMatrixJsonSchema, ",\n\"testees\": ",
      Compact(names_.testees), ",\n\"authors\": ", Compact(names_.authors),
      names_.part.run.empty() ? "" : ",\n\"run\": ",
      names_.part.run.empty() ? "" : Compact(PartToJson(names_.part)),
      ",\n\"cells\": ["));
}

absl::Status JsonReport::Add(const ModuleCells& module) {
  if (!begun_) OPCOMPAT_RETURN_IF_ERROR(Begin());
  std::string lines;
  for (const Cell& cell : module.cells) {
    absl::StrAppend(&lines, has_cells_ ? ",\n" : "\n",
                    Compact(CellToJson(names_, module, cell)));
    has_cells_ = true;
  }
  return sink_.Append(lines);
}

absl::Status JsonReport::Finish(const MatrixSummary& summary) {
  if (!begun_) OPCOMPAT_RETURN_IF_ERROR(Begin());
  std::string end =
      absl::StrCat("\n],\n\"summary\": ", Compact(SummaryToJson(summary)));
  for (const auto& [name, value] : more_) {
    absl::StrAppend(&end, ",\n", Compact(name), ": ", Compact(value));
  }
  return sink_.Append(absl::StrCat(end, "\n}\n"));
}

ordered_json MatrixToJson(const MatrixResult& result) {
  ordered_json json;
  json["schema"] = kMatrixJsonSchema;
  json["testees"] = result.names.testees;
  json["authors"] = result.names.authors;
  if (!result.names.part.run.empty()) {
    json["run"] = PartToJson(result.names.part);
  }
  ordered_json cells = ordered_json::array();
  for (const ModuleCells& module : result.modules) {
    for (const Cell& cell : module.cells) {
      cells.push_back(CellToJson(result.names, module, cell));
    }
  }
  json["cells"] = std::move(cells);
  json["summary"] = SummaryToJson(result.summary);
  return json;
}

std::string JsonText(const ordered_json& json) {
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace opcompat
