#include "tools/histories.h"

#include <dirent.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "ir/text/history_loader.h"
#include "schema/declared_history.h"
#include "schema/text/history_file.h"
#include "tools/history_input.h"
#include "tools/paths.h"

namespace opcompat {
namespace {

constexpr char kHistoryFile[] = "history.textproto";
constexpr absl::string_view kAllVersions = "all";

bool IsFile(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && !S_ISDIR(info.st_mode);
}

// One spelling for every path of the same history: its file, links followed.
std::string FileOfHistory(const std::string& path) {
  const std::string file = HistoryFileOf(path);
  char resolved[PATH_MAX];
  return realpath(file.c_str(), resolved) == nullptr ? file : resolved;
}

// The path of the program that is running, or empty.
std::string PathOfThisProgram() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
  if (size <= 0 || size == static_cast<ssize_t>(sizeof path)) return "";
  return std::string(path, static_cast<size_t>(size));
}

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// A message that says which versions there are is made by OpsetHistory::At.
absl::StatusOr<Opset> VersionOf(const OpsetHistory& history,
                                absl::string_view id, absl::string_view whose) {
  absl::StatusOr<Opset> opset = history.At(id);
  if (opset.ok()) return opset;
  return absl::NotFoundError(
      absl::StrCat(whose, ": ", opset.status().message()));
}

std::string Names(const std::vector<HistoryPtr>& histories) {
  if (histories.empty()) return "none";
  return absl::StrJoin(histories, ", ",
                       [](std::string* out, const HistoryPtr& history) {
                         absl::StrAppend(out, history->name());
                       });
}

// Adds `history` unless it is there already.
absl::Status Add(HistoryPtr history, std::vector<HistoryPtr>* chosen) {
  for (const HistoryPtr& other : *chosen) {
    if (other == history) return absl::OkStatus();
    if (other->HasName(history->name())) {
      return absl::InvalidArgumentError(
          absl::StrCat("two different histories are called ", history->name()));
    }
  }
  chosen->push_back(std::move(history));
  return absl::OkStatus();
}

absl::StatusOr<HistoryPtr> LoadCompiled(const HistoryInput& input) {
  absl::StatusOr<HistoryPtr> history = DecodeCompiledHistory(input);
  if (history.ok()) return history;
  return absl::Status(
      history.status().code(),
      absl::StrCat(input.path, ": ", history.status().message()));
}

absl::StatusOr<HistoryPtr> LoadText(const HistoryInput& input,
                                    Histories* histories) {
  LoadOptions options;
  options.find_other = [histories](absl::string_view name) {
    return histories->FindOther(name);
  };
  return HistoryOrError(LoadTextHistory(input, options));
}

// What one `[HISTORY@]ID` of a flag names.
struct Named {
  std::string whose;  // `--target=torch@2.6.0`, for messages
  size_t index = 0;   // of the history
  std::string id;
};

absl::StatusOr<Named> FindNamed(const std::vector<HistoryPtr>& histories,
                                const std::string& text,
                                absl::string_view flag) {
  Named named;
  named.whose = absl::StrCat(flag, "=", text);
  absl::StatusOr<VersionChoice> choice = ParseVersionChoice(text);
  if (!choice.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(named.whose, ": ", choice.status().message()));
  }
  named.id = choice->id;
  if (choice->history.empty()) {
    if (histories.size() != 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          named.whose, ": several histories are in use (", Names(histories),
          "); say which, as in ", flag, "=",
          histories.empty() ? "torch" : histories[0]->name(), "@", choice->id));
    }
    return named;
  }
  while (named.index < histories.size() &&
         !histories[named.index]->HasName(choice->history)) {
    ++named.index;
  }
  if (named.index == histories.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        named.whose, ": no history ", choice->history, " is in use, only ",
        Names(histories), "; --history=FILE adds one"));
  }
  return named;
}

// The version of each history that `choices` name, or nullopt.
absl::StatusOr<std::vector<absl::optional<Opset>>> ChosenVersions(
    const std::vector<HistoryPtr>& histories,
    const std::vector<std::string>& choices, absl::string_view flag) {
  std::vector<absl::optional<Opset>> chosen(histories.size());
  for (const std::string& text : choices) {
    OPCOMPAT_ASSIGN_OR_RETURN(const Named named,
                              FindNamed(histories, text, flag));
    const OpsetHistory& history = *histories[named.index];
    OPCOMPAT_ASSIGN_OR_RETURN(Opset opset,
                              VersionOf(history, named.id, named.whose));
    if (chosen[named.index].has_value()) {
      return absl::InvalidArgumentError(absl::StrCat(
          named.whose, ": there is another version of ", history.name()));
    }
    chosen[named.index] = std::move(opset);
  }
  return chosen;
}

// The versions of each history that `choices` name, oldest first.
absl::StatusOr<std::vector<std::vector<Opset>>> VersionSets(
    const std::vector<HistoryPtr>& histories,
    const std::vector<std::string>& choices, absl::string_view flag) {
  // By history and version.
  std::vector<std::vector<bool>> chosen;
  for (const HistoryPtr& history : histories) {
    chosen.emplace_back(history->versions().size(), false);
  }
  for (const std::string& text : choices) {
    if (text == kAllVersions) {
      for (std::vector<bool>& versions : chosen) {
        versions.assign(versions.size(), true);
      }
      continue;
    }
    OPCOMPAT_ASSIGN_OR_RETURN(const Named named,
                              FindNamed(histories, text, flag));
    std::vector<bool>& versions = chosen[named.index];
    if (named.id == kAllVersions) {
      versions.assign(versions.size(), true);
      continue;
    }
    OPCOMPAT_ASSIGN_OR_RETURN(
        const Opset opset,
        VersionOf(*histories[named.index], named.id, named.whose));
    versions[opset.versions().size() - 1] = true;
  }
  std::vector<std::vector<Opset>> sets(histories.size());
  for (size_t i = 0; i < histories.size(); ++i) {
    for (size_t j = 0; j < chosen[i].size(); ++j) {
      if (chosen[i][j]) sets[i].push_back(histories[i]->versions()[j]);
    }
  }
  return sets;
}

absl::StatusOr<RuntimeChoice> MakeChoice(std::vector<HistoryPtr> histories,
                                         std::vector<Opset> opsets) {
  RuntimeChoice choice;
  OPCOMPAT_ASSIGN_OR_RETURN(choice.runtime, Runtime::Create(opsets));
  choice.histories = std::move(histories);
  choice.opsets = std::move(opsets);
  return choice;
}

// ChooseHistories, in the order in which they are named.
absl::StatusOr<std::vector<HistoryPtr>> CollectHistories(
    Histories& histories, const HistoryOptions& options,
    const std::vector<OpsetVersion>& opsets) {
  std::vector<HistoryPtr> chosen;
  if (!options.histories.empty()) {
    for (const std::string& name : options.histories) {
      OPCOMPAT_ASSIGN_OR_RETURN(HistoryPtr history, histories.Load(name));
      OPCOMPAT_RETURN_IF_ERROR(Add(std::move(history), &chosen));
    }
    return chosen;
  }
  for (const OpsetVersion& opset : opsets) {
    OPCOMPAT_ASSIGN_OR_RETURN(HistoryPtr history,
                              histories.LoadShipped(opset.name));
    OPCOMPAT_RETURN_IF_ERROR(Add(std::move(history), &chosen));
  }
  for (const std::string& text : options.versions) {
    const absl::StatusOr<VersionChoice> choice = ParseVersionChoice(text);
    // A fault is reported where the version is looked up.
    if (!choice.ok() || choice->history.empty()) continue;
    OPCOMPAT_ASSIGN_OR_RETURN(HistoryPtr history,
                              histories.LoadShipped(choice->history));
    OPCOMPAT_RETURN_IF_ERROR(Add(std::move(history), &chosen));
  }
  if (!opsets.empty()) return chosen;
  for (const std::string& name : histories.ShippedNames()) {
    OPCOMPAT_ASSIGN_OR_RETURN(HistoryPtr history, histories.Load(name));
    OPCOMPAT_RETURN_IF_ERROR(Add(std::move(history), &chosen));
  }
  if (chosen.empty()) {
    return absl::NotFoundError(
        "no history is known; give one with --history=FILE, or set "
        "OPCOMPAT_OPSETS to the directory of those that ship");
  }
  return chosen;
}

// ChooseRuntime and ChooseReaders.
absl::StatusOr<RuntimeChoice> Choose(Histories& histories,
                                     const HistoryOptions& options,
                                     const std::vector<OpsetVersion>& opsets,
                                     bool newest_for_unknown) {
  OPCOMPAT_ASSIGN_OR_RETURN(std::vector<HistoryPtr> chosen,
                            ChooseHistories(histories, options, opsets));
  OPCOMPAT_ASSIGN_OR_RETURN(
      const std::vector<absl::optional<Opset>> versions,
      ChosenVersions(chosen, options.versions, "--version"));
  std::vector<Opset> at;
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (versions[i].has_value()) {
      at.push_back(*versions[i]);
      continue;
    }
    const auto named = std::find_if(opsets.begin(), opsets.end(),
                                    [&](const OpsetVersion& opset) {
                                      return chosen[i]->HasName(opset.name);
                                    });
    if (named == opsets.end() ||
        (newest_for_unknown && !chosen[i]->At(named->version).ok())) {
      at.push_back(chosen[i]->newest());
      continue;
    }
    OPCOMPAT_ASSIGN_OR_RETURN(
        Opset opset, VersionOf(*chosen[i], named->version,
                               absl::StrCat("opset ", named->name, " ",
                                            named->version, " of the module")));
    at.push_back(std::move(opset));
  }
  return MakeChoice(std::move(chosen), std::move(at));
}

}  // namespace

std::string FindShippedHistories() {
  const std::string chosen = Environment("OPCOMPAT_OPSETS");
  if (!chosen.empty()) return chosen;
  std::vector<std::string> candidates;
  const std::string program = PathOfThisProgram();
  if (!program.empty()) {
    candidates.push_back(absl::StrCat(program, ".runfiles/opcompat/opsets"));
  }
  for (const char* variable : {"RUNFILES_DIR", "TEST_SRCDIR"}) {
    const std::string runfiles = Environment(variable);
    if (!runfiles.empty()) {
      candidates.push_back(absl::StrCat(runfiles, "/opcompat/opsets"));
    }
  }
  for (const std::string& candidate : candidates) {
    if (IsDirectory(candidate)) return candidate;
  }
  return "";
}

std::vector<std::string> Histories::ShippedNames() const {
  std::vector<std::string> names;
  if (shipped_.empty()) return names;
  DIR* directory = opendir(shipped_.c_str());
  if (directory == nullptr) return names;
  while (const dirent* item = readdir(directory)) {
    const std::string name = item->d_name;
    if (name[0] != '.' &&
        IsFile(absl::StrCat(shipped_, "/", name, "/", kHistoryFile))) {
      names.push_back(name);
    }
  }
  closedir(directory);
  std::sort(names.begin(), names.end());
  return names;
}

absl::StatusOr<std::string> Histories::PathOf(
    const std::string& name_or_path) const {
  if (name_or_path == "-") return name_or_path;
  const bool may_be_name = !shipped_.empty() && !name_or_path.empty() &&
                           !absl::StrContains(name_or_path, '/') &&
                           !absl::EndsWith(name_or_path, ".textproto") &&
                           name_or_path[0] != '.';
  if (may_be_name) {
    const std::string path = absl::StrCat(shipped_, "/", name_or_path);
    if (IsFile(absl::StrCat(path, "/", kHistoryFile))) return path;
  }
  struct stat info;
  if (stat(name_or_path.c_str(), &info) == 0) return name_or_path;
  const std::vector<std::string> names = ShippedNames();
  return absl::NotFoundError(absl::StrCat(
      name_or_path, ": there is no such file or directory, and no history of ",
      "that name ships",
      names.empty() ? ""
                    : absl::StrCat(" (", absl::StrJoin(names, ", "), " do)")));
}

absl::StatusOr<HistoryPtr> Histories::Load(const std::string& name_or_path) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::string path, PathOf(name_or_path));
  const std::string file = FileOfHistory(path);
  const auto it = loaded_.find(file);
  if (it != loaded_.end()) return it->second;
  OPCOMPAT_ASSIGN_OR_RETURN(const HistoryInput input, OpenHistory(path));
  absl::StatusOr<HistoryPtr> history =
      input.is_compiled ? LoadCompiled(input) : LoadText(input, this);
  if (!history.ok()) {
    absl::Status status = history.status();
    status.SetPayload(kHistoryFaultsPayload, absl::Cord());
    return status;
  }
  loaded_[file] = *history;
  return history;
}

std::string Histories::FileOf(const OpsetHistory& history) const {
  for (const auto& [file, loaded] : loaded_) {
    if (loaded.get() != &history || !IsFile(file)) continue;
    char absolute[PATH_MAX];
    return realpath(file.c_str(), absolute) == nullptr ? std::string()
                                                       : absolute;
  }
  return "";
}

absl::StatusOr<HistoryPtr> Histories::FindOther(absl::string_view name) {
  for (const auto& loaded : loaded_) {
    if (loaded.second->HasName(name)) return loaded.second;
  }
  return LoadShipped(name);
}

absl::StatusOr<HistoryPtr> Histories::LoadShipped(absl::string_view name) {
  const std::vector<std::string> names = ShippedNames();
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    return Load(std::string(name));
  }
  for (const std::string& shipped : names) {
    OPCOMPAT_ASSIGN_OR_RETURN(HistoryPtr history, Load(shipped));
    if (history->HasName(name)) return history;
  }
  return absl::NotFoundError(absl::StrCat(
      "no history called ", name, " ships",
      names.empty() ? "" : absl::StrCat(", only ", absl::StrJoin(names, ", ")),
      "; give it with --history=FILE"));
}

absl::StatusOr<VersionChoice> ParseVersionChoice(absl::string_view text) {
  VersionChoice choice;
  const size_t at = text.find('@');
  if (at != absl::string_view::npos) {
    choice.history = std::string(text.substr(0, at));
    if (choice.history.empty()) {
      return absl::InvalidArgumentError(
          "no history before @; [HISTORY@]ID is expected");
    }
    text.remove_prefix(at + 1);
  }
  if (text.empty()) {
    return absl::InvalidArgumentError(
        "the version is empty; [HISTORY@]ID is expected");
  }
  choice.id = std::string(text);
  return choice;
}

size_t RuntimeChoice::IndexOf(absl::string_view name) const {
  size_t index = 0;
  while (index < histories.size() && !histories[index]->HasName(name)) ++index;
  return index;
}

bool RuntimeChoice::HasVersions(
    const std::vector<OpsetVersion>& versions) const {
  return std::all_of(
      versions.begin(), versions.end(), [&](const OpsetVersion& opset) {
        const Opset* known = runtime.FindOpset(opset.name);
        return known != nullptr && known->version() == opset.version;
      });
}

std::string RuntimeChoice::ToString() const {
  return absl::StrJoin(opsets, ", ", [](std::string* out, const Opset& opset) {
    absl::StrAppend(out, opset.name(), " ", opset.version());
  });
}

absl::StatusOr<std::vector<HistoryPtr>> ChooseHistories(
    Histories& histories, const HistoryOptions& options,
    const std::vector<OpsetVersion>& opsets) {
  OPCOMPAT_ASSIGN_OR_RETURN(std::vector<HistoryPtr> chosen,
                            CollectHistories(histories, options, opsets));
  std::sort(chosen.begin(), chosen.end(),
            [](const HistoryPtr& x, const HistoryPtr& y) {
              return x->name() < y->name();
            });
  return chosen;
}

absl::StatusOr<RuntimeChoice> ChooseRuntime(
    Histories& histories, const HistoryOptions& options,
    const std::vector<OpsetVersion>& opsets) {
  return Choose(histories, options, opsets, /*newest_for_unknown=*/false);
}

absl::StatusOr<RuntimeChoice> ChooseReaders(
    Histories& histories, const HistoryOptions& options,
    const std::vector<OpsetVersion>& opsets) {
  return Choose(histories, options, opsets, /*newest_for_unknown=*/true);
}

absl::StatusOr<RuntimeChoice> WithVersions(
    const RuntimeChoice& base, const std::vector<std::string>& choices,
    absl::string_view flag) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::vector<absl::optional<Opset>> versions,
                            ChosenVersions(base.histories, choices, flag));
  std::vector<Opset> opsets = base.opsets;
  for (size_t i = 0; i < opsets.size(); ++i) {
    if (versions[i].has_value()) opsets[i] = *versions[i];
  }
  return MakeChoice(base.histories, std::move(opsets));
}

absl::StatusOr<std::vector<RuntimeChoice>> WithVersionSets(
    const RuntimeChoice& base, const std::vector<std::string>& choices,
    absl::string_view flag) {
  OPCOMPAT_ASSIGN_OR_RETURN(std::vector<std::vector<Opset>> sets,
                            VersionSets(base.histories, choices, flag));
  size_t count = 1;
  for (size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].empty()) sets[i].push_back(base.opsets[i]);
    count *= sets[i].size();
    if (count > kMaxCombinations) {
      return absl::InvalidArgumentError(
          absl::StrCat(flag, ": the versions that it names make more than ",
                       kMaxCombinations,
                       " combinations; name fewer, or one history at a time"));
    }
  }
  std::vector<RuntimeChoice> choices_made;
  for (size_t number = 0; number < count; ++number) {
    std::vector<Opset> opsets;
    size_t rest = number;
    for (const std::vector<Opset>& set : sets) {
      opsets.push_back(set[rest % set.size()]);
      rest /= set.size();
    }
    OPCOMPAT_ASSIGN_OR_RETURN(RuntimeChoice choice,
                              MakeChoice(base.histories, std::move(opsets)));
    choices_made.push_back(std::move(choice));
  }
  return choices_made;
}

absl::StatusOr<RuntimeChoice> WithOpset(const RuntimeChoice& base, size_t index,
                                        const Opset& opset) {
  std::vector<Opset> opsets = base.opsets;
  opsets[index] = opset;
  return MakeChoice(base.histories, std::move(opsets));
}

}  // namespace opcompat
