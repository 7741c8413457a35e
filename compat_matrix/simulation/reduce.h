// Makes a failing case small enough to be read: takes versions, operators,
// arguments, declarations and nodes away for as long as it still fails. Works
// on the texts, so that it serves simulated cases, those of fuzzers, and a
// user's own alike. What "fails" means, the caller says.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_REDUCE_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_REDUCE_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "compat_matrix/simulation/simulated_history.h"
#include "compat_matrix/simulation/step_kinds.h"

namespace opcompat {
namespace simulation {

// What an operator really does and the history does not declare: a Secret, with
// the version's id.
struct CaseSecret {
  std::string version;
  StepKind kind = StepKind::kMeaningChanged;
  std::string op;
  std::string argument;
  std::string truth;
};

// A history, a module of one of its versions, and the version that reads it.
struct ReducibleCase {
  HistoryFiles files;  // `history.textproto`, and what it names
  std::string module;  // module text
  std::string writer;  // version ids
  std::string reader;
  bool for_target = false;
  // Those of versions or operators that are gone say nothing.
  std::vector<CaseSecret> secrets = {};

  // All of it, as case_file.h reads it.
  std::string ToString() const;
};

// Whether the case still fails in the way that matters. Is asked of texts that
// make no sense, too: a history that does not load, or a module that does not
// parse, is no failure.
using StillFails = std::function<bool(const ReducibleCase&)>;

struct ReduceOptions {
  // How often `still_fails` may be asked.
  size_t max_tries = 20000;
  // Is told before each try: how many there were, with it, and the smallest
  // case so far. Null: nobody is.
  std::function<void(size_t tries, const ReducibleCase& smallest)> on_try =
      nullptr;
};

// The smallest case found; `failing` itself if it does not fail. Nothing can be
// taken from the result any more without losing the failure, unless
// `max_tries` came first. The same input gives the same result.
ReducibleCase ReduceCase(ReducibleCase failing, const StillFails& still_fails,
                         const ReduceOptions& options = {});

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_REDUCE_H_
