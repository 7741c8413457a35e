// Writes the pages that the browser test clicks through, and one that is large
// enough to look at how fast it is:
//
//   sample_pages DIRECTORY [MODULES]
//
// states.html has every state; runs.html is the third of three runs that a
// database has; cut.html has no room for details; large.html, if MODULES are
// given, has 30 x 30 versions.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "compat_matrix/reports/html_report.h"
#include "compat_matrix/reports/result_database.h"
#include "compat_matrix/reports/testing.h"
#include "compat_matrix/result.h"
#include "serializer/output_file.h"

namespace opcompat {
namespace {

absl::Status WritePage(const std::string& path, const MatrixResult& result,
                       const RunInfo& run, const HtmlOptions& options,
                       DatabaseReport* database) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::unique_ptr<OutputFile> file,
                            OutputFile::Create(path));
  HtmlReport report(result.names, run, database, options, file.get());
  for (const ModuleCells& module : result.modules) {
    if (database != nullptr) OPCOMPAT_RETURN_IF_ERROR(database->Add(module));
    OPCOMPAT_RETURN_IF_ERROR(report.Add(module));
  }
  if (database != nullptr) {
    OPCOMPAT_RETURN_IF_ERROR(database->Finish(result.summary));
  }
  OPCOMPAT_RETURN_IF_ERROR(report.Finish(result.summary));
  return file->Commit();
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

absl::Status WritePages(const std::string& directory, size_t modules) {
  const RunInfo now{absl::StrCat("a run ", kNastyText), 1800000000};
  OPCOMPAT_RETURN_IF_ERROR(WritePage(absl::StrCat(directory, "/states.html"),
                                     EveryState(), now, {}, nullptr));
  HtmlOptions little;
  little.most_detail_bytes = 10;
  OPCOMPAT_RETURN_IF_ERROR(WritePage(absl::StrCat(directory, "/cut.html"),
                                     EveryState(), now, little, nullptr));
  OPCOMPAT_ASSIGN_OR_RETURN(
      const std::unique_ptr<ResultDatabase> database,
      ResultDatabase::Open(absl::StrCat(directory, "/runs.sqlite")));
  for (int r = 1; r <= 3; ++r) {
    const MatrixResult result = OneOfThreeRuns(r);
    const RunInfo run{absl::StrCat("nightly-", r), 1800000000 + 86400 * r};
    OPCOMPAT_ASSIGN_OR_RETURN(
        const std::unique_ptr<DatabaseReport> report,
        DatabaseReport::Create(result.names, run, database.get()));
    OPCOMPAT_RETURN_IF_ERROR(WritePage(absl::StrCat(directory, "/runs.html"),
                                       result, run, {}, report.get()));
  }
  if (modules == 0) return absl::OkStatus();
  return WritePage(absl::StrCat(directory, "/large.html"),
                   LargeResult(modules, 30, 40), {"large", 1800000000}, {},
                   nullptr);
}

}  // namespace
}  // namespace opcompat

int main(int argc, char** argv) {
  int modules = 0;
  if (argc < 2 || argc > 3 ||
      (argc == 3 && (!absl::SimpleAtoi(argv[2], &modules) || modules < 0))) {
    std::fprintf(stderr, "usage: sample_pages DIRECTORY [MODULES]\n");
    return 2;
  }
  const absl::Status status =
      opcompat::WritePages(argv[1], static_cast<size_t>(modules));
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
