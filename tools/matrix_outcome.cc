#include "tools/matrix_outcome.h"

#include <unistd.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "compat_matrix/reports/grid.h"
#include "nlohmann/json.hpp"
#include "serializer/output_file.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/modules.h"
#include "tools/output_paths.h"

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

// That nothing is written to what is read, nor two to one file.
absl::Status CheckOutputs(const OutcomeFlags& flags,
                          const std::string& json_path,
                          std::vector<std::string> inputs) {
  std::vector<OutputPath> outputs = {{"the JSON report", json_path},
                                     {"--html", flags.reports.html},
                                     {"--junit", flags.reports.junit},
                                     {"--markdown", flags.reports.markdown},
                                     {"--db", flags.reports.db}};
  // --update is meant to write its own file.
  if (flags.update) {
    outputs.push_back({"--update", flags.expect});
  } else if (!flags.expect.empty()) {
    inputs.push_back(flags.expect);
  }
  return CheckOutputPaths(outputs, inputs);
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
  AddReportFlags(command, &flags->reports);
  AddOutputFlags(command, &flags->output,
                 "Where the JSON report goes. Default: opcompat-matrix.json "
                 "here; with --format=json, standard output");
}

absl::StatusOr<std::unique_ptr<MatrixOutcome>> MatrixOutcome::Create(
    const OutcomeFlags& flags, RunNames names,
    const std::vector<std::string>& inputs, StaleScope scope) {
  std::unique_ptr<MatrixOutcome> outcome(
      new MatrixOutcome(flags, std::move(scope)));
  std::string json_path = flags.output.path;
  if (json_path.empty()) json_path = flags.output.json ? "-" : kReport;
  OPCOMPAT_RETURN_IF_ERROR(CheckOutputs(flags, json_path, inputs));
  OPCOMPAT_RETURN_IF_ERROR(outcome->ReadExpected());
  if (flags.update) {
    // That it cannot be written is told now; nothing stays of this.
    OPCOMPAT_RETURN_IF_ERROR(OutputFile::Create(flags.expect).status());
  }
  // What it opens appears at the end, or not at all.
  GridOptions grid;
  grid.color = ColorOnStandardOutput(flags.output);
  OPCOMPAT_ASSIGN_OR_RETURN(
      outcome->reports_,
      MatrixReports::Create(flags.reports, json_path, grid, std::move(names)));
  return outcome;
}

absl::Status MatrixOutcome::ReadExpected() {
  const std::string& path = flags_.expect;
  if (path.empty()) {
    return flags_.update ? absl::InvalidArgumentError(
                               "--update rewrites the file of "
                               "--expect=FILE, which is not given")
                         : absl::OkStatus();
  }
  const bool is_new = flags_.update && access(path.c_str(), F_OK) != 0;
  if (!is_new) {
    OPCOMPAT_ASSIGN_OR_RETURN(expected_text_, ReadInput(path));
  }
  OPCOMPAT_ASSIGN_OR_RETURN(expected_,
                            ExpectedRefusals::Parse(path, expected_text_));
  return absl::OkStatus();
}

absl::Status MatrixOutcome::Add(const ModuleCells& module) {
  if (expected_ != nullptr) {
    OPCOMPAT_RETURN_IF_ERROR(expected_->Add(module));
  }
  return reports_->Add(module);
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

void MatrixOutcome::PrintFindings(
    const std::vector<RefusalFinding>& findings) const {
  for (size_t i = 0; i < findings.size() && i < kMostFindingsShown; ++i) {
    PrintError(expected_->Text(findings[i]));
  }
  if (findings.size() > kMostFindingsShown) {
    PrintError(absl::StrCat("and ", findings.size() - kMostFindingsShown,
                            " more; the JSON report has all of them"));
  }
  if (!findings.empty()) {
    PrintNote(flags_.output,
              "if that is as it should be: --update rewrites the file");
  }
}

int MatrixOutcome::Finish(const MatrixSummary& summary) {
  std::vector<RefusalFinding> findings;
  absl::Status status;
  if (expected_ != nullptr && flags_.update) {
    status = WriteUpdate();
  } else if (expected_ != nullptr) {
    findings = expected_->Findings(scope_);
    reports_->AddToJson("expected_refusals",
                        FindingsToJson(flags_.expect, findings));
  }
  status.Update(reports_->Finish(summary));
  if (!reports_->OnStandardOutput()) {
    status.Update(WriteStandardOutput(reports_->grid()));
  }
  if (expected_ != nullptr) PrintFindings(findings);
  for (const std::string& note : reports_->written()) {
    PrintNote(flags_.output, note);
  }
  if (!status.ok()) {
    PrintFailure(status, {});
    return kExitBadInput;
  }
  return ExitStatus(summary, findings.empty());
}

}  // namespace opcompat
