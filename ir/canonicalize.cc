#include "ir/canonicalize.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/hash_map.h"
#include "ir/constant_values.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/module_builder.h"
#include "ir/place_types.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// Whether constructs of the types that `type` says can make `value`: not if a
// tensor is in it, which is a node, nor a container at a type that says nothing
// of its parts (Any, a class).
bool CanBeTakenApart(const Value& value, const Type& type) {
  if (type.kind() == TypeKind::kOptional) {
    return CanBeTakenApart(value, type.child());
  }
  if (!IsContainer(value)) return value.kind() != ValueKind::kTensor;
  switch (type.kind()) {
    case TypeKind::kList:
    case TypeKind::kDict:
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple:
      break;
    default:
      return false;
  }
  const absl::Span<const Value> elements = value.elements();
  for (size_t i = 0; i < elements.size(); ++i) {
    // Lists have one child, dicts two, tuples one for each part.
    const Type& part = type.child(i % type.children().size());
    if (!CanBeTakenApart(elements[i], part)) return false;
  }
  return true;
}

class Canonicalizer {
 public:
  explicit Canonicalizer(const Module& module)
      : old_(module),
        places_(module, &relations_),
        constants_(module, &relations_, places_),
        new_types_(module.types.size()),
        new_constants_(module.constants.size()),
        new_operators_(module.operators.size()) {
    for (const Function& function : module.functions) {
      functions_.emplace(function.name, &function);
    }
  }

  absl::StatusOr<Module> Run();

 private:
  void CopyHeader();
  void CopyFunction(const Function& function);
  void CopyNode(const Graph& graph, NodeId id);
  // Finds the constants that some use cannot take as a literal.
  void FindNeeded(const Graph& graph);

  // Where operand `slot` of the node stands.
  uint32_t PlaceOf(NodeId id, size_t slot) const;

  // The operand that stands for operand `slot` of the node.
  Operand NewOperand(NodeId id, size_t slot);
  // If operand `slot` is a literal that must be a node, adds the node, and
  // returns it; else returns kDefault.
  Operand AddOperandNode(NodeId id, size_t slot);
  ConstantId NewLiteral(ValueId value);

  // Adds a prim::Constant before the node at hand.
  ValueId AddConstant(TypeId type, ConstantId value, StringId name);
  // Adds the constructs that make `value`, a container, at `type`.
  ValueId AddConstructs(const Value& value, const Type& type, StringId name);
  // Adds a node to the graph, with the debug information that comes later.
  ValueId AddNode(OperatorId op, absl::Span<const ModuleBuilder::Given> given,
                  absl::Span<const ModuleBuilder::Attribute> attributes,
                  absl::Span<const ModuleBuilder::Definition> results,
                  uint32_t num_blocks, StringId first_name);

  // Puts the debug information of each function into `module`.
  void AddDebugInformation(Module* module) const;

  TypeId NewType(TypeId id);
  ConstantId NewConstant(ConstantId id);
  OperatorId NewOperator(OperatorId id);

  const Module& old_;
  TypeRelations relations_;
  PlaceTypes places_;
  ConstantValues constants_;
  ModuleBuilder builder_;
  std::vector<TypeId> new_types_;          // by old id, not valid: not yet
  std::vector<ConstantId> new_constants_;  // the same
  std::vector<OperatorId> new_operators_;  // the same

  HashMap<absl::string_view, const Function*> functions_;
  // WithoutListSizes of types, by number; None: not known yet.
  HashMap<uint32_t, Type> without_sizes_;

  // Of the function at hand.
  const Function* function_ = nullptr;
  std::vector<NodeId> parents_;      // by kReturn node: whose block it closes
  std::vector<bool> needed_;         // by old value
  std::vector<ValueId> new_values_;  // by old value
  StringId location_;

  // Debug information, as old ids. Interned when all else is, so that tables
  // are the same with and without it.
  struct Debug {
    std::vector<StringId> value_names;
    std::vector<StringId> node_locations;
  };
  std::vector<Debug> debug_;

  // Reused.
  std::vector<ModuleBuilder::Given> given_;
  std::vector<ModuleBuilder::Attribute> attributes_;
  std::vector<ModuleBuilder::Definition> results_;
  std::vector<Operand> yields_;
};

TypeId Canonicalizer::NewType(TypeId id) {
  TypeId& known = new_types_[id.index];
  if (!known.valid()) known = builder_.InternType(old_.type(id));
  return known;
}

ConstantId Canonicalizer::NewConstant(ConstantId id) {
  ConstantId& known = new_constants_[id.index];
  if (!known.valid()) known = builder_.Constant(old_.constant(id));
  return known;
}

OperatorId Canonicalizer::NewOperator(OperatorId id) {
  OperatorId& known = new_operators_[id.index];
  if (!known.valid()) {
    const ModuleOperator& op = old_.op(id);
    known = op.entry != nullptr ? builder_.Operator(op.entry)
                                : builder_.Operator(op.intrinsic);
  }
  return known;
}

absl::StatusOr<Module> Canonicalizer::Run() {
  CopyHeader();
  for (const Function& function : old_.functions) CopyFunction(function);
  absl::StatusOr<Module> module = std::move(builder_).Build();
  if (module.ok()) AddDebugInformation(&*module);
  return module;
}

void Canonicalizer::CopyHeader() {
  for (const OpsetVersion& opset : old_.opsets) {
    builder_.AddOpset(opset.name, opset.version);
  }
  for (const Metadata& item : old_.metadata) {
    builder_.AddMetadata(item.key, item.value);
  }
  for (const ModuleAttribute& attribute : old_.attributes) {
    builder_.AddAttribute(attribute.name, NewType(attribute.type),
                          NewConstant(attribute.value));
  }
  for (const ModuleTensor& tensor : old_.tensors) {
    builder_.AddTensor(tensor.name, NewConstant(tensor.value));
  }
}

void Canonicalizer::CopyFunction(const Function& function) {
  const Graph& graph = function.graph;
  function_ = &function;
  debug_.emplace_back();
  parents_.assign(graph.num_nodes(), NodeId());
  for (const Block& block : graph.blocks) {
    parents_[block.end.index] = block.parent;
  }
  constants_.Analyze(graph);
  FindNeeded(graph);
  new_values_.assign(graph.num_values(), ValueId());

  builder_.BeginFunction(function.name);
  for (uint32_t n = 0; n < graph.num_nodes(); ++n) CopyNode(graph, NodeId(n));
  std::vector<TypeId> result_types;
  for (const TypeId type : function.result_types) {
    result_types.push_back(NewType(type));
  }
  builder_.EndFunction(std::move(result_types));
}

uint32_t Canonicalizer::PlaceOf(NodeId id, size_t slot) const {
  const Graph& graph = function_->graph;
  const Node& node = graph.nodes[id.index];
  const Intrinsic intrinsic = old_.intrinsic(node);
  if (intrinsic == Intrinsic::kCallFunction) {
    const ConstantId name = old_.attribute(graph, node, "name");
    const auto callee = functions_.find(old_.constant(name).string_value());
    if (callee == functions_.end()) return places_.any();
    const Node& parameters = callee->second->graph.nodes[0];
    return places_.OfType(old_.form(parameters).result_types[slot]);
  }
  if (intrinsic != Intrinsic::kReturn) return places_.OfSlot(node.form, slot);
  const NodeId parent = parents_[id.index];
  if (!parent.valid()) return places_.OfType(function_->result_types[slot]);
  const Node& parent_node = graph.nodes[parent.index];
  return old_.intrinsic(parent_node) == Intrinsic::kNone
             ? places_.any()
             : places_.OfYield(parent_node.form, slot);
}

void Canonicalizer::FindNeeded(const Graph& graph) {
  needed_.assign(graph.num_values(), false);
  for (uint32_t n = 0; n < graph.num_nodes(); ++n) {
    const Node& node = graph.nodes[n];
    const CallForm& form = old_.form(node);
    // A construct that is a constant has its parts in its literal.
    if (!form.result_types.empty() &&
        constants_.IsConstant(ValueId(node.results_begin))) {
      continue;
    }
    for (size_t i = 0; i < form.slots.size(); ++i) {
      const Operand operand = graph.operands[node.operands_begin + i];
      if (operand.is_value() && constants_.IsConstant(operand.value()) &&
          !constants_.FitsAt(operand.value(), PlaceOf(NodeId(n), i))) {
        needed_[operand.value().index] = true;
      }
    }
  }
}

void Canonicalizer::CopyNode(const Graph& graph, NodeId id) {
  const Node& node = graph.nodes[id.index];
  const CallForm& form = old_.form(node);
  const Intrinsic intrinsic = old_.op(form.op).intrinsic;
  const auto name_of = [&](size_t result) {
    return graph.value_names.empty()
               ? StringId()
               : graph.value_names[node.results_begin + result];
  };
  location_ = graph.node_locations.empty() ? StringId()
                                           : graph.node_locations[id.index];

  // A constant is here only if some use needs the node.
  const ValueId first(node.results_begin);
  if (!form.result_types.empty() && constants_.IsConstant(first)) {
    if (!needed_[first.index]) return;
    new_values_[first.index] = AddConstant(NewType(form.result_types[0]),
                                           NewLiteral(first), name_of(0));
    return;
  }
  // A container in one prim::Constant that does not count is the same as the
  // constructs that make it.
  if (intrinsic == Intrinsic::kConstant && form.attribute_names.size() == 1 &&
      old_.string(form.attribute_names[0]) == "value") {
    const Type& type = old_.type(form.result_types[0]);
    const ConstantValues::Literal& literal =
        constants_.literal(graph.operands[node.operands_begin].constant());
    if (IsContainer(literal.value) && literal.leaves <= kMaxCopiedLeaves &&
        type.kind() != TypeKind::kOptional &&
        CanBeTakenApart(literal.value, type)) {
      new_values_[first.index] = AddConstructs(literal.value, type, name_of(0));
      return;
    }
  }

  // First the operands that need nodes of their own before this one, so that
  // tables are in the order in which the new module uses them.
  given_.clear();
  for (size_t i = 0; i < form.slots.size(); ++i) {
    given_.push_back({form.slots[i].argument, AddOperandNode(id, i)});
  }
  for (size_t i = 0; i < form.slots.size(); ++i) {
    if (given_[i].operand.is_default()) given_[i].operand = NewOperand(id, i);
  }
  if (intrinsic == Intrinsic::kReturn) {
    yields_.clear();
    for (const ModuleBuilder::Given& g : given_) yields_.push_back(g.operand);
    builder_.EndBlock(yields_);
    debug_.back().node_locations.push_back(location_);
    return;
  }

  results_.clear();
  for (const TypeId type : form.result_types) {
    results_.push_back({NewType(type), std::string()});
  }
  ValueId new_first;
  if (intrinsic == Intrinsic::kParam) {
    new_first = builder_.BeginBlock(results_);
    debug_.back().node_locations.push_back(location_);
    debug_.back().value_names.resize(debug_.back().value_names.size() +
                                     results_.size());
  } else {
    attributes_.clear();
    for (size_t i = 0; i < form.attribute_names.size(); ++i) {
      const Operand value =
          graph.operands[node.operands_begin + form.slots.size() + i];
      attributes_.push_back({old_.string(form.attribute_names[i]),
                             NewConstant(value.constant())});
    }
    new_first = AddNode(NewOperator(form.op), given_, attributes_, results_,
                        form.num_blocks, StringId());
  }
  for (size_t i = 0; i < form.result_types.size(); ++i) {
    new_values_[first.index + i] = ValueId(new_first.index + i);
    debug_.back().value_names[new_first.index + i] = name_of(i);
  }
}

Operand Canonicalizer::NewOperand(NodeId id, size_t slot) {
  const Graph& graph = function_->graph;
  const Operand operand =
      graph.operands[graph.nodes[id.index].operands_begin + slot];
  if (operand.is_constant()) return Operand(NewConstant(operand.constant()));
  const ValueId value = operand.value();
  return constants_.IsConstant(value) &&
                 constants_.FitsAt(value, PlaceOf(id, slot))
             ? Operand(NewLiteral(value))
             : Operand(new_values_[value.index]);
}

Operand Canonicalizer::AddOperandNode(NodeId id, size_t slot) {
  const Graph& graph = function_->graph;
  const Node& node = graph.nodes[id.index];
  const Operand operand = graph.operands[node.operands_begin + slot];
  if (!operand.is_constant()) return Operand();
  const ConstantId constant = operand.constant();
  ConstantValues::Literal& literal = constants_.literal(constant);
  const bool may_be_written =
      IsContainer(literal.value) && !OnlyReads(old_, old_.form(node), slot);
  if (!literal.has_tensor && !may_be_written) return Operand();
  // Verify has seen that the literal has a type.
  uint32_t place = PlaceOf(id, slot);
  if (!relations_.FixesLiterals(place)) place = *constants_.OwnType(literal);
  Type& without_sizes = without_sizes_[place];
  if (without_sizes.kind() == TypeKind::kNone) {
    without_sizes = WithoutListSizes(relations_.type(place));
  }
  Type type = without_sizes;
  if (type.kind() == TypeKind::kOptional) type = type.child();
  if (may_be_written && literal.leaves <= kMaxCopiedLeaves &&
      CanBeTakenApart(literal.value, type)) {
    return Operand(AddConstructs(literal.value, type, StringId()));
  }
  return Operand(AddConstant(builder_.InternType(type), NewConstant(constant),
                             StringId()));
}

ConstantId Canonicalizer::NewLiteral(ValueId value) {
  ConstantValues::Literal& literal = constants_.literal(value);
  if (!literal.new_id.valid()) {
    literal.new_id = builder_.Constant(literal.value);
  }
  return literal.new_id;
}

ValueId Canonicalizer::AddConstant(TypeId type, ConstantId value,
                                   StringId name) {
  return AddNode(builder_.Operator(Intrinsic::kConstant), {},
                 {{"value", value}}, {{type, ""}}, 0, name);
}

ValueId Canonicalizer::AddConstructs(const Value& value, const Type& type,
                                     StringId name) {
  Intrinsic construct = Intrinsic::kListConstruct;
  if (value.kind() == ValueKind::kTuple) construct = Intrinsic::kTupleConstruct;
  if (value.kind() == ValueKind::kDict) construct = Intrinsic::kDictConstruct;
  const absl::Span<const Value> elements = value.elements();
  std::vector<ModuleBuilder::Given> parts(elements.size(),
                                          {Slot::kVariadic, Operand()});
  // Nodes before the constants of this one: the order of the tables.
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!IsContainer(elements[i])) continue;
    Type part = type.child(i % type.children().size());
    if (part.kind() == TypeKind::kOptional) part = part.child();
    parts[i].operand = Operand(AddConstructs(elements[i], part, StringId()));
  }
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!IsContainer(elements[i])) {
      parts[i].operand = Operand(builder_.Constant(elements[i]));
    }
  }
  return AddNode(builder_.Operator(construct), parts, {},
                 {{builder_.InternType(type), ""}}, 0, name);
}

ValueId Canonicalizer::AddNode(
    OperatorId op, absl::Span<const ModuleBuilder::Given> given,
    absl::Span<const ModuleBuilder::Attribute> attributes,
    absl::Span<const ModuleBuilder::Definition> results, uint32_t num_blocks,
    StringId first_name) {
  const ValueId first =
      builder_.AddNode(op, given, attributes, results, num_blocks);
  Debug& debug = debug_.back();
  debug.node_locations.push_back(location_);
  debug.value_names.resize(debug.value_names.size() + results.size());
  if (!results.empty()) {
    debug.value_names[debug.value_names.size() - results.size()] = first_name;
  }
  return first;
}

void Canonicalizer::AddDebugInformation(Module* module) const {
  HashMap<std::string, StringId> interned;
  for (uint32_t i = 0; i < module->strings.size(); ++i) {
    interned.emplace(module->strings[i], StringId(i));
  }
  std::vector<StringId> new_strings(old_.strings.size());
  const auto add = [&](const std::vector<StringId>& old_ids,
                       std::vector<StringId>* new_ids) {
    const bool any = std::any_of(old_ids.begin(), old_ids.end(),
                                 [](StringId id) { return id.valid(); });
    if (!any) return;
    new_ids->resize(old_ids.size());
    for (size_t i = 0; i < old_ids.size(); ++i) {
      if (!old_ids[i].valid()) continue;
      StringId& known = new_strings[old_ids[i].index];
      if (!known.valid()) {
        const std::string& s = old_.string(old_ids[i]);
        const auto inserted = interned.try_emplace(
            s, StringId(static_cast<uint32_t>(module->strings.size())));
        if (inserted.second) module->strings.push_back(s);
        known = inserted.first->second;
      }
      (*new_ids)[i] = known;
    }
  };
  for (size_t f = 0; f < module->functions.size(); ++f) {
    Graph& graph = module->functions[f].graph;
    add(debug_[f].value_names, &graph.value_names);
    add(debug_[f].node_locations, &graph.node_locations);
  }
}

}  // namespace

absl::StatusOr<Module> Canonicalize(const Module& module) {
  return Canonicalizer(module).Run();
}

}  // namespace opcompat
