// A history while it is made: versions to which a caller adds steps, one after
// the other, each of a kind and with dice of its own. Whatever is asked for, in
// whatever order, what comes of it is a history without faults (but for
// careless steps): a step that is impossible is not taken.
//
// Who decides which steps are taken: history_maker.h by a seed, the fuzzers by
// their inputs.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_HISTORY_DRAFT_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_HISTORY_DRAFT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "compat_matrix/simulation/argument_steps.h"
#include "compat_matrix/simulation/operator_model.h"
#include "compat_matrix/simulation/random.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "compat_matrix/simulation/step_kinds.h"

namespace opcompat {
namespace simulation {

// Whether a way down and up again is the identity after steps of the kind, if
// no version is behind a gap.
bool StaysInvertible(StepKind kind);

class HistoryDraft {
 public:
  // A history of that name, whose first version is open. One of its operators
  // must be stable and simple, so that graphs have something to call.
  HistoryDraft(std::string name, bool has_alias);
  HistoryDraft(const HistoryDraft&) = delete;
  HistoryDraft& operator=(const HistoryDraft&) = delete;

  const std::string& name() const { return history_.name; }
  // For operators that are to be added.
  NewNames* names() { return &names_; }

  // An operator of the first version.
  void AddFirst(OperatorModel op);

  void BeginVersion(const absl::optional<GapModel>& gap);
  // The dice of all steps since BeginVersion must still be there.
  void EndVersion();

  // The operators of the version before, by place, and what became of them.
  size_t num_before() const { return places_.size(); }
  const OperatorModel& At(size_t place) const { return places_[place].op; }
  bool IsUntouched(size_t place) const { return places_[place].is_untouched; }
  // How many operators the version at hand has.
  size_t num_operators() const;

  // Takes a step with the operator at `place`. False: it has taken one at this
  // version, or there is nothing in it that the kind could be about.
  bool Take(StepKind kind, size_t place, Random* random);
  // kOperatorAdded; or kAddedWithDowngrader, where a graph can stand for `op`.
  void Add(StepKind kind, OperatorModel op, Random* random);

  // What Take did: of all versions.
  const std::vector<SimulatedStep>& steps() const { return history_.steps; }
  bool has_secrets() const { return !history_.secrets.empty(); }

  // All of the history but `seed` and `loaded`. No version may be open.
  SimulatedHistory Finish() &&;

 private:
  struct Place {
    OperatorModel op;
    bool is_untouched = true;
    bool is_gone = false;
  };
  // Its graphs are made when all steps of the version have been taken: they
  // call operators of a whole version.
  struct Revised {
    StepKind kind;
    std::string before;  // the operator's name; empty: it is new
    std::string after;   // empty: it is gone
    Random* random;
  };

  void Declare(const std::string& op, const std::string& field);
  SimulatedStep& Record(StepKind kind, const std::string& before,
                        const std::string& after);
  bool TakeUntouched(StepKind kind, Place* place, Random* random);
  bool Remove(StepKind kind, Place* place, Random* random);
  void Revise(StepKind kind, OperatorModel* op, Random* random);
  bool TakeArguments(StepKind kind, OperatorModel* op, Random* random);
  std::string DeclareGraphs();
  void WriteVersion(const std::string& graphs);

  SimulatedHistory history_;
  NewNames names_;
  std::string text_;  // history.textproto
  int num_graphs_ = 0;
  size_t version_ = 0;
  std::vector<OperatorModel> before_;

  // The version at hand.
  std::vector<Place> places_;
  std::vector<OperatorModel> added_;
  std::vector<OperatorModel> after_;  // once all steps have been taken
  absl::optional<GapModel> gap_;
  std::vector<std::string> declared_;
  std::vector<std::string> exceptions_;
  std::vector<Revised> revised_;
};

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_HISTORY_DRAFT_H_
