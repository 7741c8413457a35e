// What comes of a matrix's cells, however they were made: reports, expected
// refusals, the exit status.
#ifndef OPCOMPAT_TOOLS_MATRIX_OUTCOME_H_
#define OPCOMPAT_TOOLS_MATRIX_OUTCOME_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/App.hpp"
#include "CLI/Config.hpp"
#include "CLI/Formatter.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compat_matrix/result.h"
#include "tools/expected_refusals.h"
#include "tools/matrix_reports.h"
#include "tools/output.h"

namespace opcompat {

// Beside those of ExitCode. The worst counts, the highest.
enum MatrixExitCode : int {
  kExitUnexpected = 1,  // a cell, or an expectation that does not hold
  kExitCrashed = 3,     // a reader crashed or gave no answer
  kExitMisread = 4,
};

struct OutcomeFlags {
  OutputOptions output;
  ReportOptions reports;
  std::string expect;  // a file; empty: none
  bool update = false;
};
// Those of `output` too.
void AddOutcomeFlags(CLI::App* command, OutcomeFlags* flags);

class MatrixOutcome : public ResultSink {
 public:
  // Reads the file of expected refusals, if there is one. `scope` is of a line
  // without cells; null: it is stale. Returns InvalidArgument if a report would
  // be written to one of `inputs`, the files that the run reads.
  static absl::StatusOr<std::unique_ptr<MatrixOutcome>> Create(
      const OutcomeFlags& flags, RunNames names,
      const std::vector<std::string>& inputs, StaleScope scope = nullptr);

  absl::Status Add(const ModuleCells& module) override;

  // Writes all there is to say, after the last Add. Returns the exit status.
  int Finish(const MatrixSummary& summary);

 private:
  MatrixOutcome(const OutcomeFlags& flags, StaleScope scope)
      : flags_(flags), scope_(std::move(scope)) {}
  // Of the cells and the expectations.
  int ExitStatus(const MatrixSummary& summary, bool expectations_hold) const;
  absl::Status ReadExpected();
  absl::Status WriteUpdate();
  void PrintFindings(const std::vector<RefusalFinding>& findings) const;

  const OutcomeFlags flags_;
  const StaleScope scope_;
  std::unique_ptr<ExpectedRefusals> expected_;  // null: none are
  std::string expected_text_;                   // of the file
  std::unique_ptr<MatrixReports> reports_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_MATRIX_OUTCOME_H_
