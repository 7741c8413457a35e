// A history that nobody lived: versions of an opset that evolve at random, by
// every kind of step that docs/compatibility.md knows, as the files that a
// person would have written. The same seed gives the same text, on every
// machine.
//
// For the laws of the matrix, which hold whatever a history says; not a model
// of any real library.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_SIMULATED_HISTORY_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_SIMULATED_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/simulation/step_kinds.h"
#include "ir/text/history_loader.h"
#include "schema/history.h"

namespace opcompat {
namespace simulation {

struct SimulationOptions {
  // Versions "1", "2", ...; 0: three to five, as the seed says.
  int num_versions = 0;
  // Operators of the first version; 0: three or four.
  int num_operators = 0;
  // One careless step of a kind that the seed says. (The history may not load.)
  bool careless = false;
  // Only steps after which a way down and up again is the identity: nothing
  // comes or goes by a graph but what kInvertible does.
  bool invertible = false;
};

// One thing that happened.
struct SimulatedStep {
  size_t version = 0;  // place in the history
  // The operator's name at the version before (at this one, if it is new), and
  // at this one (before, if it is gone).
  std::string before;
  std::string op;
  StepKind kind = StepKind::kArgumentAdded;
  StepPromise promise;
  // The argument that it is about, by its name at this version (before, if it
  // is gone); may be empty.
  std::string argument;

  // `2 sim::op1 argument-added p3: backward`, versions counted from 1.
  std::string ToString() const;
};

// What a careless history does not declare. Names are those of `version`.
struct Secret {
  size_t version = 0;
  StepKind kind = StepKind::kMeaningChanged;
  std::string op;
  std::string argument;  // kSilentRename, kWrongNeutral
  // kSilentRename: the argument's name before. kWrongNeutral: the value at
  // which the version before behaves.
  std::string truth;
};

// Files by path; `history.textproto` is the history.
using HistoryFiles = std::map<std::string, std::string>;

// The files as one text, each behind a line `--- PATH`.
std::string FilesText(const HistoryFiles& files);

// The files of such a text: what FilesText gives for them is the same text, if
// each line `--- PATH` has another path and the paths rise. Lines before the
// first one belong to no file. (A file that does not end in a newline has
// always been the last one.)
HistoryFiles FilesOfText(absl::string_view text);

// Loads `history.textproto` of `files`.
LoadedHistory LoadFiles(const HistoryFiles& files);

struct SimulatedHistory {
  uint64_t seed = 0;
  std::string name;  // of the history: `sim17`
  HistoryFiles files;
  std::vector<SimulatedStep> steps;
  std::vector<Secret> secrets;
  // What loading the files gives. `loaded.history` is null if a careless step
  // is a fault of the history.
  LoadedHistory loaded;

  const std::shared_ptr<const OpsetHistory>& history() const {
    return loaded.history;
  }
  // Seed, steps, files.
  std::string ToString() const;
};

// Returns Internal if a history without careless steps does not load: that is
// a bug of this generator or of the loader. The message has all of it.
absl::StatusOr<SimulatedHistory> SimulateHistory(
    uint64_t seed, const SimulationOptions& options = {});

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_SIMULATED_HISTORY_H_
