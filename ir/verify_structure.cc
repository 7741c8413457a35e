#include "ir/verify_structure.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/concat.h"
#include "base/hash_map.h"
#include "base/status_macros.h"
#include "ir/straight_line.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

absl::Status Fault(absl::string_view message) {
  return absl::InvalidArgumentError(message);
}

template <typename Tag, typename Element>
bool InRange(Id<Tag> id, const std::vector<Element>& table) {
  return id.index < table.size();
}

absl::Status CheckEntry(const OperatorEntry& entry) {
  if (entry.names.empty()) return Fault("an operator has no name");
  if (const std::string beyond = BeyondEntryLimits(entry); !beyond.empty()) {
    return Fault(Concat(
        "operator ", absl::string_view(entry.name()).substr(0, kMaxNameBytes),
        " has ", beyond));
  }
  bool retired = false;
  for (const EntryArgument& argument : entry.arguments) {
    if (argument.names.empty()) {
      return Fault(
          Concat("operator ", entry.name(), " has an argument without a name"));
    }
    if (argument.is_exposed() && retired) {
      return Fault(Concat("operator ", entry.name(), ": argument ",
                          argument.name(),
                          " is exposed but stands after a retired one"));
    }
    retired = !argument.is_exposed();
    if (!IsWithinTypeLimits(argument.type)) {
      return Fault(Concat("operator ", entry.name(), ": argument ",
                          argument.name(), " has a type too large"));
    }
  }
  for (const EntryResult& result : entry.results) {
    if (!IsWithinTypeLimits(result.type)) {
      return Fault(Concat("operator ", entry.name(),
                          " has a result whose type is too large"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckOperator(const ModuleOperator& op) {
  if (op.entry == nullptr) {
    return IntrinsicName(op.intrinsic).empty()
               ? Fault("an operator has neither an entry nor a known intrinsic")
               : absl::OkStatus();
  }
  if (op.intrinsic != Intrinsic::kNone) {
    return Fault("an operator is both an entry and an intrinsic");
  }
  return CheckEntry(*op.entry);
}

// How many blocks a node of the operator must have; -1: any number.
int64_t RequiredBlocks(const ModuleOperator& op) {
  switch (op.intrinsic) {
    case Intrinsic::kNone:
      return -1;
    case Intrinsic::kIf:
      return 2;
    case Intrinsic::kLoop:
      return 1;
    default:
      return 0;
  }
}

class StructureVerifier {
 public:
  StructureVerifier(const Module& module, bool columns_are_sound,
                    std::vector<std::vector<NodeId>>* doubtful,
                    FaultPlace* place)
      : module_(module),
        columns_are_sound_(columns_are_sound),
        doubtful_(doubtful),
        place_(*place) {}

  absl::Status Run();

 private:
  absl::Status CheckForm(const CallForm& form) const;
  absl::Status CheckSlots(const CallForm& form, const ModuleOperator& op) const;
  absl::Status CheckHeader() const;
  absl::Status CheckFunction(const Function& function);
  absl::Status CheckColumns(const Graph& graph) const;
  // Checks the node if it is one of the many: a call without blocks in the
  // middle of a block. False: it is not, or something is wrong, and nothing has
  // changed.
  bool CheckPlainNode(const Graph& graph, uint32_t n);
  absl::Status CheckNode(const Graph& graph, uint32_t n);
  absl::Status CheckBlocks(const Graph& graph, uint32_t n);
  absl::Status CheckOperand(const Graph& graph, Operand operand,
                            bool is_constant) const;

  // What CheckPlainNode needs of a form, in one place.
  struct FormShape {
    bool is_plain = false;  // neither blocks nor the edge of one
    uint32_t num_operands = 0;
    uint32_t num_results = 0;
    size_t masks_begin = 0;
    const TypeId* result_types = nullptr;
  };

  const Module& module_;
  const bool columns_are_sound_;
  std::vector<std::vector<NodeId>>* const doubtful_;
  FaultPlace& place_;
  absl::optional<StraightLineCheck> straight_line_;
  std::vector<FormShape> shapes_;
  // By operand of each form: what to take from its bits to have an index.
  std::vector<uint32_t> constant_masks_;

  // Of the graph at hand: offsets as they run.
  uint64_t operands_ = 0;
  uint64_t values_ = 0;
  uint64_t blocks_ = 0;
  struct OpenBlock {
    uint32_t block;
    uint32_t last_node = 0;
    uint32_t next_block = 0;
    uint32_t blocks_left = 0;
  };
  std::vector<OpenBlock> open_;
  std::vector<uint8_t> is_open_;  // by block
  // By value: the block that defines it. Empty where there is only one.
  std::vector<uint32_t> block_of_value_;
};

absl::Status StructureVerifier::Run() {
  for (const Type& type : module_.types) {
    if (!IsWithinTypeLimits(type)) {
      return Fault("a type of the module is nested too deeply or too large");
    }
  }
  for (const Value& value : module_.constants) {
    if (value.depth() > kMaxValueDepth) {
      return Fault(Concat("a constant of the module has ", value.depth(),
                          " levels, at most ", kMaxValueDepth, " are allowed"));
    }
  }
  for (const ModuleOperator& op : module_.operators) {
    OPCOMPAT_RETURN_IF_ERROR(CheckOperator(op));
  }
  shapes_.reserve(module_.forms.size());
  for (const CallForm& form : module_.forms) {
    OPCOMPAT_RETURN_IF_ERROR(CheckForm(form));
    FormShape shape;
    const Intrinsic intrinsic = module_.op(form.op).intrinsic;
    shape.is_plain = form.num_blocks == 0 && intrinsic != Intrinsic::kParam &&
                     intrinsic != Intrinsic::kReturn;
    shape.num_operands = form.num_operands();
    shape.num_results = static_cast<uint32_t>(form.result_types.size());
    shape.masks_begin = constant_masks_.size();
    shape.result_types = form.result_types.data();
    shapes_.push_back(shape);
    for (const Slot& slot : form.slots) {
      constant_masks_.push_back(slot.is_constant ? Operand::kConstantBit : 0);
    }
    constant_masks_.resize(constant_masks_.size() + form.attribute_names.size(),
                           Operand::kConstantBit);
  }
  OPCOMPAT_RETURN_IF_ERROR(CheckHeader());
  if (doubtful_ != nullptr) {
    straight_line_.emplace(module_);
    doubtful_->assign(module_.functions.size(), {});
  }
  HashSet<absl::string_view> names;
  for (uint32_t f = 0; f < module_.functions.size(); ++f) {
    place_.function = f;
    place_.node = NodeId();
    const Function& function = module_.functions[f];
    if (!names.insert(function.name).second) {
      return Fault(Concat("two functions have the name ", function.name));
    }
    const absl::Status status = CheckFunction(function);
    if (!status.ok()) {
      return Fault(Concat(
          function.name, ": ",
          place_.node.valid() ? Concat("#", place_.node.index, ": ") : "",
          status.message()));
    }
  }
  return absl::OkStatus();
}

absl::Status StructureVerifier::CheckForm(const CallForm& form) const {
  if (!InRange(form.op, module_.operators)) {
    return Fault("a call form has an operator that the module lacks");
  }
  const ModuleOperator& op = module_.op(form.op);
  for (size_t i = 0; i < form.attribute_names.size(); ++i) {
    if (!InRange(form.attribute_names[i], module_.strings)) {
      return Fault(Concat("a call form of ", op.name(),
                          " has an attribute name out of range"));
    }
    if (i > 0 && module_.string(form.attribute_names[i - 1]) >=
                     module_.string(form.attribute_names[i])) {
      return Fault(
          Concat("a call of ", op.name(), " has the attribute ",
                 module_.string(form.attribute_names[i]),
                 " twice, or attributes are not in the order of their names"));
    }
  }
  for (const TypeId type : form.result_types) {
    if (!InRange(type, module_.types)) {
      return Fault(Concat("a call form of ", op.name(),
                          " has a result type out of range"));
    }
  }
  const int64_t blocks = RequiredBlocks(op);
  if (blocks >= 0 && form.num_blocks != blocks) {
    return Fault(Concat("a call of ", op.name(), " has ", form.num_blocks,
                        " blocks, expected ", blocks));
  }
  if (op.intrinsic == Intrinsic::kParam &&
      !(form.slots.empty() && form.attribute_names.empty())) {
    return Fault("a block's parameters have operands or attributes");
  }
  if (op.intrinsic == Intrinsic::kReturn &&
      !(form.result_types.empty() && form.attribute_names.empty())) {
    return Fault("the end of a block has results or attributes");
  }
  return CheckSlots(form, op);
}

absl::Status StructureVerifier::CheckSlots(const CallForm& form,
                                           const ModuleOperator& op) const {
  const uint32_t num_exposed =
      op.entry == nullptr ? 0 : static_cast<uint32_t>(op.entry->num_exposed());
  const bool takes_any = op.entry == nullptr || op.entry->is_vararg;
  for (size_t i = 0; i < form.slots.size(); ++i) {
    const uint32_t argument = form.slots[i].argument;
    if (argument == Slot::kVariadic) {
      if (takes_any) continue;
      return Fault(Concat("a call of ", op.name(),
                          " has more operands than there are arguments: ",
                          op.entry->ToShortString()));
    }
    if (argument >= num_exposed) {
      return Fault(Concat("a call of ", op.name(), " gives argument ", argument,
                          ", there are ", num_exposed));
    }
    if (i > 0 && form.slots[i - 1].argument >= argument) {
      return Fault(Concat(
          "a call of ", op.name(), " gives argument ",
          op.entry->arguments[argument].name(),
          form.slots[i - 1].argument == argument ? " twice" : " out of order"));
    }
  }
  return absl::OkStatus();
}

absl::Status StructureVerifier::CheckHeader() const {
  HashSet<absl::string_view> names;
  for (const ModuleAttribute& attribute : module_.attributes) {
    if (!InRange(attribute.type, module_.types) ||
        !InRange(attribute.value, module_.constants)) {
      return Fault(Concat("module attribute ", attribute.name,
                          " has a type or value out of range"));
    }
    if (!names.insert(attribute.name).second) {
      return Fault(
          Concat("two module attributes have the name ", attribute.name));
    }
  }
  names.clear();
  for (const ModuleTensor& tensor : module_.tensors) {
    if (!InRange(tensor.value, module_.constants) ||
        module_.constant(tensor.value).kind() != ValueKind::kTensor) {
      return Fault(Concat("module tensor ", tensor.name,
                          " has a value that is no tensor"));
    }
    if (!names.insert(tensor.name).second) {
      return Fault(Concat("two module tensors have the name ", tensor.name));
    }
  }
  return absl::OkStatus();
}

absl::Status StructureVerifier::CheckColumns(const Graph& graph) const {
  if (graph.nodes.empty() || graph.blocks.empty()) {
    return Fault("the graph has no block");
  }
  for (const size_t size : {graph.nodes.size(), graph.operands.size(),
                            graph.blocks.size(), graph.value_types.size()}) {
    if (size >= Operand::kLimit) {
      return Fault(Concat("a column has ", size, " elements, fewer than ",
                          Operand::kLimit, " are allowed"));
    }
  }
  if (graph.value_nodes.size() != graph.num_values()) {
    return Fault(Concat("there are ", graph.num_values(),
                        " types of values but ", graph.value_nodes.size(),
                        " nodes that define them"));
  }
  const auto check_debug = [&](const std::vector<StringId>& column,
                               size_t size) {
    if (!column.empty() && column.size() != size) return false;
    for (const StringId id : column) {
      if (id.valid() && !InRange(id, module_.strings)) return false;
    }
    return true;
  };
  if (!check_debug(graph.value_names, graph.num_values()) ||
      !check_debug(graph.node_locations, graph.num_nodes())) {
    return Fault("debug names or locations are incomplete or out of range");
  }
  return absl::OkStatus();
}

absl::Status StructureVerifier::CheckFunction(const Function& function) {
  for (const TypeId type : function.result_types) {
    if (!InRange(type, module_.types)) {
      return Fault("a result type of the function is out of range");
    }
  }
  const Graph& graph = function.graph;
  OPCOMPAT_RETURN_IF_ERROR(CheckColumns(graph));
  if (doubtful_ != nullptr) {
    std::vector<NodeId>& doubtful = (*doubtful_)[place_.function];
    if (straight_line_->Check(graph, &doubtful)) return absl::OkStatus();
    doubtful.resize(graph.nodes.size());
    for (uint32_t n = 0; n < doubtful.size(); ++n) doubtful[n] = NodeId(n);
  }
  if (columns_are_sound_ && graph.blocks.size() == 1) return absl::OkStatus();
  operands_ = 0;
  values_ = 0;
  blocks_ = 1;
  open_.clear();
  is_open_.assign(graph.blocks.size(), false);
  block_of_value_.resize(graph.blocks.size() > 1 ? graph.num_values() : 0);
  for (uint32_t n = 0; n < graph.num_nodes(); ++n) {
    if (CheckPlainNode(graph, n)) continue;
    place_.node = NodeId(n);
    OPCOMPAT_RETURN_IF_ERROR(CheckNode(graph, n));
  }
  place_.node = NodeId();
  if (!open_.empty()) return Fault("a block has no end");
  if (operands_ != graph.operands.size() || values_ != graph.num_values() ||
      blocks_ != graph.blocks.size()) {
    return Fault("operands, values or blocks are left that belong to no node");
  }
  return absl::OkStatus();
}

bool StructureVerifier::CheckPlainNode(const Graph& graph, uint32_t n) {
  const Node& node = graph.nodes[n];
  if (!InRange(node.form, module_.forms)) return false;
  const FormShape& shape = shapes_[node.form.index];
  if (!shape.is_plain || open_.empty() || open_.back().blocks_left > 0 ||
      node.first_block.valid() || node.operands_begin != operands_ ||
      shape.num_operands > graph.operands.size() - operands_ ||
      node.results_begin != values_ ||
      shape.num_results > graph.num_values() - values_) {
    return false;
  }
  // No branch for each operand, since nobody can foresee of what kind the next
  // is. What is wrong is found by CheckNode.
  bool ok = true;
  const Operand* const operands = graph.operands.data() + operands_;
  const uint32_t* const masks = constant_masks_.data() + shape.masks_begin;
  const auto num_constants = static_cast<uint32_t>(
      std::min<size_t>(module_.constants.size(), Operand::kLimit));
  const auto num_values = static_cast<uint32_t>(values_);
  for (uint32_t i = 0; i < shape.num_operands; ++i) {
    const uint32_t limit = masks[i] != 0 ? num_constants : num_values;
    ok &= (operands[i].bits() ^ masks[i]) < limit;
  }
  const bool one_block = block_of_value_.empty();
  if (!one_block && ok) {
    for (uint32_t i = 0; i < shape.num_operands; ++i) {
      ok &= operands[i].is_constant() ||
            is_open_[block_of_value_[operands[i].value().index]] != 0;
    }
  }
  for (uint32_t i = 0; i < shape.num_results; ++i) {
    ok &= graph.value_types[values_ + i] == shape.result_types[i] &&
          graph.value_nodes[values_ + i] == NodeId(n);
  }
  if (!ok) return false;
  if (!one_block) {
    for (uint32_t i = 0; i < shape.num_results; ++i) {
      block_of_value_[values_ + i] = open_.back().block;
    }
  }
  operands_ += shape.num_operands;
  values_ += shape.num_results;
  return true;
}

absl::Status StructureVerifier::CheckNode(const Graph& graph, uint32_t n) {
  const Node& node = graph.nodes[n];
  if (!InRange(node.form, module_.forms)) {
    return Fault("the node has a call form that the module lacks");
  }
  const CallForm& form = module_.form(node);

  // Operands, before the node's own results are defined.
  const uint64_t num_operands =
      uint64_t{form.slots.size()} + form.attribute_names.size();
  if (node.operands_begin != operands_ ||
      num_operands > graph.operands.size() - operands_) {
    return Fault("the node's operands do not follow those of the node before");
  }
  for (uint64_t i = 0; i < num_operands; ++i) {
    const bool is_constant =
        i >= form.slots.size() || form.slots[i].is_constant;
    OPCOMPAT_RETURN_IF_ERROR(
        CheckOperand(graph, graph.operands[operands_ + i], is_constant));
  }
  operands_ += num_operands;

  OPCOMPAT_RETURN_IF_ERROR(CheckBlocks(graph, n));

  const uint64_t num_results = form.result_types.size();
  if (node.results_begin != values_ ||
      num_results > graph.num_values() - values_) {
    return Fault("the node's results do not follow those of the node before");
  }
  for (uint64_t i = 0; i < num_results; ++i) {
    if (graph.value_types[values_ + i] != form.result_types[i] ||
        graph.value_nodes[values_ + i] != NodeId(n)) {
      return Fault("the node's results are not the values that it defines");
    }
    if (block_of_value_.empty()) continue;
    // CheckBlocks has left a block open, unless the node ended the last.
    block_of_value_[values_ + i] = open_.empty() ? 0 : open_.back().block;
  }
  values_ += num_results;
  return absl::OkStatus();
}

absl::Status StructureVerifier::CheckBlocks(const Graph& graph, uint32_t n) {
  const Node& node = graph.nodes[n];
  const CallForm& form = module_.form(node);
  const Intrinsic intrinsic = module_.op(form.op).intrinsic;
  const bool begins =
      n == 0 || (!open_.empty() && open_.back().blocks_left > 0);
  if (begins != (intrinsic == Intrinsic::kParam)) {
    return Fault(begins ? "a block should begin here, which takes parameters"
                        : "block parameters stand where no block begins");
  }
  if (form.num_blocks == 0 && node.first_block.valid()) {
    return Fault("the node has a first block but no blocks");
  }
  if (begins) {
    OpenBlock opened{};
    NodeId parent;
    if (n > 0) {
      OpenBlock& outer = open_.back();
      parent = NodeId(outer.last_node);
      opened.block = outer.next_block++;
      --outer.blocks_left;
    }
    const Block& block = graph.blocks[opened.block];
    if (block.parent != parent || block.param != NodeId(n)) {
      return Fault("the block that begins here is not the one of its node");
    }
    is_open_[opened.block] = true;
    open_.push_back(opened);
    return absl::OkStatus();
  }
  if (open_.empty())
    return Fault("a node stands after the end of its function");
  if (intrinsic == Intrinsic::kReturn) {
    const uint32_t block = open_.back().block;
    if (graph.blocks[block].end != NodeId(n)) {
      return Fault("the block that ends here has another end");
    }
    is_open_[block] = false;
    open_.pop_back();
    return absl::OkStatus();
  }
  if (form.num_blocks == 0) return absl::OkStatus();
  if (node.first_block.index != blocks_ ||
      form.num_blocks > graph.blocks.size() - blocks_) {
    return Fault("the node's blocks do not follow those of the nodes before");
  }
  OpenBlock& outer = open_.back();
  outer.last_node = n;
  outer.next_block = node.first_block.index;
  outer.blocks_left = form.num_blocks;
  blocks_ += form.num_blocks;
  return absl::OkStatus();
}

absl::Status StructureVerifier::CheckOperand(const Graph& graph,
                                             Operand operand,
                                             bool is_constant) const {
  if (operand.is_default()) return Fault("an operand is missing");
  if (operand.is_constant() != is_constant) {
    return Fault(is_constant ? "an operand is a value, expected a constant"
                             : "an operand is a constant, expected a value");
  }
  if (is_constant) {
    return InRange(operand.constant(), module_.constants)
               ? absl::OkStatus()
               : Fault("an operand is a constant that the module lacks");
  }
  const uint32_t value = operand.value().index;
  if (value >= values_) {
    return Fault(Concat("an operand is value ", value,
                        value < graph.num_values()
                            ? ", which is defined only later"
                            : ", which the function lacks"));
  }
  const uint32_t block = block_of_value_.empty() ? 0 : block_of_value_[value];
  if (is_open_[block] == 0) {
    return Fault(Concat("an operand is %",
                        module_.value_name(graph, operand.value()),
                        ", which a block defines that has ended"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status VerifyStructure(const Module& module, bool columns_are_sound,
                             std::vector<std::vector<NodeId>>* doubtful,
                             FaultPlace* place) {
  return StructureVerifier(module, columns_are_sound, doubtful, place).Run();
}

}  // namespace opcompat
