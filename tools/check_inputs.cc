#include "tools/check_inputs.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "schema/text/history_file.h"
#include "tools/check_git.h"
#include "tools/check_published.h"
#include "tools/check_undeclared.h"
#include "tools/history_input.h"
#include "tools/inputs.h"
#include "tools/loaded_history.h"
#include "tools/paths.h"
#include "tools/schema_list.h"

namespace opcompat {
namespace {

std::string DirectoryOf(const std::string& file) {
  return file.substr(0, file.rfind('/') + 1);
}

void AddFaults(const std::vector<HistoryFault>& faults,
               const std::string& revision, std::vector<FaultLine>* lines) {
  for (FaultLine& line : FaultLinesOf(faults)) {
    line.file = absl::StrCat(revision, line.file);
    lines->push_back(std::move(line));
  }
}

// A step graph's path in the history at `file`, as a path to read.
std::string GraphPath(const std::string& file, const std::string& path) {
  return absl::StartsWith(path, "/") ? path : DirectoryOf(file) + path;
}

// One of two files of schemas.
absl::Status ReadSchemas(const std::string& path, DeclaredVersion* version,
                         std::string* name, std::vector<FaultLine>* faults) {
  OPCOMPAT_ASSIGN_OR_RETURN(SchemaList list, ReadSchemaList(path));
  *name = std::move(list.history);
  version->id = std::move(list.version);
  version->place = {path, 1};
  version->operators_file = path;
  version->schemas = std::move(list.schemas);
  version->schema_lines = std::move(list.lines);
  faults->insert(faults->end(), list.faults.begin(), list.faults.end());
  return absl::OkStatus();
}

// The history that `name` is, as LoadHistory takes it: its textproto.
absl::StatusOr<CheckInput> LoadAt(const std::string& file,
                                  Histories& histories) {
  OPCOMPAT_ASSIGN_OR_RETURN(const HistoryInput opened, OpenHistory(file));
  LoadedHistory loaded = LoadDeclaredHistory(opened, histories);
  CheckInput input;
  AddFaults(loaded.faults, "", &input.faults);
  input.declared = std::move(loaded.declared);
  input.history = std::move(loaded.history);
  input.known_breaks = absl::StrCat(DirectoryOf(file), "known_breaks.txt");
  return input;
}

}  // namespace

absl::StatusOr<CheckInput> ReadHistoryInput(const std::string& name,
                                            Histories& histories) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::string path, histories.PathOf(name));
  return LoadAt(HistoryFileOf(path), histories);
}

absl::StatusOr<CheckInput> ReadHistoryAgainst(const std::string& name,
                                              const std::string& revision,
                                              Histories& histories) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::string path, histories.PathOf(name));
  const std::string file = HistoryFileOf(path);
  if (!absl::EndsWith(file, ".textproto")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--against=", revision, ": ", file,
        " is no history: the name of its file ends in .textproto"));
  }
  absl::StatusOr<GitRevision> git = GitRevision::Open(file, revision);
  absl::Status status = git.status();
  if (status.ok()) status = git->Read(file).status();
  if (!status.ok()) {
    return absl::Status(status.code(), absl::StrCat("--against=", revision,
                                                    ": ", status.message()));
  }
  OPCOMPAT_ASSIGN_OR_RETURN(CheckInput input, LoadAt(file, histories));
  const LoadedHistory published = LoadDeclaredHistory(
      file, [&git](const std::string& f) { return git->Read(f); }, histories);
  AddFaults(published.faults, absl::StrCat(revision, ":"), &input.faults);
  if (!input.faults.empty()) {
    input.history = nullptr;
    return input;
  }
  for (const DeclaredVersion& version : published.declared.versions) {
    input.published_versions.insert(version.id);
  }
  const HistoryState then = {&published.declared,
                             [&](const std::string& graph) {
                               return git->Read(GraphPath(file, graph));
                             }};
  const HistoryState now = {&input.declared, [&](const std::string& graph) {
                              return ReadInput(GraphPath(file, graph));
                            }};
  input.published_findings = ComparePublished(then, now);
  return input;
}

absl::StatusOr<CheckInput> ReadTwoFiles(const std::string& older,
                                        const std::string& newer, bool gap) {
  CheckInput input;
  DeclaredVersion versions[2];
  std::string names[2];
  OPCOMPAT_RETURN_IF_ERROR(
      ReadSchemas(older, &versions[0], &names[0], &input.faults));
  OPCOMPAT_RETURN_IF_ERROR(
      ReadSchemas(newer, &versions[1], &names[1], &input.faults));
  if (!names[0].empty() && !names[1].empty() && names[0] != names[1]) {
    return absl::InvalidArgumentError(absl::StrCat(
        older, " is of the history ", names[0], ", ", newer, " of ", names[1],
        "; two versions of one history are expected"));
  }
  DeclaredHistory& declared = input.declared;
  declared.name = !names[1].empty()   ? names[1]
                  : !names[0].empty() ? names[0]
                                      : "opset";
  declared.place = {newer, 1};
  if (versions[0].id == versions[1].id) {
    versions[0].id.clear();
    versions[1].id.clear();
  }
  if (versions[0].id.empty()) versions[0].id = "old";
  if (versions[1].id.empty()) versions[1].id = "new";
  if (gap) versions[1].gap.emplace();
  for (DeclaredVersion& version : versions) {
    declared.versions.push_back(std::move(version));
  }
  if (!input.faults.empty()) return input;
  UndeclaredHistory built = BuildUndeclared(&declared);
  AddFaults(built.faults, "", &input.faults);
  input.history = std::move(built.history);
  input.undeclared_findings = std::move(built.findings);
  return input;
}

}  // namespace opcompat
