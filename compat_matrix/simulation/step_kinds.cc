#include "compat_matrix/simulation/step_kinds.h"

#include <algorithm>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace opcompat {
namespace simulation {
namespace {

constexpr StepPromise kNoPromise = {false, false, false};
constexpr StepPromise kBackward = {true, false, false};
constexpr StepPromise kForward = {false, true, true};
constexpr StepPromise kBoth = {true, true, true};
constexpr StepPromise kTarget = {false, false, true};

struct KindInfo {
  StepKind kind;
  absl::string_view name;
  StepPromise promise;
  // How often real histories did it: PyTorch's operators from 1.7.1 to 1.13.1
  // to 2.6.0 (their registries, compared: opsets/torch) plus ONNX's over all
  // its versions. 0: never seen, or nobody can tell (a meaning that changed is
  // in no registry). -1: careless, not drawn.
  int observed;
};

constexpr KindInfo kKinds[] = {
    // PyTorch 26 + 19; ONNX 28 attributes with a default, 14 optional inputs.
    {StepKind::kArgumentAdded, "argument-added", kBackward, 87},
    {StepKind::kArgumentAddedInMiddle, "argument-added-in-middle", kBackward,
     1},
    // PyTorch 9 + 6 in the middle, 6 trailing; ONNX 2.
    {StepKind::kArgumentAddedRequired, "argument-added-required", kNoPromise,
     23},
    {StepKind::kRequiredAddedNeutral, "required-added-neutral", kBackward, 0},
    {StepKind::kNeutralDeclared, "neutral-declared", kBackward, 0},
    // PyTorch 22 + 14 at the end, 6 + 1 before others.
    {StepKind::kKeywordOnlyAdded, "keyword-only-added", kBackward, 43},
    {StepKind::kAddedBeforeOut, "added-before-out", kBackward, 0},
    {StepKind::kHintAdded, "hint-added", kBoth, 0},
    {StepKind::kArgumentReturned, "argument-returned", kBackward, 0},
    // PyTorch 17 + 1; ONNX 77.
    {StepKind::kArgumentRemoved, "argument-removed", kForward, 95},
    {StepKind::kRetiredDeclared, "retired-declared", kForward, 0},
    // PyTorch 10; ONNX 12.
    {StepKind::kDefaultChanged, "default-changed", kBoth, 22},
    // PyTorch 6 + 23 and 4.
    {StepKind::kDefaultAdded, "default-added", kBoth, 29},
    {StepKind::kDefaultRemoved, "default-removed", kBoth, 4},
    // PyTorch 29 + 54.
    {StepKind::kArgumentRenamed, "argument-renamed", kBoth, 83},
    {StepKind::kMadeKeywordOnly, "made-keyword-only", kBoth, 0},
    {StepKind::kMadePositional, "made-positional", kBoth, 0},
    // PyTorch: native_layer_norm, _scaled_mm.
    {StepKind::kReordered, "reordered", kBoth, 2},
    // PyTorch: slice's start and end, nansum's and nanmean's dim.
    {StepKind::kEqualValue, "equal-value", kBackward, 4},
    // PyTorch 120 + 540.
    {StepKind::kSymbolic, "symbolic", kBoth, 660},
    // PyTorch 16 + 2, and 4.
    {StepKind::kMadeOptional, "made-optional", kBackward, 18},
    {StepKind::kMadeRequiredType, "made-required-type", kForward, 4},
    {StepKind::kWidened, "widened", kBackward, 0},
    {StepKind::kNarrowed, "narrowed", kForward, 0},
    // PyTorch: over 200 arguments `int?` became `ScalarType?` or `Layout?`.
    {StepKind::kEmbedded, "embedded", kNoPromise, 200},
    {StepKind::kListSize, "list-size", kBoth, 0},
    // PyTorch 3 + 3 changed the number of results, 4 + 15 a name.
    {StepKind::kResultAdded, "result-added", kBackward, 3},
    {StepKind::kResultRemoved, "result-removed", kForward, 3},
    {StepKind::kResultRenamed, "result-renamed", kBoth, 19},
    // PyTorch 24 + 5, some of which were corrections only.
    {StepKind::kMarksFixed, "marks-fixed", kBoth, 15},
    {StepKind::kMarksChanged, "marks-changed", kNoPromise, 14},
    {StepKind::kOperatorRenamed, "operator-renamed", kBoth, 0},
    // PyTorch 1350 + 337 and 516 + 61 overloads; 150 + 112 and 16 + 42 removed.
    {StepKind::kOperatorAdded, "operator-added", kBackward, 2264},
    {StepKind::kAddedWithDowngrader,
     "added-with-downgrader",
     {true, false, true},
     0},
    {StepKind::kOperatorRemoved, "operator-removed", kForward, 320},
    {StepKind::kRemovedWithUpgrader, "removed-with-upgrader", kBoth, 0},
    // PyTorch: floor_divide, stft, div, full.
    {StepKind::kUpgrader, "upgrader", kBackward, 4},
    {StepKind::kUpgraderByValue, "upgrader-by-value", kBackward, 0},
    {StepKind::kUpgraderByType, "upgrader-by-type", kNoPromise, 0},
    {StepKind::kInvertible, "invertible", kNoPromise, 0},
    {StepKind::kUnchangedWhen, "unchanged-when", kNoPromise, 0},
    {StepKind::kDowngrader, "downgrader", kTarget, 0},
    {StepKind::kOneWay, "one-way", kNoPromise, 0},
    {StepKind::kMeaningChanged, "meaning-changed", kNoPromise, -1},
    {StepKind::kSilentRename, "silent-rename", kNoPromise, -1},
    {StepKind::kPositionsReordered, "positions-reordered", kNoPromise, -1},
    {StepKind::kWrongUpgrader, "wrong-upgrader", kNoPromise, -1},
    {StepKind::kWrongNeutral, "wrong-neutral", kNoPromise, -1},
};
static_assert(sizeof kKinds / sizeof kKinds[0] == kNumStepKinds,
              "a row for each kind");

const KindInfo& InfoOf(StepKind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

int RoundedRoot(int n) {
  int root = 0;
  while ((2 * root + 1) * (2 * root + 1) <= 4 * n) ++root;
  return root;
}

}  // namespace

absl::string_view StepKindName(StepKind kind) { return InfoOf(kind).name; }

absl::optional<StepKind> StepKindOfName(absl::string_view name) {
  for (const KindInfo& info : kKinds) {
    if (info.name == name) return info.kind;
  }
  return absl::nullopt;
}

bool IsCareless(StepKind kind) { return InfoOf(kind).observed < 0; }

absl::string_view PromiseName(const StepPromise& promise) {
  if (promise.backward && promise.forward) return "both";
  if (promise.forward) return "forward";
  if (promise.backward) {
    return promise.for_target ? "backward (and target)" : "backward";
  }
  return promise.for_target ? "none (but target)" : "none";
}

StepPromise PromiseOf(StepKind kind) { return InfoOf(kind).promise; }

const std::vector<StepWeight>& StepWeights() {
  static const std::vector<StepWeight>* const weights = [] {
    auto* made = new std::vector<StepWeight>();
    for (const KindInfo& info : kKinds) {
      if (info.observed < 0) continue;
      made->push_back(
          {info.kind, info.observed, std::max(3, RoundedRoot(info.observed))});
    }
    return made;
  }();
  return *weights;
}

}  // namespace simulation
}  // namespace opcompat
