#include "ir/module_builder.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/concat.h"

namespace opcompat {

ModuleBuilder::ModuleBuilder() = default;
ModuleBuilder::~ModuleBuilder() = default;
ModuleBuilder::ModuleBuilder(ModuleBuilder&&) = default;
ModuleBuilder& ModuleBuilder::operator=(ModuleBuilder&&) = default;

void ModuleBuilder::Fail(absl::Status status) {
  if (status_.ok()) status_ = std::move(status);
}

bool ModuleBuilder::HasRoom(size_t size, absl::string_view what) {
  if (!status_.ok()) return false;
  if (size < Operand::kLimit) return true;
  Fail(absl::ResourceExhaustedError(
      Concat("a module holds at most ", Operand::kLimit, " ", what)));
  return false;
}

void ModuleBuilder::AddOpset(std::string name, std::string version) {
  module_.opsets.push_back({std::move(name), std::move(version)});
}

void ModuleBuilder::AddMetadata(std::string key, std::string value) {
  module_.metadata.push_back({std::move(key), std::move(value)});
}

void ModuleBuilder::AddAttribute(std::string name, TypeId type,
                                 ConstantId value) {
  module_.attributes.push_back({std::move(name), type, value});
}

void ModuleBuilder::AddTensor(std::string name, ConstantId value) {
  module_.tensors.push_back({std::move(name), value});
}

StringId ModuleBuilder::String(absl::string_view s) {
  const auto it = strings_.find(s);
  if (it != strings_.end()) return StringId(it->second);
  if (!HasRoom(module_.strings.size(), "strings")) return StringId();
  const uint32_t id = static_cast<uint32_t>(module_.strings.size());
  module_.strings.emplace_back(s);
  strings_.emplace(std::string(s), id);
  return StringId(id);
}

TypeId ModuleBuilder::InternType(const Type& type) {
  const uint32_t id = static_cast<uint32_t>(module_.types.size());
  const auto inserted = types_.try_emplace(type, id);
  if (!inserted.second) return TypeId(inserted.first->second);
  if (!HasRoom(module_.types.size(), "types")) return TypeId();
  module_.types.push_back(type);
  return TypeId(id);
}

ConstantId ModuleBuilder::Constant(const Value& value) {
  const uint32_t id = static_cast<uint32_t>(module_.constants.size());
  const auto inserted = constants_.try_emplace(value, id);
  if (!inserted.second) return ConstantId(inserted.first->second);
  if (!HasRoom(module_.constants.size(), "constants")) return ConstantId(0);
  module_.constants.push_back(value);
  return ConstantId(id);
}

OperatorId ModuleBuilder::AddOperator(ModuleOperator op) {
  if (!HasRoom(module_.operators.size(), "operators")) return OperatorId();
  module_.operators.push_back(std::move(op));
  return OperatorId(static_cast<uint32_t>(module_.operators.size() - 1));
}

OperatorId ModuleBuilder::Operator(OperatorEntryPtr entry) {
  const OperatorEntry* const pointer = entry.get();
  const auto known = entry_pointers_.find(pointer);
  if (known != entry_pointers_.end()) return OperatorId(known->second);

  // Another object, but perhaps an equal entry.
  std::vector<uint32_t>& same_name =
      entries_[Concat(entry->name(), "#", entry->revision)];
  OperatorId id;
  for (const uint32_t candidate : same_name) {
    if (*module_.operators[candidate].entry == *entry) {
      id = OperatorId(candidate);
      break;
    }
  }
  if (!id.valid()) {
    id = AddOperator({entry, Intrinsic::kNone});
    if (!id.valid()) return id;
    same_name.push_back(id.index);
  }
  entry_pointers_.emplace(pointer, id.index);
  kept_.push_back(std::move(entry));
  return id;
}

OperatorId ModuleBuilder::Operator(Intrinsic intrinsic) {
  const auto known = intrinsics_.find(static_cast<uint8_t>(intrinsic));
  if (known != intrinsics_.end()) return OperatorId(known->second);
  const OperatorId id = AddOperator({nullptr, intrinsic});
  if (id.valid())
    intrinsics_.emplace(static_cast<uint8_t>(intrinsic), id.index);
  return id;
}

void ModuleBuilder::BeginFunction(std::string name) {
  if (in_function_) {
    Fail(absl::InvalidArgumentError(Concat("function ", name,
                                           " begins inside function ",
                                           module_.functions.back().name)));
    return;
  }
  in_function_ = true;
  module_.functions.emplace_back();
  module_.functions.back().name = std::move(name);
}

void ModuleBuilder::EndFunction(std::vector<TypeId> result_types) {
  if (!status_.ok()) return;
  if (!in_function_ || !open_.empty() ||
      module_.functions.back().graph.blocks.empty()) {
    Fail(absl::InvalidArgumentError(
        "a function ends that has not begun, that has no block, or whose "
        "blocks have not ended"));
    return;
  }
  in_function_ = false;
  Function& function = module_.functions.back();
  function.result_types = std::move(result_types);
  // Debug columns are empty or complete.
  Graph& graph = function.graph;
  if (!graph.value_names.empty()) graph.value_names.resize(graph.num_values());
  if (!graph.node_locations.empty()) {
    graph.node_locations.resize(graph.num_nodes());
  }
}

ValueId ModuleBuilder::BeginBlock(absl::Span<const Definition> parameters) {
  if (!status_.ok()) return ValueId();
  const bool outermost = open_.empty();
  if (!in_function_ ||
      (outermost ? !module_.functions.back().graph.blocks.empty()
                 : open_.back().blocks_left == 0)) {
    Fail(absl::InvalidArgumentError(
        "a block begins that neither a function nor a node waits for"));
    return ValueId();
  }
  Graph& graph = module_.functions.back().graph;
  OpenBlock opened;
  Block block;
  if (outermost) {
    opened.block = BlockId(0);
    graph.blocks.emplace_back();
  } else {
    OpenBlock& parent = open_.back();
    opened.block = parent.next_block;
    block.parent = parent.last_node;
    parent.next_block = BlockId(parent.next_block.index + 1);
    --parent.blocks_left;
  }
  block.param = NodeId(static_cast<uint32_t>(graph.num_nodes()));
  graph.blocks[opened.block.index] = block;
  open_.push_back(opened);

  const ValueId first(static_cast<uint32_t>(graph.num_values()));
  BeginForm(Operator(Intrinsic::kParam), 0);
  Append(parameters);
  return first;
}

void ModuleBuilder::EndBlock(absl::Span<const Operand> results) {
  if (!status_.ok()) return;
  if (open_.empty() || open_.back().blocks_left != 0) {
    Fail(absl::InvalidArgumentError(
        open_.empty() ? "a block ends, but none is open"
                      : "a block ends before the blocks of its last node"));
    return;
  }
  Graph& graph = module_.functions.back().graph;
  BeginForm(Operator(Intrinsic::kReturn), 0);
  for (const Operand operand : results) {
    if (!operand.is_default()) AddSlot(Slot::kVariadic, operand);
  }
  const BlockId block = open_.back().block;
  graph.blocks[block.index].end = Append({});
  open_.pop_back();
}

ValueId ModuleBuilder::AddNode(OperatorId op, absl::Span<const Given> given,
                               absl::Span<const Attribute> attributes,
                               absl::Span<const Definition> results,
                               uint32_t num_blocks) {
  if (!status_.ok()) return ValueId();
  if (open_.empty() || open_.back().blocks_left != 0) {
    Fail(absl::InvalidArgumentError(Concat(
        "a node of ", module_.op(op).name(),
        open_.empty() ? " stands outside of any block"
                      : " comes before the blocks of the node before it")));
    return ValueId();
  }
  Graph& graph = module_.functions.back().graph;

  // Variadic operands keep their order, after all others: kVariadic is above
  // all other numbers.
  const auto precedes = [](const Given& a, const Given& b) {
    return a.argument < b.argument;
  };
  if (!std::is_sorted(given.begin(), given.end(), precedes)) {
    scratch_given_.assign(given.begin(), given.end());
    std::stable_sort(scratch_given_.begin(), scratch_given_.end(), precedes);
    given = scratch_given_;
  }
  BeginForm(op, num_blocks);
  for (const Given& g : given) {
    if (!g.operand.is_default()) AddSlot(g.argument, g.operand);
  }
  if (!attributes.empty()) AddAttributes(attributes);
  if (!status_.ok()) return ValueId();

  const ValueId first(static_cast<uint32_t>(graph.num_values()));
  const NodeId id = Append(results);
  if (num_blocks == 0 || !status_.ok()) return first;

  // Nested nodes' blocks come in between, so the ids are reserved now.
  if (!HasRoom(graph.blocks.size() + num_blocks, "blocks in a function")) {
    return ValueId();
  }
  const BlockId first_block(static_cast<uint32_t>(graph.blocks.size()));
  graph.blocks.resize(graph.blocks.size() + num_blocks);
  graph.nodes[id.index].first_block = first_block;
  OpenBlock& block = open_.back();
  block.last_node = id;
  block.next_block = first_block;
  block.blocks_left = num_blocks;
  return first;
}

void ModuleBuilder::BeginForm(OperatorId op, uint32_t num_blocks) {
  scratch_form_.assign({op.index, num_blocks, 0, 0});
}

void ModuleBuilder::AddSlot(uint32_t argument, Operand operand) {
  ++scratch_form_[kNumSlots];
  scratch_form_.push_back(argument);
  scratch_form_.push_back(operand.is_constant());
  module_.functions.back().graph.operands.push_back(operand);
}

void ModuleBuilder::AddAttributes(absl::Span<const Attribute> attributes) {
  scratch_attributes_.clear();
  for (const Attribute& attribute : attributes) {
    scratch_attributes_.emplace_back(String(attribute.name), attribute.value);
  }
  if (!status_.ok()) return;
  std::sort(scratch_attributes_.begin(), scratch_attributes_.end(),
            [this](const auto& a, const auto& b) {
              return module_.string(a.first) < module_.string(b.first);
            });
  for (const auto& attribute : scratch_attributes_) {
    ++scratch_form_[kNumAttributes];
    scratch_form_.push_back(attribute.first.index);
    module_.functions.back().graph.operands.push_back(
        Operand(attribute.second));
  }
}

NodeId ModuleBuilder::Append(absl::Span<const Definition> results) {
  Graph& graph = module_.functions.back().graph;
  if (!HasRoom(graph.num_nodes(), "nodes in a function") ||
      !HasRoom(graph.operands.size(), "operands in a function") ||
      !HasRoom(graph.num_values() + results.size(), "values in a function")) {
    return NodeId();
  }
  const NodeId id(static_cast<uint32_t>(graph.num_nodes()));
  Node node;
  node.operands_begin =
      static_cast<uint32_t>(graph.operands.size() - scratch_form_[kNumSlots] -
                            scratch_form_[kNumAttributes]);
  node.results_begin = static_cast<uint32_t>(graph.num_values());

  for (const Definition& result : results) {
    scratch_form_.push_back(result.type.index);
    if (!result.name.empty()) {
      graph.value_names.resize(graph.num_values());
      graph.value_names.push_back(String(result.name));
    }
    graph.value_types.push_back(result.type);
    graph.value_nodes.push_back(id);
  }
  node.form = InternForm();
  if (!node.form.valid()) return NodeId();
  graph.nodes.push_back(node);
  return id;
}

FormId ModuleBuilder::InternForm() {
  const auto known = forms_.find(scratch_form_);
  if (known != forms_.end()) return FormId(known->second);
  if (!HasRoom(module_.forms.size(), "call forms")) return FormId();
  const FormId id(static_cast<uint32_t>(module_.forms.size()));
  CallForm form;
  form.op = OperatorId(scratch_form_[kOp]);
  form.num_blocks = scratch_form_[kNumBlocks];
  size_t at = kRest;
  for (uint32_t i = 0; i < scratch_form_[kNumSlots]; ++i, at += 2) {
    form.slots.push_back({scratch_form_[at], scratch_form_[at + 1] != 0});
  }
  for (uint32_t i = 0; i < scratch_form_[kNumAttributes]; ++i, ++at) {
    form.attribute_names.emplace_back(scratch_form_[at]);
  }
  for (; at < scratch_form_.size(); ++at) {
    form.result_types.emplace_back(scratch_form_[at]);
  }
  module_.forms.push_back(std::move(form));
  forms_.emplace(scratch_form_, id.index);
  return id;
}

void ModuleBuilder::SetLocation(absl::string_view location) {
  if (!status_.ok()) return;
  if (!in_function_ || module_.functions.back().graph.nodes.empty()) {
    Fail(absl::InvalidArgumentError("a location, but no node to give it to"));
    return;
  }
  Graph& graph = module_.functions.back().graph;
  graph.node_locations.resize(graph.num_nodes());
  graph.node_locations.back() = String(location);
}

TypeId ModuleBuilder::type_of(ValueId value) const {
  return module_.functions.back().graph.value_types[value.index];
}

absl::StatusOr<Module> ModuleBuilder::Build() && {
  if (status_.ok() && in_function_) {
    Fail(absl::InvalidArgumentError(
        Concat("function ", module_.functions.back().name, " has not ended")));
  }
  if (!status_.ok()) return status_;
  return std::move(module_);
}

}  // namespace opcompat
