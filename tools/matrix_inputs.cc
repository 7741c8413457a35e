#include "tools/matrix_inputs.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "ir/text/module_parser.h"
#include "tools/glob.h"
#include "tools/inputs.h"
#include "tools/paths.h"

namespace opcompat {
namespace {

namespace fs = std::filesystem;

// Histories that are run together, and their modules.
struct Group {
  std::vector<HistoryPtr> histories;
  std::vector<std::string> paths;
};

// Reports, expectations and databases name modules by their paths. What ships
// is found by its full path; below the working directory it is named from
// there, so that it has one name in all checkouts.
fs::path FromHere(const fs::path& full) {
  std::error_code error;
  const fs::path below = full.lexically_relative(fs::current_path(error));
  return error || below.empty() || *below.begin() == ".." ? full : below;
}

// The modules that belong to the history at `path`, which ships or was given.
std::vector<std::string> ModulesBeside(const std::string& path, bool ships) {
  std::string directory = path;
  if (!IsDirectory(path)) {
    const size_t slash = path.rfind('/');
    directory = slash == std::string::npos ? "." : path.substr(0, slash);
  }
  const fs::path normal = fs::path(directory).lexically_normal();
  directory = (ships ? FromHere(normal) : normal).string();
  while (directory.size() > 1 && directory.back() == '/') directory.pop_back();
  std::vector<std::string> found;
  for (const char* pattern : {"modules/**/*.graph", "models/**/*.graph"}) {
    const absl::StatusOr<std::vector<std::string>> files =
        Glob(absl::StrCat(directory, "/", pattern));
    if (files.ok()) found.insert(found.end(), files->begin(), files->end());
  }
  return found;
}

class Inputs {
 public:
  Inputs(const MatrixInputFlags& flags, Histories& histories)
      : flags_(flags), histories_(histories) {}

  absl::StatusOr<std::vector<MatrixOptions>> Load() {
    OPCOMPAT_ASSIGN_OR_RETURN(
        const std::vector<Group> groups,
        flags_.modules.empty() ? OwnModules() : GivenModules());
    OPCOMPAT_RETURN_IF_ERROR(CheckVersions(groups));
    std::vector<MatrixOptions> inputs;
    for (const Group& group : groups) {
      MatrixOptions matrix;
      matrix.histories = group.histories;
      if (!Limit(group, flags_.writers, &matrix.writers) ||
          !Limit(group, flags_.readers, &matrix.readers)) {
        continue;
      }
      for (const std::string& path : group.paths) {
        OPCOMPAT_ASSIGN_OR_RETURN(std::string text, ReadText(path));
        matrix.modules.push_back({path, std::move(text)});
      }
      inputs.push_back(std::move(matrix));
    }
    return inputs;
  }

 private:
  // Each history with the modules beside it.
  absl::StatusOr<std::vector<Group>> OwnModules() {
    const std::vector<std::string> shipped = histories_.ShippedNames();
    const std::vector<std::string>& names =
        flags_.histories.empty() ? shipped : flags_.histories;
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
      const bool is_shipped =
          std::find(shipped.begin(), shipped.end(), name) != shipped.end();
      group.paths = ModulesBeside(path, is_shipped);
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
    for (const std::string& pattern : flags_.modules) {
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
    history_options.histories = flags_.histories;
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

  // A version that one history has is enough; ModuleUnits sees one group only.
  absl::Status CheckVersions(const std::vector<Group>& groups) const {
    for (const auto* only : {&flags_.writers, &flags_.readers}) {
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

  const MatrixInputFlags& flags_;
  Histories& histories_;
};

}  // namespace

absl::StatusOr<std::vector<MatrixOptions>> MatrixInputs(
    const MatrixInputFlags& flags, Histories& histories) {
  return Inputs(flags, histories).Load();
}

void AddInputFiles(const MatrixOptions& input, const Histories& histories,
                   std::vector<std::string>* files) {
  for (const MatrixModule& module : input.modules) {
    files->push_back(module.path);
  }
  for (const HistoryPtr& history : input.histories) {
    const std::string file = histories.FileOf(*history);
    if (file.empty()) continue;
    files->push_back(file);
    // A compiled history is all in one file.
    if (!absl::EndsWith(file, ".textproto")) continue;
    const absl::string_view directory =
        absl::string_view(file).substr(0, file.rfind('/') + 1);
    for (const char* pattern : {"*.ops", "*/*.ops", "*.graph", "*/*.graph"}) {
      const absl::StatusOr<std::vector<std::string>> found =
          Glob(absl::StrCat(directory, pattern));
      if (found.ok()) files->insert(files->end(), found->begin(), found->end());
    }
  }
}

}  // namespace opcompat
