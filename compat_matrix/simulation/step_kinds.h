// What happens to operators from one version to the next: the kinds of steps
// that a simulated history takes, how often real histories take them, and what
// each promises.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_STEP_KINDS_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_STEP_KINDS_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace opcompat {
namespace simulation {

enum class StepKind : uint8_t {
  // Arguments that come.
  kArgumentAdded,          // the last positional one, with a default
  kArgumentAddedInMiddle,  // before other defaulted ones
  kArgumentAddedRequired,  // without a default and a neutral value
  kRequiredAddedNeutral,   // without a default; its neutral value is declared
  kNeutralDeclared,        // with a default that is not the neutral value
  kKeywordOnlyAdded,       // behind or before other keyword-only ones
  kAddedBeforeOut,         // keyword-only, before the out argument
  kHintAdded,              // ignorable
  kArgumentReturned,       // one that was retired
  // Arguments that go.
  kArgumentRemoved,  // retired at its default
  kRetiredDeclared,  // retired at a declared value
  // Arguments that change.
  kDefaultChanged,
  kDefaultAdded,
  kDefaultRemoved,
  kArgumentRenamed,
  kMadeKeywordOnly,
  kMadePositional,
  kReordered,         // by name
  kEqualValue,        // int -> int? and None means a number
  kSymbolic,          // int -> SymInt
  kMadeOptional,      // T -> T?
  kMadeRequiredType,  // T? -> T
  kWidened,           // int -> Scalar, float -> Scalar
  kNarrowed,          // Scalar -> int
  kEmbedded,          // int -> float, int -> int[2], int? -> ScalarType?
  kListSize,          // T[n] <-> T[]
  // Results and marks.
  kResultAdded,
  kResultRemoved,
  kResultRenamed,
  kMarksFixed,    // annotation_fixed
  kMarksChanged,  // and nobody says why
  // Operators.
  kOperatorRenamed,
  kOperatorAdded,
  kAddedWithDowngrader,
  kOperatorRemoved,
  kRemovedWithUpgrader,
  // New revisions.
  kUpgrader,         // a graph for every call
  kUpgraderByValue,  // graphs for single values, then one for the rest
  kUpgraderByType,   // graphs for int and for float
  kInvertible,       // graphs for three values, and their way back
  kUnchangedWhen,    // the same at one value, a graph for another
  kDowngrader,       // only a way down
  kOneWay,           // neither

  // What careless people do; none of it is declared.
  kMeaningChanged,      // no new revision
  kSilentRename,        // of an argument
  kPositionsReordered,  // of unnamed arguments, `_0` and `_1`
  kWrongUpgrader,       // the graph means something else
  kWrongNeutral,        // the declared neutral value is not neutral
};

inline constexpr int kNumStepKinds =
    static_cast<int>(StepKind::kWrongNeutral) + 1;

// `argument-added`.
absl::string_view StepKindName(StepKind kind);
// nullopt: there is none of that name.
absl::optional<StepKind> StepKindOfName(absl::string_view name);
// Not declared as it really is.
bool IsCareless(StepKind kind);

// Which calls of the operator are never refused. (Others may be accepted, by
// value.)
struct StepPromise {
  // Those of the version before, by the version of the step.
  bool backward = false;
  // Those of the version of the step, by the version before.
  bool forward = false;
  // Those of the version of the step, written for the version before.
  bool for_target = false;

  friend bool operator==(const StepPromise& a, const StepPromise& b) {
    return a.backward == b.backward && a.forward == b.forward &&
           a.for_target == b.for_target;
  }
};

// `backward`, `forward`, `both`, `none`; `backward (and target)`, `none (but
// target)` where files written for the version before are promised, too.
absl::string_view PromiseName(const StepPromise& promise);

// What a step of the kind promises where nothing takes it back (a gap does).
StepPromise PromiseOf(StepKind kind);

// How often a legal step is drawn, relative to the others.
struct StepWeight {
  StepKind kind;
  // How often it was seen in real histories; see step_kinds.cc.
  int observed;
  // The rounded square root of that, at least 3: so that what is frequent
  // comes more often, and what is rare comes.
  int weight;
};

// All legal kinds.
const std::vector<StepWeight>& StepWeights();

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_STEP_KINDS_H_
