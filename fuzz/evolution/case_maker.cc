#include "fuzz/evolution/case_maker.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "compat_matrix/simulation/argument_steps.h"
#include "compat_matrix/simulation/history_draft.h"
#include "compat_matrix/simulation/module_maker.h"
#include "compat_matrix/simulation/new_operators.h"
#include "compat_matrix/simulation/random.h"
#include "compat_matrix/simulation/step_kinds.h"

namespace opcompat {
namespace fuzz {
namespace {

using simulation::GapModel;
using simulation::HistoryDraft;
using simulation::Random;
using simulation::StepKind;
using simulation::WantedNode;

Random RandomOf(const Dice& dice) {
  return Random({dice.shown().begin(), dice.shown().end()}, dice.seed());
}

// The legal kinds are the first ones.
StepKind KindOf(uint32_t number) {
  static_assert(static_cast<int>(StepKind::kMeaningChanged) ==
                    simulation::kNumStepKinds - 5,
                "careless kinds are the last five");
  return static_cast<StepKind>(number %
                               static_cast<int>(StepKind::kMeaningChanged));
}

void TakeStep(const Step& step, HistoryDraft* draft, Random* random) {
  const StepKind kind = KindOf(step.kind());
  if (kind == StepKind::kOperatorAdded ||
      kind == StepKind::kAddedWithDowngrader) {
    if (draft->num_operators() >= kMaxOperatorsAtAll) return;
    draft->Add(kind,
               simulation::NewOperator(draft->name(), draft->names(), random),
               random);
    return;
  }
  (void)draft->Take(kind, step.op() % draft->num_before(), random);
}

// Takes at most `*left` nodes, at most `depth` blocks deep.
std::vector<WantedNode> NodesOf(
    const google::protobuf::RepeatedPtrField<Node>& nodes, int depth,
    int* left) {
  std::vector<WantedNode> wanted;
  for (const Node& node : nodes) {
    if (*left == 0) break;
    --*left;
    wanted.emplace_back();
    WantedNode& to = wanted.back();
    if (depth > 0) to.kind = static_cast<WantedNode::Kind>(node.kind() % 3);
    to.op = node.op();
    to.ways = {node.ways().begin(), node.ways().end()};
    to.random = RandomOf(node.dice());
    if (to.kind == WantedNode::Kind::kCall) continue;
    to.first_block = NodesOf(node.first_block(), depth - 1, left);
    if (to.kind == WantedNode::Kind::kLoop) continue;
    to.second_block = NodesOf(node.second_block(), depth - 1, left);
  }
  return wanted;
}

}  // namespace

simulation::SimulatedHistory HistoryOf(const History& edits) {
  HistoryDraft draft("t", /*has_alias=*/false);
  draft.AddFirst(simulation::MixOperator(draft.name()));
  const int num_operators = std::min(edits.operators_size(), kMaxOperators);
  for (int i = 0; i < num_operators; ++i) {
    const Operator& op = edits.operators(i);
    Random random = RandomOf(op.dice());
    draft.AddFirst(
        op.numbered()
            ? simulation::NumberedOperator(draft.name(), draft.names(), &random)
            : simulation::NewOperator(draft.name(), draft.names(), &random));
  }
  draft.EndVersion();
  const int num_versions = std::min(edits.versions_size(), kMaxVersions - 1);
  for (int v = 0; v < num_versions; ++v) {
    const Version& version = edits.versions(v);
    absl::optional<GapModel> gap;
    if (version.gap() != 0) {
      gap = GapModel{(version.gap() & 2) != 0, (version.gap() & 4) != 0};
    }
    draft.BeginVersion(gap);
    std::deque<Random> randoms;  // the draft keeps them for the version
    for (const Step& step : version.steps()) {
      if (randoms.size() == kMaxSteps) break;
      randoms.push_back(RandomOf(step.dice()));
      TakeStep(step, &draft, &randoms.back());
    }
    draft.EndVersion();
  }
  return std::move(draft).Finish();
}

std::string ModuleTextOf(const Case& input, const OpsetHistory& history,
                         size_t version) {
  int left = kMaxNodes;
  return simulation::WantedModule(history, version,
                                  NodesOf(input.nodes(), kMaxDepth, &left));
}

}  // namespace fuzz
}  // namespace opcompat
