// Where a run of the matrix is told: the flags that name the reports, and the
// reports that they name.
#ifndef OPCOMPAT_TOOLS_MATRIX_REPORTS_H_
#define OPCOMPAT_TOOLS_MATRIX_REPORTS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/App.hpp"
#include "CLI/Config.hpp"
#include "CLI/Formatter.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compat_matrix/reports/grid.h"
#include "compat_matrix/reports/json_report.h"
#include "compat_matrix/reports/report.h"
#include "compat_matrix/reports/result_database.h"
#include "compat_matrix/result.h"
#include "nlohmann/json.hpp"
#include "serializer/byte_sink.h"

namespace opcompat {

// Files; empty: not asked for. `-` is standard output.
struct ReportOptions {
  std::string html;
  std::string junit;
  std::string markdown;
  std::string db;
  std::string run_name;
  std::string run_time;  // RFC 3339; empty: now
};

// --html, --junit, --markdown, --db, --run-name, --run-time.
void AddReportFlags(CLI::App* app, ReportOptions* options);

// All reports of a run. Takes its modules as one report does.
//
//   OPCOMPAT_ASSIGN_OR_RETURN(
//       std::unique_ptr<MatrixReports> reports,
//       MatrixReports::Create(options, json_path, grid, names));
//   ... reports->Add(module) ...
//   OPCOMPAT_RETURN_IF_ERROR(reports->Finish(summary));
//   WriteStandardOutput(reports->grid());
class MatrixReports : public MatrixReport {
 public:
  // Opens what the options name, so that a path that cannot be written is told
  // before a run and not after it. `json_path` is a file or `-`; empty: no JSON
  // report. InvalidArgument: the time is none.
  // Precondition: the paths are of different files (CheckOutputPaths).
  static absl::StatusOr<std::unique_ptr<MatrixReports>> Create(
      const ReportOptions& options, const std::string& json_path,
      const GridOptions& grid, RunNames names);

  absl::Status Add(const ModuleCells& module) override;
  // Files appear here. All reports are tried; the first error is returned.
  absl::Status Finish(const MatrixSummary& summary) override;

  // A field of the JSON report, if there is one. Before Finish().
  void AddToJson(const std::string& name, const nlohmann::ordered_json& value);

  // Whether one of them has standard output, so that nothing else may go there.
  bool OnStandardOutput() const;
  // The text for a terminal; after Finish().
  const std::string& grid() const { return grid_.text(); }
  // The files that were written, for the user: `report: out.json`; after
  // Finish().
  const std::vector<std::string>& written() const { return written_; }

 private:
  // A report and the file that it goes to.
  struct File {
    std::string path;
    std::string note;
    std::unique_ptr<ByteSink> sink;
    std::unique_ptr<MatrixReport> report;
  };

  MatrixReports(RunNames names, const GridOptions& grid)
      : grid_(std::move(names), grid) {}
  absl::Status Open(const std::string& path, const std::string& note,
                    File* file);
  absl::Status FinishFile(const MatrixSummary& summary, File* file);

  GridReport grid_;
  std::unique_ptr<ResultDatabase> database_;
  std::unique_ptr<DatabaseReport> database_report_;
  std::string database_path_;
  std::vector<File> files_;
  JsonReport* json_ = nullptr;  // one of them, if there is one
  std::vector<std::string> written_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_MATRIX_REPORTS_H_
