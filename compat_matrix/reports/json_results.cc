#include "compat_matrix/reports/json_results.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "binding/report.h"
#include "compat_matrix/outcome_table.h"
#include "compat_matrix/reason_codes.h"
#include "compat_matrix/reports/json_report.h"
#include "nlohmann/json.hpp"

namespace opcompat {
namespace {

using nlohmann::json;

absl::Status Missing(absl::string_view field, absl::string_view expected) {
  return absl::InvalidArgumentError(
      absl::StrCat("\"", field, "\": expected ", expected));
}

// A field of an object; what is no string, or not there, is an error.
absl::StatusOr<std::string> StringOf(const json& object, const char* field) {
  const auto it = object.find(field);
  if (it == object.end() || !it->is_string()) return Missing(field, "a string");
  return it->get<std::string>();
}

absl::StatusOr<uint64_t> NumberOf(const json& object, const char* field) {
  const auto it = object.find(field);
  if (it == object.end() || !it->is_number_unsigned()) {
    return Missing(field, "a number");
  }
  return it->get<uint64_t>();
}

// An array of strings; not there: an empty one.
absl::StatusOr<std::vector<std::string>> StringsOf(const json& object,
                                                   const char* field) {
  std::vector<std::string> strings;
  const auto it = object.find(field);
  if (it == object.end()) return strings;
  if (!it->is_array()) return Missing(field, "strings");
  for (const json& item : *it) {
    if (!item.is_string()) return Missing(field, "strings");
    strings.push_back(item.get<std::string>());
  }
  return strings;
}

// Those that are left out where they are empty.
absl::Status ReadOptional(const json& object, const char* field,
                          std::string* text) {
  if (!object.contains(field)) return absl::OkStatus();
  OPCOMPAT_ASSIGN_OR_RETURN(*text, StringOf(object, field));
  return absl::OkStatus();
}

absl::StatusOr<Reason> ReadReason(const json& object) {
  Reason reason;
  if (!object.is_object()) return Missing("reasons", "objects");
  OPCOMPAT_ASSIGN_OR_RETURN(const std::string code, StringOf(object, "code"));
  const absl::optional<ReasonCode> known = ReasonCodeOfName(code);
  if (!known.has_value()) return Missing("code", "the code of a reason");
  reason.code = *known;
  OPCOMPAT_RETURN_IF_ERROR(ReadOptional(object, "function", &reason.function));
  OPCOMPAT_RETURN_IF_ERROR(ReadOptional(object, "node", &reason.node));
  OPCOMPAT_RETURN_IF_ERROR(ReadOptional(object, "location", &reason.location));
  OPCOMPAT_RETURN_IF_ERROR(ReadOptional(object, "operator", &reason.op));
  OPCOMPAT_RETURN_IF_ERROR(ReadOptional(object, "argument", &reason.argument));
  OPCOMPAT_RETURN_IF_ERROR(ReadOptional(object, "value", &reason.value));
  OPCOMPAT_RETURN_IF_ERROR(ReadOptional(object, "message", &reason.message));
  if (object.contains("calls")) {
    OPCOMPAT_ASSIGN_OR_RETURN(reason.calls, NumberOf(object, "calls"));
  }
  return reason;
}

absl::StatusOr<OperatorReport> ReadOperator(const json& object) {
  OperatorReport report;
  if (!object.is_object()) return Missing("report", "objects");
  OPCOMPAT_ASSIGN_OR_RETURN(report.op, StringOf(object, "operator"));
  const std::pair<const char*, uint64_t*> numbers[] = {
      {"calls", &report.calls},     {"identical", &report.identical},
      {"filled", &report.filled},   {"materialized", &report.materialized},
      {"dropped", &report.dropped}, {"retired", &report.retired},
      {"renamed", &report.renamed}, {"upgraded", &report.upgraded}};
  for (const auto& [field, number] : numbers) {
    OPCOMPAT_ASSIGN_OR_RETURN(*number, NumberOf(object, field));
  }
  return report;
}

absl::StatusOr<CellState> ReadState(const json& cell) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::string name, StringOf(cell, "state"));
  for (int i = 0; i <= static_cast<int>(CellState::kHung); ++i) {
    if (CellStateName(static_cast<CellState>(i)) == name) {
      return static_cast<CellState>(i);
    }
  }
  return Missing("state", "the state of a cell");
}

absl::StatusOr<CellOutcome> ReadOutcome(const json& cell) {
  CellOutcome outcome;
  const auto reasons = cell.find("reasons");
  if (reasons == cell.end() || !reasons->is_array()) {
    return Missing("reasons", "an array");
  }
  for (const json& item : *reasons) {
    OPCOMPAT_ASSIGN_OR_RETURN(Reason reason, ReadReason(item));
    outcome.reasons.push_back(std::move(reason));
  }
  const auto report = cell.find("report");
  if (report != cell.end()) {
    if (!report->is_array()) return Missing("report", "an array");
    for (const json& item : *report) {
      OPCOMPAT_ASSIGN_OR_RETURN(OperatorReport op, ReadOperator(item));
      outcome.report.operators.push_back(std::move(op));
    }
  }
  OPCOMPAT_ASSIGN_OR_RETURN(outcome.report.warnings,
                            StringsOf(cell, "warnings"));
  OPCOMPAT_ASSIGN_OR_RETURN(outcome.predicted_reasons,
                            StringsOf(cell, "predicted_reasons"));
  OPCOMPAT_RETURN_IF_ERROR(ReadOptional(cell, "detail", &outcome.detail));
  return outcome;
}

// Names, numbered as they come.
class NameTable {
 public:
  uint16_t IndexOf(const std::string& name) {
    const auto it = std::find(names_.begin(), names_.end(), name);
    if (it == names_.end()) {
      names_.push_back(name);
      return static_cast<uint16_t>(names_.size() - 1);
    }
    return static_cast<uint16_t>(it - names_.begin());
  }
  // By index here: the one in `names`.
  absl::StatusOr<std::vector<uint16_t>> PlacesIn(
      const std::vector<std::string>& names, const char* field) const {
    std::vector<uint16_t> places;
    for (const std::string& name : names_) {
      const auto it = std::find(names.begin(), names.end(), name);
      if (it == names.end()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "a cell has \"", name, "\", which is not among the ", field));
      }
      places.push_back(static_cast<uint16_t>(it - names.begin()));
    }
    return places;
  }

 private:
  std::vector<std::string> names_;
};

class Reader {
 public:
  // A cell at a time, so that the whole document is never in memory.
  absl::Status ReadCell(const json& cell) {
    if (!cell.is_object()) return Missing("cells", "objects");
    if (cell.contains("of_module")) OPCOMPAT_RETURN_IF_ERROR(BeginModule(cell));
    if (result_.modules.empty()) {
      return absl::InvalidArgumentError(
          "the first cell has no \"of_module\": no report of `opcompat "
          "matrix`, "
          "or one of an older version");
    }
    ModuleCells& module = result_.modules.back();
    Cell read;
    OPCOMPAT_ASSIGN_OR_RETURN(read.writer, VersionOf(cell, "writer"));
    OPCOMPAT_ASSIGN_OR_RETURN(read.reader, VersionOf(cell, "reader"));
    OPCOMPAT_ASSIGN_OR_RETURN(const std::string testee,
                              StringOf(cell, "testee"));
    read.testee = testees_.IndexOf(testee);
    std::string author = "in-process";
    OPCOMPAT_RETURN_IF_ERROR(ReadOptional(cell, "author", &author));
    read.author = authors_.IndexOf(author);
    read.for_target = cell.contains("target");
    OPCOMPAT_ASSIGN_OR_RETURN(const std::string predicted,
                              StringOf(cell, "predicted"));
    read.predicted_accepted = predicted == "accepted";
    OPCOMPAT_ASSIGN_OR_RETURN(read.state, ReadState(cell));
    OPCOMPAT_ASSIGN_OR_RETURN(const std::string outcome,
                              StringOf(cell, "outcome"));
    read.accepted = outcome == "accepted" || outcome == "misread";
    OPCOMPAT_ASSIGN_OR_RETURN(CellOutcome what, ReadOutcome(cell));
    read.outcome = outcomes_.Add(std::move(what));
    result_.summary.Add(read.state);
    module.cells.push_back(read);
    return absl::OkStatus();
  }

  // `document`: all but the cells.
  absl::StatusOr<MatrixResult> Finish(const json& document) {
    OPCOMPAT_RETURN_IF_ERROR(EndModule());
    if (!document.is_object()) {
      return absl::InvalidArgumentError("expected an object");
    }
    OPCOMPAT_ASSIGN_OR_RETURN(const uint64_t schema,
                              NumberOf(document, "schema"));
    if (schema != kMatrixJsonSchema) {
      return absl::InvalidArgumentError(absl::StrCat(
          "\"schema\" is ", schema, ", expected ", kMatrixJsonSchema));
    }
    const auto run = document.find("run");
    if (run == document.end() || !run->is_object()) {
      return Missing("run", "an object");
    }
    RunPart& part = result_.names.part;
    OPCOMPAT_ASSIGN_OR_RETURN(part.run, StringOf(*run, "id"));
    OPCOMPAT_ASSIGN_OR_RETURN(const uint64_t shard, NumberOf(*run, "shard"));
    OPCOMPAT_ASSIGN_OR_RETURN(const uint64_t shards, NumberOf(*run, "shards"));
    if (shard < 1 || shard > shards || shards > kMostShards) {
      return absl::InvalidArgumentError(
          absl::StrCat("\"run\": there is no shard ", shard, " of ", shards));
    }
    part.shard = static_cast<uint32_t>(shard - 1);
    part.shards = static_cast<uint32_t>(shards);
    part.limited = run->value("limited", json()) == json(true);
    OPCOMPAT_RETURN_IF_ERROR(CheckUnits());
    OPCOMPAT_RETURN_IF_ERROR(CheckSummary(document));
    OPCOMPAT_ASSIGN_OR_RETURN(result_.names.testees,
                              StringsOf(document, "testees"));
    OPCOMPAT_ASSIGN_OR_RETURN(result_.names.authors,
                              StringsOf(document, "authors"));
    OPCOMPAT_ASSIGN_OR_RETURN(
        const std::vector<uint16_t> testees,
        testees_.PlacesIn(result_.names.testees, "testees"));
    OPCOMPAT_ASSIGN_OR_RETURN(
        const std::vector<uint16_t> authors,
        authors_.PlacesIn(result_.names.authors, "authors"));
    for (ModuleCells& module : result_.modules) {
      for (Cell& cell : module.cells) {
        cell.testee = testees[cell.testee];
        cell.author = authors[cell.author];
      }
    }
    return std::move(result_);
  }

 private:
  static constexpr uint64_t kMostShards = 1000000;

  absl::Status BeginModule(const json& cell) {
    OPCOMPAT_RETURN_IF_ERROR(EndModule());
    const json& of_module = cell["of_module"];
    if (!of_module.is_object()) return Missing("of_module", "an object");
    ModuleCells module;
    OPCOMPAT_ASSIGN_OR_RETURN(module.module, StringOf(cell, "module"));
    OPCOMPAT_ASSIGN_OR_RETURN(module.unit, NumberOf(of_module, "unit"));
    OPCOMPAT_ASSIGN_OR_RETURN(module.text, StringOf(of_module, "text"));
    OPCOMPAT_ASSIGN_OR_RETURN(num_cells_, NumberOf(of_module, "cells"));
    MatrixHistory history;
    OPCOMPAT_ASSIGN_OR_RETURN(history.name, StringOf(cell, "history"));
    OPCOMPAT_ASSIGN_OR_RETURN(history.group, StringOf(of_module, "group"));
    OPCOMPAT_ASSIGN_OR_RETURN(history.versions,
                              StringsOf(of_module, "versions"));
    if (history.versions.size() > UINT16_MAX) {
      return Missing("versions", "fewer versions");
    }
    // Most modules have the one of the module before.
    const MatrixHistory* last = result_.modules.empty()
                                    ? nullptr
                                    : result_.modules.back().history.get();
    if (last != nullptr && last->name == history.name &&
        last->group == history.group && last->versions == history.versions) {
      module.history = result_.modules.back().history;
    } else {
      module.history =
          std::make_shared<const MatrixHistory>(std::move(history));
    }
    result_.modules.push_back(std::move(module));
    return absl::OkStatus();
  }

  absl::Status EndModule() {
    if (result_.modules.empty()) return absl::OkStatus();
    ModuleCells& module = result_.modules.back();
    module.outcomes = outcomes_.Take();
    if (module.cells.size() == num_cells_) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        module.module, " has ", module.cells.size(), " cells, expected ",
        num_cells_, ", as its \"of_module\" says: the report is damaged"));
  }

  // A module is where the run's division into shards puts it.
  absl::Status CheckUnits() const {
    const RunPart& part = result_.names.part;
    for (const ModuleCells& module : result_.modules) {
      if (module.unit % part.shards == part.shard) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          module.module, ": \"unit\" ", module.unit, " is not of shard ",
          part.shard + 1, " of ", part.shards, ": the report is damaged"));
    }
    return absl::OkStatus();
  }

  // What the run counted is what is here: nothing was lost on the way.
  absl::Status CheckSummary(const json& document) const {
    const auto found = document.find("summary");
    if (found == document.end() || !found->is_object()) {
      return Missing("summary", "an object");
    }
    const MatrixSummary& counted = result_.summary;
    const std::pair<const char*, uint64_t> numbers[] = {
        {"cells", counted.cells},         {"accepted", counted.accepted},
        {"identical", counted.identical}, {"refused", counted.refused},
        {"misread", counted.misread},     {"crashed", counted.crashed},
        {"hung", counted.hung},           {"unexpected", counted.unexpected}};
    for (const auto& [field, number] : numbers) {
      const absl::StatusOr<uint64_t> said = NumberOf(*found, field);
      if (!said.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat("\"summary\": ", said.status().message()));
      }
      if (*said == number) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          "\"summary\": \"", field, "\" is ", *said, ", but the cells give ",
          number, ": the report is damaged"));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<uint16_t> VersionOf(const json& cell,
                                     const char* field) const {
    OPCOMPAT_ASSIGN_OR_RETURN(const std::string id, StringOf(cell, field));
    const std::vector<std::string>& versions =
        result_.modules.back().history->versions;
    const auto it = std::find(versions.begin(), versions.end(), id);
    if (it == versions.end()) return Missing(field, "a version of the history");
    return static_cast<uint16_t>(it - versions.begin());
  }

  MatrixResult result_;
  OutcomeTable outcomes_;   // of the last module
  uint64_t num_cells_ = 0;  // that it says it has
  NameTable testees_;
  NameTable authors_;
};

}  // namespace

absl::StatusOr<MatrixResult> ReadMatrixJson(absl::string_view text) {
  Reader reader;
  absl::Status status;
  bool in_cells = false;
  uint64_t num_cells = 0;
  const auto take_cells = [&](int depth, json::parse_event_t event,
                              json& parsed) {
    if (depth == 1 && event == json::parse_event_t::key) {
      in_cells = parsed == "cells";
    }
    const bool is_cell = in_cells && depth == 2 &&
                         (event == json::parse_event_t::object_end ||
                          event == json::parse_event_t::array_end ||
                          event == json::parse_event_t::value);
    if (!is_cell) return true;
    ++num_cells;
    if (status.ok()) {
      status = reader.ReadCell(parsed);
      if (!status.ok()) {
        status = absl::InvalidArgumentError(
            absl::StrCat("cell ", num_cells, ": ", status.message()));
      }
    }
    return false;  // not kept
  };
  json document;
  try {
    document = json::parse(text.begin(), text.end(), take_cells);
  } catch (const json::exception& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("this is no JSON: ", error.what()));
  }
  OPCOMPAT_RETURN_IF_ERROR(status);
  return reader.Finish(document);
}

}  // namespace opcompat
