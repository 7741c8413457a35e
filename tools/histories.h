// Which histories and versions a command works with: what `--history`,
// `--version` and `--target` name, or what a module says of itself.
#ifndef OPCOMPAT_TOOLS_HISTORIES_H_
#define OPCOMPAT_TOOLS_HISTORIES_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/module.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {

using HistoryPtr = std::shared_ptr<const OpsetHistory>;

// The directory of the histories that ship: the environment variable
// OPCOMPAT_OPSETS, or beside the tool as Bazel lays it out. Empty: none found.
std::string FindShippedHistories();

// Marks a status whose message is the faults of a history, each with its place.
inline constexpr char kHistoryFaultsPayload[] = "opcompat/history_faults";

// Finds and loads histories; each is loaded once.
class Histories {
 public:
  // `shipped` has a directory for each history; empty: none ship.
  explicit Histories(std::string shipped) : shipped_(std::move(shipped)) {}

  // The names of those that ship, sorted.
  std::vector<std::string> ShippedNames() const;

  // The path of `NAME|DIR|FILE`, as `--history` takes it: a name without `/`
  // and `.textproto` is a shipped history if there is one, else a path.
  // `-` is standard input. Returns NotFound if there is nothing at the path.
  absl::StatusOr<std::string> PathOf(const std::string& name_or_path) const;

  // Loads `NAME|DIR|FILE`; a file may be a compiled history, and standard input
  // (`-`) or a pipe. Returns NotFound if there is none, InvalidArgument with
  // every fault, one a line, and the payload kHistoryFaultsPayload.
  absl::StatusOr<HistoryPtr> Load(const std::string& name_or_path);

  // The absolute path of the file that a loaded history came from; empty: it is
  // no file, or was not loaded here.
  std::string FileOf(const OpsetHistory& history) const;

  // For step graphs that call operators of other histories: one that is loaded
  // already, else a shipped one.
  absl::StatusOr<HistoryPtr> FindOther(absl::string_view name);

  // The shipped history of that name or alias. Returns NotFound if there is
  // none.
  absl::StatusOr<HistoryPtr> LoadShipped(absl::string_view name);

 private:
  std::string shipped_;
  std::map<std::string, HistoryPtr> loaded_;  // by path of its file
};

// `[HISTORY@]ID`.
struct VersionChoice {
  std::string history;  // empty: the only one
  std::string id;
};

// Returns InvalidArgument if the id, or the name before `@`, is empty.
absl::StatusOr<VersionChoice> ParseVersionChoice(absl::string_view text);

// What the flags say, as written.
struct HistoryOptions {
  std::vector<std::string> histories;
  std::vector<std::string> versions;
};

// Histories, one version of each, and the runtime of these.
struct RuntimeChoice {
  std::vector<HistoryPtr> histories;
  std::vector<Opset> opsets;  // parallel
  Runtime runtime;

  // Index of the history of that name or alias; histories.size(): none.
  size_t IndexOf(absl::string_view name) const;
  // Whether each of these is what `runtime` has of it.
  bool HasVersions(const std::vector<OpsetVersion>& versions) const;
  // `torch 2.6.0, demo 1.0`
  std::string ToString() const;
};

// The histories for modules that name `opsets`: those of `--history`; else the
// shipped ones that the modules and `--version` name; for a module that names
// none, all shipped ones. Sorted by name: what is written does not depend on
// the order of flags.
absl::StatusOr<std::vector<HistoryPtr>> ChooseHistories(
    Histories& histories, const HistoryOptions& options,
    const std::vector<OpsetVersion>& opsets);

// The runtime at which a module that names `opsets` is read: of each history
// the version of `--version`, else of the module, else the newest.
absl::StatusOr<RuntimeChoice> ChooseRuntime(
    Histories& histories, const HistoryOptions& options,
    const std::vector<OpsetVersion>& opsets);

// ChooseRuntime for a file whose readers are asked for: where a history lacks
// the version that the module names, the newest.
absl::StatusOr<RuntimeChoice> ChooseReaders(
    Histories& histories, const HistoryOptions& options,
    const std::vector<OpsetVersion>& opsets);

// `base` with other versions of some of its histories, one of each. `flag`
// names the flag that `choices` come from, for messages.
absl::StatusOr<RuntimeChoice> WithVersions(
    const RuntimeChoice& base, const std::vector<std::string>& choices,
    absl::string_view flag);

// Most combinations that WithVersionSets makes.
inline constexpr size_t kMaxCombinations = 10000;

// `base` with every combination of the versions that `choices` name: several of
// a history, `HISTORY@all` or `all` (of each). Histories that are not named
// stay as in `base`. None comes twice. Returns InvalidArgument if there are
// more than kMaxCombinations.
absl::StatusOr<std::vector<RuntimeChoice>> WithVersionSets(
    const RuntimeChoice& base, const std::vector<std::string>& choices,
    absl::string_view flag);

// `base` with another version of one history.
absl::StatusOr<RuntimeChoice> WithOpset(const RuntimeChoice& base, size_t index,
                                        const Opset& opset);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_HISTORIES_H_
