#include "binding/graph_writer.h"

#include <cstddef>

#include "ir/huge_pages.h"

namespace opcompat {

GraphWriter::GraphWriter(const Graph& like, Graph* out)
    : out_(*out),
      has_names_(!like.value_names.empty()),
      has_locations_(!like.node_locations.empty()) {
  // Some calls become several, or get arguments. Room for them costs nothing
  // until it is used.
  const auto with_room = [](size_t size) { return size + size / 4; };
  ReserveColumn(with_room(like.nodes.size()), &out_.nodes);
  ReserveColumn(with_room(like.operands.size()), &out_.operands);
  ReserveColumn(with_room(like.num_values()), &out_.value_types);
  ReserveColumn(with_room(like.num_values()), &out_.value_nodes);
  out_.blocks.reserve(like.blocks.size());
  out_.blocks.emplace_back();
  open_nodes_.push_back({BlockId(0), 1});
}

void GraphWriter::BeginNode(FormId form, Intrinsic intrinsic,
                            uint32_t num_blocks, StringId location) {
  const NodeId id(static_cast<uint32_t>(out_.nodes.size()));
  Node node;
  node.form = form;
  node.operands_begin = static_cast<uint32_t>(out_.operands.size());
  node.results_begin = static_cast<uint32_t>(out_.num_values());
  if (intrinsic == Intrinsic::kParam) {
    OpenNode& open = open_nodes_.back();
    const BlockId block = open.next_block;
    out_.blocks[block.index].param = id;
    open_blocks_.push_back(block);
    ++open.next_block.index;
    if (--open.blocks_left == 0) open_nodes_.pop_back();
  } else if (intrinsic == Intrinsic::kReturn) {
    out_.blocks[open_blocks_.back().index].end = id;
    open_blocks_.pop_back();
  }
  if (num_blocks > 0) {
    node.first_block = BlockId(static_cast<uint32_t>(out_.blocks.size()));
    open_nodes_.push_back({node.first_block, num_blocks});
    out_.blocks.resize(out_.blocks.size() + num_blocks);
    for (uint32_t i = 0; i < num_blocks; ++i) {
      out_.blocks[node.first_block.index + i].parent = id;
    }
  }
  out_.nodes.push_back(node);
  if (has_locations_) out_.node_locations.push_back(location);
}

ValueId GraphWriter::AddResult(TypeId type, StringId name) {
  const ValueId value(static_cast<uint32_t>(out_.num_values()));
  out_.value_types.push_back(type);
  out_.value_nodes.push_back(
      NodeId(static_cast<uint32_t>(out_.nodes.size() - 1)));
  if (has_names_) out_.value_names.push_back(name);
  return value;
}

void GraphWriter::AddNodesOf(const Graph& in, NodeId begin, NodeId end,
                             absl::Span<const FormId> forms,
                             absl::Span<ValueId> values) {
  const bool is_last = end.index == in.nodes.size();
  const uint32_t in_operand = in.nodes[begin.index].operands_begin;
  const uint32_t in_value = in.nodes[begin.index].results_begin;
  const auto num_nodes = size_t{end.index} - begin.index;
  const size_t num_operands =
      (is_last ? in.operands.size() : in.nodes[end.index].operands_begin) -
      in_operand;
  const size_t num_results =
      (is_last ? in.num_values() : in.nodes[end.index].results_begin) -
      in_value;
  const auto out_node = static_cast<uint32_t>(out_.nodes.size());
  const auto out_operand = static_cast<uint32_t>(out_.operands.size());
  const auto out_value = static_cast<uint32_t>(out_.num_values());

  out_.value_types.resize(out_value + num_results);
  out_.value_nodes.resize(out_value + num_results);
  const TypeId* const from_types = in.value_types.data() + in_value;
  const NodeId* const from_nodes = in.value_nodes.data() + in_value;
  TypeId* const types = out_.value_types.data() + out_value;
  NodeId* const nodes = out_.value_nodes.data() + out_value;
  const uint32_t node_shift = out_node - begin.index;
  for (uint32_t i = 0; i < num_results; ++i) {
    values[in_value + i] = ValueId(out_value + i);
    types[i] = from_types[i];
    nodes[i] = NodeId(from_nodes[i].index + node_shift);
  }

  out_.nodes.resize(out_node + num_nodes);
  for (uint32_t i = 0; i < num_nodes; ++i) {
    const Node& node = in.nodes[begin.index + i];
    Node& added = out_.nodes[out_node + i];
    added.form = forms[node.form.index];
    added.operands_begin = node.operands_begin - in_operand + out_operand;
    added.results_begin = node.results_begin - in_value + out_value;
  }

  out_.operands.resize(out_operand + num_operands);
  const Operand* const from = in.operands.data() + in_operand;
  Operand* const to = out_.operands.data() + out_operand;
  for (size_t i = 0; i < num_operands; ++i) {
    // No branch: values and constants come in no order.
    const Operand operand = from[i];
    const uint32_t value = operand.is_value() ? operand.bits() : 0;
    const Operand mapped(values[value]);
    to[i] = operand.is_value() ? mapped : operand;
  }
}

}  // namespace opcompat
