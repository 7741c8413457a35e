#include "tools/matrix_outcome.h"

#include <unistd.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "compat_matrix/reports/grid.h"
#include "compat_matrix/reports/json_report.h"
#include "nlohmann/json.hpp"
#include "tools/inputs.h"

namespace opcompat {
namespace {

constexpr char kReport[] = "opcompat-matrix.json";
// More do not help; --format=json has all.
constexpr size_t kMostFindingsShown = 50;

nlohmann::ordered_json FindingsToJson(
    const std::string& path, const std::vector<RefusalFinding>& findings) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const RefusalFinding& finding : findings) {
    nlohmann::ordered_json item;
    item["kind"] = std::string(RefusalFindingName(finding.kind));
    if (finding.line > 0) item["line"] = finding.line;
    item["cell"] = finding.cell;
    item["cells"] = finding.cells;
    if (!finding.expected.empty()) item["expected"] = finding.expected;
    if (!finding.found.empty()) item["found"] = finding.found;
    all.push_back(std::move(item));
  }
  nlohmann::ordered_json json;
  json["file"] = path;
  json["findings"] = std::move(all);
  return json;
}

}  // namespace

void AddOutcomeFlags(CLI::App* command, OutcomeFlags* flags) {
  command
      ->add_option("--expect", flags->expect,
                   "A file of expected refusals, `MODULE HISTORY "
                   "WRITER->READER # MESSAGE` a line: each refusal must be in "
                   "it, and each line must hold")
      ->type_name("FILE")
      ->group("Expectations");
  command
      ->add_flag("--update", flags->update,
                 "Rewrite the file of --expect so that it holds")
      ->group("Expectations");
}

absl::StatusOr<std::unique_ptr<MatrixOutcome>> MatrixOutcome::Create(
    const OutcomeFlags& flags, RunNames names, StaleScope scope) {
  std::unique_ptr<MatrixOutcome> outcome(
      new MatrixOutcome(flags, std::move(names), std::move(scope)));
  if (flags.expect.empty()) {
    if (flags.update) {
      return absl::InvalidArgumentError(
          "--update rewrites the file of --expect=FILE, which is not given");
    }
    return outcome;
  }
  const bool is_new = flags.update && access(flags.expect.c_str(), F_OK) != 0;
  if (!is_new) {
    OPCOMPAT_ASSIGN_OR_RETURN(outcome->expected_text_, ReadInput(flags.expect));
  }
  OPCOMPAT_ASSIGN_OR_RETURN(
      outcome->expected_,
      ExpectedRefusals::Parse(flags.expect, outcome->expected_text_));
  return outcome;
}

absl::Status MatrixOutcome::Add(const ModuleCells& module) {
  if (expected_ != nullptr) {
    OPCOMPAT_RETURN_IF_ERROR(expected_->Add(module));
  }
  result_.modules.push_back(module);
  return absl::OkStatus();
}

int MatrixOutcome::ExitStatus(const MatrixSummary& summary,
                              bool expectations_hold) const {
  if (summary.misread > 0) return kExitMisread;
  if (summary.crashed > 0) return kExitCrashed;
  if (summary.unexpected > 0 || !expectations_hold) return kExitUnexpected;
  return kExitDone;
}

absl::Status MatrixOutcome::WriteUpdate() {
  const ExpectedRefusals::Update update = expected_->Updated(scope_);
  if (update.text == expected_text_) {
    PrintNote(flags_.output,
              absl::StrCat(flags_.expect, ": nothing to change"));
    return absl::OkStatus();
  }
  OPCOMPAT_RETURN_IF_ERROR(WriteOutput(flags_.expect, update.text));
  PrintNote(flags_.output,
            absl::StrCat(flags_.expect, ": ", update.kept, " lines kept, ",
                         update.added, " new, ", update.dropped, " dropped"));
  return absl::OkStatus();
}

int MatrixOutcome::Finish(const MatrixSummary& summary) {
  result_.summary = summary;
  std::vector<RefusalFinding> findings;
  if (expected_ != nullptr && flags_.update) {
    const absl::Status written = WriteUpdate();
    if (!written.ok()) {
      PrintError(written.message());
      return kExitBadInput;
    }
  } else if (expected_ != nullptr) {
    findings = expected_->Findings(scope_);
  }
  const int code = ExitStatus(summary, findings.empty());

  nlohmann::ordered_json document = MatrixToJson(result_);
  if (expected_ != nullptr && !flags_.update) {
    document["expected_refusals"] = FindingsToJson(flags_.expect, findings);
  }
  const std::string json = JsonText(document);
  const std::string& path = flags_.output.path;
  if (flags_.output.json || path == "-")
    return opcompat::Finish(path, json, code);

  GridOptions grid;
  grid.color = ColorOnStandardOutput(flags_.output);
  int printed = opcompat::Finish("-", GridText(result_, grid), code);
  const std::string report = path.empty() ? kReport : path;
  printed = std::max(printed, opcompat::Finish(report, json, code));
  for (size_t i = 0; i < findings.size() && i < kMostFindingsShown; ++i) {
    PrintError(expected_->Text(findings[i]));
  }
  if (findings.size() > kMostFindingsShown) {
    PrintError(absl::StrCat("and ", findings.size() - kMostFindingsShown,
                            " more; the report has all of them"));
  }
  if (!findings.empty()) {
    PrintNote(flags_.output,
              "if that is as it should be: --update rewrites the file");
  }
  if (printed == code) {
    PrintNote(flags_.output, absl::StrCat("report: ", report));
  }
  return printed;
}

}  // namespace opcompat
