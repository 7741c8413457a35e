// The matrix as a summary in Markdown, for the page of a CI run: what came of
// it, the grids, what changed, and the first cells that are bad. Not for
// everything: the page and the JSON report have the rest.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_MARKDOWN_REPORT_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_MARKDOWN_REPORT_H_

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "compat_matrix/reports/grid.h"
#include "compat_matrix/reports/report.h"
#include "compat_matrix/reports/result_database.h"
#include "compat_matrix/result.h"
#include "serializer/byte_sink.h"

namespace opcompat {

// GitHub takes a step summary of 1 MiB.
constexpr size_t kMostMarkdownBytes = 1000 * 1000;

// Writes at most kMostMarkdownBytes, and says so where it cuts.
class MarkdownReport : public MatrixReport {
 public:
  // `sink` must outlive the report, and so must `database`, which may be null:
  // there is none. It is added to, and finished, before this report.
  MarkdownReport(RunNames names, RunInfo run, const DatabaseReport* database,
                 ByteSink* sink);

  absl::Status Add(const ModuleCells& module) override;
  absl::Status Finish(const MatrixSummary& summary) override;

 private:
  void AddChanges(const ModuleCells& module);

  RunNames names_;
  RunInfo run_;
  const DatabaseReport* database_;
  ByteSink& sink_;
  GridReport grid_;
  std::string changes_;  // the first, one a line
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_MARKDOWN_REPORT_H_
