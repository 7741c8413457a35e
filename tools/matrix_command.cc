#include "tools/matrix_command.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "compat_matrix/matrix.h"
#include "compat_matrix/reports/grid.h"
#include "compat_matrix/reports/report.h"
#include "compat_matrix/result.h"
#include "compat_matrix/testees/testee.h"
#include "ir/text/module_parser.h"
#include "tools/glob.h"
#include "tools/histories.h"
#include "tools/inputs.h"
#include "tools/matrix_reports.h"
#include "tools/modules.h"
#include "tools/output.h"
#include "tools/paths.h"
#include "tools/progress.h"

namespace opcompat {
namespace {

struct MatrixCommandOptions {
  OutputOptions output;
  ReportOptions reports;
  std::vector<std::string> histories;
  std::vector<std::string> modules;
  std::vector<std::string> writers;
  std::vector<std::string> readers;
};

constexpr char kReport[] = "opcompat-matrix.json";

constexpr char kFooter[] = R"(Examples:
  opcompat matrix
  opcompat matrix --history=my/history.textproto --modules='my/**/*.graph'
  opcompat matrix --history=torch --readers=1.7.1,1.13.1 --format=json
  opcompat matrix --html=matrix.html --junit=matrix.xml --db=matrix.sqlite

Without --modules, each history has the modules beside its history.textproto:
modules/**/*.graph and models/**/*.graph. A module with opset lines is written
at those versions only, one without at every version where it verifies. With
several histories each varies alone, the others at their newest.
A field of the grid says how many modules were accepted of how many; M: misread,
C: crashed, H: hung, U: unexpected. Many versions have a letter in each field.
Exit status: 0 nothing is misread, crashed or unexpected; 1 something is; 2
usage, or input that is unreadable or malformed.
)";

// Histories that are run together, and their modules.
struct Group {
  std::vector<HistoryPtr> histories;
  std::vector<std::string> paths;
};

// The modules that belong to the history at `path`.
std::vector<std::string> ModulesBeside(const std::string& path) {
  std::string directory = path;
  if (!IsDirectory(path)) {
    const size_t slash = path.rfind('/');
    directory = slash == std::string::npos ? "." : path.substr(0, slash);
  }
  while (directory.size() > 1 && directory.back() == '/') directory.pop_back();
  std::vector<std::string> found;
  for (const char* pattern : {"modules/**/*.graph", "models/**/*.graph"}) {
    const absl::StatusOr<std::vector<std::string>> files =
        Glob(absl::StrCat(directory, "/", pattern));
    if (files.ok()) found.insert(found.end(), files->begin(), files->end());
  }
  return found;
}

class MatrixCommand {
 public:
  MatrixCommand(const MatrixCommandOptions& options, Histories& histories)
      : options_(options), histories_(histories), progress_(options.output) {}

  absl::StatusOr<MatrixResult> Run() {
    OPCOMPAT_ASSIGN_OR_RETURN(
        const std::vector<Group> groups,
        options_.modules.empty() ? OwnModules() : GivenModules());
    OPCOMPAT_RETURN_IF_ERROR(CheckVersions(groups));
    MatrixResult all;
    for (const Group& group : groups) {
      OPCOMPAT_ASSIGN_OR_RETURN(MatrixResult result, RunGroup(group));
      Append(std::move(result), &all);
    }
    if (all.modules.empty()) {
      return absl::InvalidArgumentError(
          "no cell: no module is left for these versions");
    }
    return all;
  }

 private:
  // Each history with the modules beside it.
  absl::StatusOr<std::vector<Group>> OwnModules() {
    std::vector<std::string> names = options_.histories;
    if (names.empty()) names = histories_.ShippedNames();
    if (names.empty()) {
      return absl::NotFoundError(
          "no history is known; give one with --history=FILE");
    }
    std::vector<Group> groups;
    for (const std::string& name : names) {
      Group group;
      OPCOMPAT_ASSIGN_OR_RETURN(HistoryPtr history, histories_.Load(name));
      // Named twice is taken once.
      if (std::any_of(groups.begin(), groups.end(), [&](const Group& other) {
            return other.histories[0] == history;
          })) {
        continue;
      }
      group.histories.push_back(std::move(history));
      OPCOMPAT_ASSIGN_OR_RETURN(const std::string path,
                                histories_.PathOf(name));
      group.paths = ModulesBeside(path);
      if (group.paths.empty()) {
        return absl::NotFoundError(absl::StrCat(
            name, ": there is no module beside this history (in modules/ or ",
            "models/); name some with --modules=GLOB"));
      }
      groups.push_back(std::move(group));
    }
    return groups;
  }

  // All histories together, over the modules that the patterns name.
  absl::StatusOr<std::vector<Group>> GivenModules() {
    Group group;
    std::vector<OpsetVersion> opsets;
    bool names_no_opset = false;
    for (const std::string& pattern : options_.modules) {
      OPCOMPAT_ASSIGN_OR_RETURN(const std::vector<std::string> paths,
                                Glob(pattern));
      for (const std::string& path : paths) {
        if (std::find(group.paths.begin(), group.paths.end(), path) !=
            group.paths.end()) {
          continue;
        }
        group.paths.push_back(path);
        OPCOMPAT_ASSIGN_OR_RETURN(const std::string text, ReadText(path));
        const std::vector<OpsetVersion> lines = ReadOpsetLines(text);
        names_no_opset |= lines.empty();
        opsets.insert(opsets.end(), lines.begin(), lines.end());
      }
    }
    // Without opset lines a module may be of any history.
    if (names_no_opset) opsets.clear();
    HistoryOptions history_options;
    history_options.histories = options_.histories;
    OPCOMPAT_ASSIGN_OR_RETURN(
        group.histories, ChooseHistories(histories_, history_options, opsets));
    return std::vector<Group>{std::move(group)};
  }

  static absl::StatusOr<std::string> ReadText(const std::string& path) {
    OPCOMPAT_ASSIGN_OR_RETURN(std::string content, ReadInput(path));
    if (FormOfContent(content) == ModuleForm::kBytes) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": the matrix takes modules as text; `opcompat ",
                       "show` turns a file into text"));
    }
    return content;
  }

  // A version that one history has is enough; RunMatrix sees one group only.
  absl::Status CheckVersions(const std::vector<Group>& groups) const {
    for (const auto* only : {&options_.writers, &options_.readers}) {
      for (const std::string& id : *only) {
        if (std::none_of(groups.begin(), groups.end(), [&](const Group& group) {
              return HasVersion(group, id);
            })) {
          return absl::InvalidArgumentError(
              absl::StrCat("no history has a version ", id));
        }
      }
    }
    return absl::OkStatus();
  }

  static bool HasVersion(const Group& group, const std::string& id) {
    return std::any_of(
        group.histories.begin(), group.histories.end(),
        [&](const HistoryPtr& history) { return history->At(id).ok(); });
  }

  // The versions of `ids` that the group has; false: none, of some.
  static bool Limit(const Group& group, const std::vector<std::string>& ids,
                    std::vector<std::string>* limited) {
    for (const std::string& id : ids) {
      if (HasVersion(group, id)) limited->push_back(id);
    }
    return ids.empty() || !limited->empty();
  }

  absl::StatusOr<MatrixResult> RunGroup(const Group& group) {
    MatrixOptions matrix;
    matrix.histories = group.histories;
    if (!Limit(group, options_.writers, &matrix.writers) ||
        !Limit(group, options_.readers, &matrix.readers)) {
      return MatrixResult();
    }
    for (const std::string& path : group.paths) {
      OPCOMPAT_ASSIGN_OR_RETURN(std::string text, ReadText(path));
      matrix.modules.push_back({path, std::move(text)});
    }
    matrix.testees = {&testee_};
    std::string what;
    for (const HistoryPtr& history : group.histories) {
      absl::StrAppend(&what, what.empty() ? "" : ", ", history->name());
    }
    matrix.progress = [&](size_t done, size_t all) {
      progress_.Show(what, done, all);
    };
    return RunMatrix(matrix);
  }

  static void Append(MatrixResult result, MatrixResult* all) {
    if (all->modules.empty()) all->names = result.names;
    std::move(result.modules.begin(), result.modules.end(),
              std::back_inserter(all->modules));
    all->summary.Add(result.summary);
  }

  const MatrixCommandOptions& options_;
  Histories& histories_;
  ProgressLine progress_;
  InProcessTestee testee_;
};

int RunMatrixCommand(const MatrixCommandOptions& options,
                     Histories& histories) {
  absl::StatusOr<MatrixResult> result = MatrixCommand(options, histories).Run();
  if (!result.ok()) {
    PrintFailure(result.status(), {});
    return kExitBadInput;
  }
  const int code = result->summary.good() ? kExitDone : kExitRefused;
  std::string path = options.output.path;
  if (path.empty()) path = options.output.json ? "-" : kReport;
  GridOptions grid;
  grid.color = ColorOnStandardOutput(options.output);
  absl::StatusOr<std::unique_ptr<MatrixReports>> reports =
      MatrixReports::Create(options.reports, path, grid, result->names);
  absl::Status status = reports.status();
  if (status.ok()) status = WriteReport(*result, reports->get());
  if (status.ok() && !(*reports)->OnStandardOutput() && !options.output.json) {
    status = WriteStandardOutput((*reports)->grid());
  }
  if (reports.ok()) {
    for (const std::string& note : (*reports)->written()) {
      PrintNote(options.output, note);
    }
  }
  if (!status.ok()) {
    PrintFailure(status, {});
    return kExitBadInput;
  }
  return code;
}

}  // namespace

void AddMatrixCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "matrix", "Every module x writer x reader: predicted, run and judged");
  auto options = std::make_shared<MatrixCommandOptions>();
  AddRepeatable(command, "--modules", &options->modules,
                "Module texts; `**` is any number of directories; repeatable")
      ->type_name("GLOB");
  AddRepeatable(command, "--writers", &options->writers,
                "Only these versions write; repeatable")
      ->type_name("ID,ID")
      ->delimiter(',');
  AddRepeatable(command, "--readers", &options->readers,
                "Only these versions read, or are targets; repeatable")
      ->type_name("ID,ID")
      ->delimiter(',');
  AddRepeatable(command, "--history", &options->histories,
                "A history.textproto, its directory, a compiled history, or a "
                "name that ships (torch, demo); repeatable. Default: those "
                "that the modules "
                "name, or all that ship")
      ->type_name("NAME|DIR|FILE")
      ->group("Histories");
  AddReportFlags(command, &options->reports);
  AddOutputFlags(command, &options->output,
                 "Where the JSON report goes. Default: opcompat-matrix.json "
                 "here; with --format=json, standard output");
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options, context] {
      return RunMatrixCommand(*options, context->histories);
    };
  });
}

}  // namespace opcompat
