#include "ir/module.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

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
  return absl::StrCat(id.index);
}

UseLists ComputeUses(const Module& module, const Graph& graph) {
  UseLists result;
  result.begin.assign(graph.num_values() + 1, 0);
  result.owner.resize(graph.operands.size());
  for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    const uint32_t num_operands = module.form(node).num_operands();
    std::fill_n(result.owner.begin() + node.operands_begin, num_operands,
                NodeId(n));
  }
  // begin[v] first counts v's uses, then becomes where they end, and sinks to
  // where they begin as they are filled in from the back.
  for (const Operand operand : graph.operands) {
    if (operand.is_value()) ++result.begin[operand.value().index];
  }
  uint32_t total = 0;
  for (uint32_t& begin : result.begin) {
    total += begin;
    begin = total;
  }
  result.uses.resize(total);
  for (size_t i = graph.operands.size(); i-- > 0;) {
    const Operand operand = graph.operands[i];
    if (operand.is_value()) {
      result.uses[--result.begin[operand.value().index]] =
          static_cast<uint32_t>(i);
    }
  }
  return result;
}

}  // namespace opcompat
