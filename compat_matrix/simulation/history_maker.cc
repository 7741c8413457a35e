#include "compat_matrix/simulation/history_maker.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/argument_steps.h"
#include "compat_matrix/simulation/history_draft.h"
#include "compat_matrix/simulation/new_operators.h"
#include "compat_matrix/simulation/operator_model.h"
#include "compat_matrix/simulation/random.h"
#include "compat_matrix/simulation/step_kinds.h"

namespace opcompat {
namespace simulation {
namespace {

constexpr size_t kMaxOperators = 6;

// A kind by its weight.
StepKind DrawKind(Random* random) {
  size_t sum = 0;
  for (const StepWeight& weight : StepWeights()) {
    sum += static_cast<size_t>(weight.weight);
  }
  size_t drawn = random->Below(sum);
  for (const StepWeight& weight : StepWeights()) {
    if (drawn < static_cast<size_t>(weight.weight)) return weight.kind;
    drawn -= static_cast<size_t>(weight.weight);
  }
  return StepKind::kArgumentAdded;
}

// Draws what happens.
class Maker {
 public:
  Maker(uint64_t seed, const SimulationOptions& options)
      : seed_(seed),
        options_(options),
        random_(seed * 2 + (options.careless ? 1 : 0)) {}

  SimulatedHistory Make() {
    const int num_versions = options_.num_versions > 0
                                 ? options_.num_versions
                                 : 3 + static_cast<int>(random_.Below(3));
    careless_version_ =
        options_.careless
            ? 1 + random_.Below(static_cast<size_t>(num_versions) - 1)
            : 0;
    careless_kind_ = static_cast<StepKind>(
        static_cast<size_t>(StepKind::kMeaningChanged) + seed_ % 5);
    HistoryDraft draft(absl::StrCat("sim", seed_), random_.OneIn(4));
    FirstVersion(&draft);
    for (int v = 1; v < num_versions; ++v) {
      NextVersion(static_cast<size_t>(v), &draft);
    }
    SimulatedHistory history = std::move(draft).Finish();
    history.seed = seed_;
    return history;
  }

 private:
  void FirstVersion(HistoryDraft* draft) {
    size_t num_operators = 0;
    const auto add = [&](OperatorModel op) {
      draft->AddFirst(std::move(op));
      ++num_operators;
    };
    add(FlagOperator(draft->name()));
    add(MixOperator(draft->name()));
    add(NumberedOperator(draft->name(), draft->names(), &random_));
    if (careless_kind_ == StepKind::kPositionsReordered && options_.careless) {
      add(UnnamedOperator(draft->name(), draft->names(), &random_));
    }
    const size_t wanted = options_.num_operators > 0
                              ? static_cast<size_t>(options_.num_operators)
                              : 3 + random_.Below(2);
    while (num_operators < wanted) {
      add(NewOperator(draft->name(), draft->names(), &random_));
    }
    draft->EndVersion();
  }

  void NextVersion(size_t version, HistoryDraft* draft) {
    absl::optional<GapModel> gap;
    if (!options_.invertible && random_.OneIn(6)) {
      gap = GapModel{random_.OneIn(2), random_.OneIn(2)};
    }
    draft->BeginVersion(gap);
    num_gone_ = 0;
    for (size_t place = 0; place < draft->num_before(); ++place) {
      if (!random_.OneIn(3)) TakeAnyStep(place, draft);
    }
    AddOperators(draft);
    if (options_.careless && version >= careless_version_ &&
        !draft->has_secrets()) {
      TakeCarelessStep(draft);
    }
    draft->EndVersion();
  }

  // One step with the operator, or none.
  void TakeAnyStep(size_t place, HistoryDraft* draft) {
    for (int attempt = 0; attempt < 6; ++attempt) {
      const StepKind kind = DrawKind(&random_);
      if (options_.invertible && !StaysInvertible(kind)) continue;
      const bool removes = kind == StepKind::kOperatorRemoved ||
                           kind == StepKind::kRemovedWithUpgrader;
      if (removes && (draft->num_before() <= 3 || num_gone_ > 0)) continue;
      if (!draft->Take(kind, place, &random_)) continue;
      num_gone_ += removes;
      return;
    }
  }

  void AddOperators(HistoryDraft* draft) {
    if (options_.invertible) return;
    if (draft->num_operators() >= kMaxOperators || !random_.OneIn(3)) return;
    OperatorModel op = NewOperator(draft->name(), draft->names(), &random_);
    const bool downgrader = random_.OneIn(2);
    draft->Add(
        downgrader ? StepKind::kAddedWithDowngrader : StepKind::kOperatorAdded,
        std::move(op), &random_);
  }

  // The step that the seed says, with the first operator that allows it and
  // has taken none at this version.
  void TakeCarelessStep(HistoryDraft* draft) {
    for (size_t place = 0; place < draft->num_before(); ++place) {
      if (draft->At(place).is_stable) continue;
      if (draft->Take(careless_kind_, place, &random_)) return;
    }
  }

  const uint64_t seed_;
  const SimulationOptions options_;
  Random random_;
  size_t careless_version_ = 0;
  StepKind careless_kind_ = StepKind::kMeaningChanged;
  int num_gone_ = 0;  // at the version at hand
};

}  // namespace

SimulatedHistory MakeHistory(uint64_t seed, const SimulationOptions& options) {
  return Maker(seed, options).Make();
}

}  // namespace simulation
}  // namespace opcompat
