#include "tools/matrix_reports.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "compat_matrix/reports/grid.h"
#include "compat_matrix/reports/html_report.h"
#include "compat_matrix/reports/json_report.h"
#include "compat_matrix/reports/junit_report.h"
#include "compat_matrix/reports/markdown_report.h"
#include "compat_matrix/reports/result_database.h"
#include "compat_matrix/result.h"
#include "serializer/byte_sink.h"
#include "serializer/output_file.h"
#include "tools/output.h"

namespace opcompat {
namespace {

absl::StatusOr<RunInfo> RunOf(const ReportOptions& options) {
  absl::Time time = absl::Now();
  std::string error;
  if (!options.run_time.empty() &&
      !absl::ParseTime(absl::RFC3339_full, options.run_time, &time, &error)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--run-time=", options.run_time,
                     ": expected a time such as 2026-12-01T02:30:00Z"));
  }
  RunInfo run{options.run_name, absl::ToUnixSeconds(time)};
  if (run.name.empty()) run.name = TimeText(run.time);
  return run;
}

}  // namespace

void AddReportFlags(CLI::App* app, ReportOptions* options) {
  constexpr char kGroup[] = "Reports";
  app->add_option("--html", options->html,
                  "A page for a browser, of one file: grids, every cell's "
                  "reasons, filters")
      ->type_name("FILE")
      ->group(kGroup);
  app->add_option("--junit", options->junit,
                  "JUnit XML for CI systems: a test case for each module and "
                  "writer")
      ->type_name("FILE")
      ->group(kGroup);
  app->add_option("--markdown", options->markdown,
                  "A summary in Markdown, less than 1 MiB whatever happens")
      ->type_name("FILE")
      ->group(kGroup);
  app->add_option("--db", options->db,
                  "An SQLite file that keeps the states of all cells over all "
                  "runs; made if it is not there. The reports then say what "
                  "changed since the last run, `opcompat history-of` says "
                  "since when")
      ->type_name("FILE")
      ->group(kGroup);
  app->add_option("--run-name", options->run_name,
                  "What reports and the database call this run. Default: its "
                  "time")
      ->type_name("NAME")
      ->group(kGroup);
  app->add_option("--run-time", options->run_time,
                  "When it took place: 2026-12-01T02:30:00Z. Default: now")
      ->type_name("TIME")
      ->group(kGroup);
}

absl::StatusOr<std::unique_ptr<MatrixReports>> MatrixReports::Create(
    const ReportOptions& options, const std::string& json_path,
    const GridOptions& grid, RunNames names) {
  OPCOMPAT_ASSIGN_OR_RETURN(const RunInfo run, RunOf(options));
  std::unique_ptr<MatrixReports> reports(new MatrixReports(names, grid));
  if (!options.db.empty()) {
    if (options.db == "-") {
      return absl::InvalidArgumentError("--db=-: expected a file");
    }
    OPCOMPAT_ASSIGN_OR_RETURN(reports->database_,
                              ResultDatabase::Open(options.db));
    OPCOMPAT_ASSIGN_OR_RETURN(
        reports->database_report_,
        DatabaseReport::Create(names, run, reports->database_.get()));
    reports->database_path_ = options.db;
  }
  const DatabaseReport* database = reports->database_report_.get();
  if (!json_path.empty()) {
    File file;
    OPCOMPAT_RETURN_IF_ERROR(reports->Open(json_path, "report", &file));
    auto json = std::make_unique<JsonReport>(names, file.sink.get());
    reports->json_ = json.get();
    file.report = std::move(json);
    reports->files_.push_back(std::move(file));
  }
  if (!options.junit.empty()) {
    File file;
    OPCOMPAT_RETURN_IF_ERROR(reports->Open(options.junit, "JUnit", &file));
    file.report = std::make_unique<JunitReport>(names, file.sink.get());
    reports->files_.push_back(std::move(file));
  }
  if (!options.markdown.empty()) {
    File file;
    OPCOMPAT_RETURN_IF_ERROR(reports->Open(options.markdown, "summary", &file));
    file.report =
        std::make_unique<MarkdownReport>(names, run, database, file.sink.get());
    reports->files_.push_back(std::move(file));
  }
  if (!options.html.empty()) {
    File file;
    OPCOMPAT_RETURN_IF_ERROR(reports->Open(options.html, "page", &file));
    file.report = std::make_unique<HtmlReport>(names, run, database,
                                               HtmlOptions(), file.sink.get());
    reports->files_.push_back(std::move(file));
  }
  return reports;
}

absl::Status MatrixReports::Open(const std::string& path,
                                 const std::string& note, File* file) {
  file->path = path;
  file->note = note;
  if (path == "-") {
    file->sink = std::make_unique<Output>(path);
    return absl::OkStatus();
  }
  OPCOMPAT_ASSIGN_OR_RETURN(file->sink, OutputFile::Create(path));
  return absl::OkStatus();
}

void MatrixReports::AddToJson(const std::string& name,
                              const nlohmann::ordered_json& value) {
  if (json_ != nullptr) json_->AddField(name, value);
}

bool MatrixReports::OnStandardOutput() const {
  return std::any_of(files_.begin(), files_.end(),
                     [](const File& file) { return file.path == "-"; });
}

absl::Status MatrixReports::Add(const ModuleCells& module) {
  // The others ask it what was there before.
  if (database_report_ != nullptr) {
    OPCOMPAT_RETURN_IF_ERROR(database_report_->Add(module));
  }
  OPCOMPAT_RETURN_IF_ERROR(grid_.Add(module));
  for (File& file : files_) {
    OPCOMPAT_RETURN_IF_ERROR(file.report->Add(module));
  }
  return absl::OkStatus();
}

absl::Status MatrixReports::FinishFile(const MatrixSummary& summary,
                                       File* file) {
  OPCOMPAT_RETURN_IF_ERROR(file->report->Finish(summary));
  if (file->path == "-") return static_cast<Output&>(*file->sink).Commit();
  OPCOMPAT_RETURN_IF_ERROR(static_cast<OutputFile&>(*file->sink).Commit());
  written_.push_back(absl::StrCat(file->note, ": ", file->path));
  return absl::OkStatus();
}

absl::Status MatrixReports::Finish(const MatrixSummary& summary) {
  absl::Status first = grid_.Finish(summary);
  if (database_report_ != nullptr) {
    // A night's results are not lost because of a locked database.
    first.Update(database_report_->Finish(summary));
    if (database_report_->stored()) {
      written_.push_back(absl::StrCat("stored: ", database_path_));
    }
  }
  for (File& file : files_) first.Update(FinishFile(summary, &file));
  return first;
}

}  // namespace opcompat
