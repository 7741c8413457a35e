#include "ir/module.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "base/concat.h"
#include "ir/huge_pages.h"

namespace opcompat {
namespace {

// By number. The first three are never spelled in text.
constexpr absl::string_view kIntrinsicNames[] = {
    "",
    "param",
    "return",
    "prim::Constant",
    "prim::If",
    "prim::Loop",
    "prim::ListConstruct",
    "prim::TupleConstruct",
    "prim::DictConstruct",
    "prim::ListUnpack",
    "prim::GetAttr",
    "prim::SetAttr",
    "prim::CallMethod",
    "prim::CallFunction",
};
constexpr size_t kNumIntrinsics =
    sizeof(kIntrinsicNames) / sizeof(kIntrinsicNames[0]);

}  // namespace

Intrinsic IntrinsicOfName(absl::string_view name) {
  constexpr size_t kFirstSpelled = static_cast<size_t>(Intrinsic::kConstant);
  for (size_t i = kFirstSpelled; i < kNumIntrinsics; ++i) {
    if (kIntrinsicNames[i] == name) return static_cast<Intrinsic>(i);
  }
  return Intrinsic::kNone;
}

absl::string_view IntrinsicName(Intrinsic intrinsic) {
  const size_t i = static_cast<size_t>(intrinsic);
  return i < kNumIntrinsics ? kIntrinsicNames[i] : absl::string_view();
}

Operand Module::operand(const Graph& graph, const Node& node,
                        uint32_t argument) const {
  const std::vector<Slot>& slots = form(node).slots;
  const auto it = std::lower_bound(
      slots.begin(), slots.end(), argument,
      [](const Slot& slot, uint32_t a) { return slot.argument < a; });
  if (it == slots.end() || it->argument != argument) return Operand();
  return graph.operands[node.operands_begin + (it - slots.begin())];
}

ConstantId Module::attribute(const Graph& graph, const Node& node,
                             absl::string_view name) const {
  const CallForm& f = form(node);
  for (size_t i = 0; i < f.attribute_names.size(); ++i) {
    if (string(f.attribute_names[i]) == name) {
      return graph.operands[node.operands_begin + f.slots.size() + i]
          .constant();
    }
  }
  return ConstantId();
}

NodeId Module::next_sibling(const Graph& graph, NodeId id) const {
  const Node& node = graph.nodes[id.index];
  const uint32_t num_blocks = form(node).num_blocks;
  if (num_blocks == 0) return NodeId(id.index + 1);
  const Block& last = graph.blocks[node.first_block.index + num_blocks - 1];
  return NodeId(last.end.index + 1);
}

const Function* Module::FindFunction(absl::string_view name) const {
  for (const Function& function : functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

std::string Module::value_name(const Graph& graph, ValueId id) const {
  if (!graph.value_names.empty() && graph.value_names[id.index].valid()) {
    return string(graph.value_names[id.index]);
  }
  return Concat(id.index);
}

UseLists ComputeUses(const Graph& graph) {
  // Values and constants come in no order that a processor could foresee, so
  // there is no branch for them: constants count as uses of some values more,
  // which are dropped at the end. Of several in turn, since a counter cannot be
  // counted up again before it has been.
  constexpr uint32_t kInTurn = 8;
  const auto constants = static_cast<uint32_t>(graph.num_values() + 1);
  const Operand* const operands = graph.operands.data();
  const size_t num_operands = graph.operands.size();
  const auto counter_of = [&](size_t i) {
    const uint32_t bits = operands[i].bits();
    const uint32_t other = constants + static_cast<uint32_t>(i) % kInTurn;
    return bits < constants ? bits : other;
  };
  UseLists result;
  ReserveColumn(size_t{constants} + kInTurn, &result.begin);
  result.begin.assign(size_t{constants} + kInTurn, 0);
  ReserveColumn(num_operands, &result.uses);
  result.uses.resize(num_operands);
  uint32_t* const begin = result.begin.data();
  for (size_t i = 0; i < num_operands; ++i) ++begin[counter_of(i)];
  // begin[v] now counts v's uses, becomes where they end, and sinks to where
  // they begin as they are filled in from the back.
  uint32_t total = 0;
  for (uint32_t& end : result.begin) {
    total += end;
    end = total;
  }
  uint32_t* const uses = result.uses.data();
  for (size_t i = num_operands; i-- > 0;) {
    uses[--begin[counter_of(i)]] = static_cast<uint32_t>(i);
  }
  result.uses.resize(begin[constants]);
  result.begin.resize(constants);
  return result;
}

NodeId NodeOfOperand(const Graph& graph, uint32_t index) {
  const auto after = std::upper_bound(
      graph.nodes.begin(), graph.nodes.end(), index,
      [](uint32_t i, const Node& node) { return i < node.operands_begin; });
  return NodeId(static_cast<uint32_t>(after - graph.nodes.begin()) - 1);
}

}  // namespace opcompat
