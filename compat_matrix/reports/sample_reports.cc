// Writes reports of every kind, for tests that read them with other programs,
// and a page that is large enough to look at how fast it is:
//
//   sample_reports DIRECTORY [MODULES]
//
// states.html, .json, .xml and .md have every state; runs.html and .md are of
// the third of three runs that runs.sqlite has, first.html and .md of the first
// one, called by its time, in a database of its own; cut.html has no room for
// details; large.html, if MODULES are given, has 30 x 30 versions.

#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "compat_matrix/reports/html_report.h"
#include "compat_matrix/reports/json_report.h"
#include "compat_matrix/reports/junit_report.h"
#include "compat_matrix/reports/markdown_report.h"
#include "compat_matrix/reports/report.h"
#include "compat_matrix/reports/result_database.h"
#include "compat_matrix/reports/testing.h"
#include "compat_matrix/result.h"
#include "serializer/byte_sink.h"
#include "serializer/output_file.h"

namespace opcompat {
namespace {

// Makes a report that writes to a sink.
using Make = std::function<std::unique_ptr<MatrixReport>(ByteSink* sink)>;

// Writes reports to files, by their paths.
absl::Status WriteReports(const std::map<std::string, Make>& makers,
                          const MatrixResult& result,
                          DatabaseReport* database) {
  std::vector<std::unique_ptr<OutputFile>> files;
  std::vector<std::unique_ptr<MatrixReport>> reports;
  for (const auto& [path, make] : makers) {
    OPCOMPAT_ASSIGN_OR_RETURN(std::unique_ptr<OutputFile> file,
                              OutputFile::Create(path));
    reports.push_back(make(file.get()));
    files.push_back(std::move(file));
  }
  for (const ModuleCells& module : result.modules) {
    if (database != nullptr) OPCOMPAT_RETURN_IF_ERROR(database->Add(module));
    for (const auto& report : reports) {
      OPCOMPAT_RETURN_IF_ERROR(report->Add(module));
    }
  }
  if (database != nullptr) {
    OPCOMPAT_RETURN_IF_ERROR(database->Finish(result.summary));
  }
  for (const auto& report : reports) {
    OPCOMPAT_RETURN_IF_ERROR(report->Finish(result.summary));
  }
  for (const auto& file : files) OPCOMPAT_RETURN_IF_ERROR(file->Commit());
  return absl::OkStatus();
}

Make Page(const RunNames& names, const RunInfo& run, const HtmlOptions& options,
          const DatabaseReport* database) {
  return [=](ByteSink* sink) {
    return std::make_unique<HtmlReport>(names, run, database, options, sink);
  };
}

Make Markdown(const RunNames& names, const RunInfo& run,
              const DatabaseReport* database) {
  return [=](ByteSink* sink) {
    return std::make_unique<MarkdownReport>(names, run, database, sink);
  };
}

// In the third run module one is misread where it was accepted, two is new, and
// three did not run.
MatrixResult OneOfThreeRuns(int run) {
  MatrixResult result;
  result.names.testees = {"in-process"};
  const auto history = MakeHistory("t", "t", {"1.0", "2.0"});
  const auto add = [&](const std::string& name, CellState across) {
    ModuleCells module;
    module.history = history;
    module.module = absl::StrCat("modules/", name, ".graph");
    module.text = absl::StrCat("  %y : Tensor = t::", name, "(%x)\n");
    AddCell(0, 0, CellState::kIdentical, false, &module);
    AddCell(0, 1, across, false, &module);
    result.modules.push_back(std::move(module));
  };
  add("one", run == 3 ? CellState::kMisread : CellState::kAdapted);
  if (run == 3) add("two", CellState::kRefused);
  if (run != 3) add("three", CellState::kAdapted);
  result.summary = SummaryOf(result);
  return result;
}

absl::Status WriteStates(const std::string& directory) {
  const MatrixResult result = EveryState();
  const RunNames& names = result.names;
  const RunInfo now{absl::StrCat("a run ", kNastyText), 1800000000};
  HtmlOptions little;
  little.most_detail_bytes = 10;
  return WriteReports(
      {{absl::StrCat(directory, "/states.html"), Page(names, now, {}, nullptr)},
       {absl::StrCat(directory, "/cut.html"),
        Page(names, now, little, nullptr)},
       {absl::StrCat(directory, "/states.md"), Markdown(names, now, nullptr)},
       {absl::StrCat(directory, "/states.xml"),
        [&](ByteSink* sink) {
          return std::make_unique<JunitReport>(names, sink);
        }},
       {absl::StrCat(directory, "/states.json"),
        [&](ByteSink* sink) {
          return std::make_unique<JsonReport>(names, sink);
        }}},
      result, nullptr);
}

absl::Status WriteRuns(const std::string& directory) {
  OPCOMPAT_ASSIGN_OR_RETURN(
      const std::unique_ptr<ResultDatabase> database,
      ResultDatabase::Open(absl::StrCat(directory, "/runs.sqlite")));
  for (int r = 1; r <= 3; ++r) {
    const MatrixResult result = OneOfThreeRuns(r);
    const RunInfo run{absl::StrCat("nightly-", r), 1800000000 + 86400 * r};
    OPCOMPAT_ASSIGN_OR_RETURN(
        const std::unique_ptr<DatabaseReport> report,
        DatabaseReport::Create(result.names, run, database.get()));
    OPCOMPAT_RETURN_IF_ERROR(
        WriteReports({{absl::StrCat(directory, "/runs.html"),
                       Page(result.names, run, {}, report.get())},
                      {absl::StrCat(directory, "/runs.md"),
                       Markdown(result.names, run, report.get())}},
                     result, report.get()));
  }
  return absl::OkStatus();
}

absl::Status WriteFirst(const std::string& directory) {
  OPCOMPAT_ASSIGN_OR_RETURN(
      const std::unique_ptr<ResultDatabase> database,
      ResultDatabase::Open(absl::StrCat(directory, "/first.sqlite")));
  const MatrixResult result = OneOfThreeRuns(1);
  const RunInfo run{TimeText(1800000000), 1800000000};
  OPCOMPAT_ASSIGN_OR_RETURN(
      const std::unique_ptr<DatabaseReport> report,
      DatabaseReport::Create(result.names, run, database.get()));
  return WriteReports({{absl::StrCat(directory, "/first.html"),
                        Page(result.names, run, {}, report.get())},
                       {absl::StrCat(directory, "/first.md"),
                        Markdown(result.names, run, report.get())}},
                      result, report.get());
}

absl::Status WriteAll(const std::string& directory, size_t modules) {
  OPCOMPAT_RETURN_IF_ERROR(WriteStates(directory));
  OPCOMPAT_RETURN_IF_ERROR(WriteRuns(directory));
  OPCOMPAT_RETURN_IF_ERROR(WriteFirst(directory));
  if (modules == 0) return absl::OkStatus();
  const MatrixResult result = LargeResult(modules, 30, 40);
  return WriteReports(
      {{absl::StrCat(directory, "/large.html"),
        Page(result.names, {"large", 1800000000}, {}, nullptr)}},
      result, nullptr);
}

}  // namespace
}  // namespace opcompat

int main(int argc, char** argv) {
  int modules = 0;
  if (argc < 2 || argc > 3 ||
      (argc == 3 && (!absl::SimpleAtoi(argv[2], &modules) || modules < 0))) {
    std::fprintf(stderr, "usage: sample_reports DIRECTORY [MODULES]\n");
    return 2;
  }
  const absl::Status status =
      opcompat::WriteAll(argv[1], static_cast<size_t>(modules));
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
