// A module of operator graphs, as columns.
//
// SSA, typed, shaped like TorchScript: functions whose graphs are nested
// blocks of nodes; a node is a call of an operator (or an intrinsic such as
// prim::If) with values, constants and named attributes.
//
// Storage is flat. What all calls of one shape share (operator, which
// arguments are written, result types, number of blocks, attribute names) is a
// CallForm, interned in the module; a node is a form and running offsets into
// the operand and value columns. Nothing is allocated per node, and code that
// works "per call form" does its work once for millions of nodes.
//
// Module is plain data, made by ModuleBuilder (module_builder.h), the text
// parser or the deserializer; Verify (verifier.h) says whether it makes sense.
// Copying copies the columns. Const access is safe from several threads.
#ifndef OPCOMPAT_IR_MODULE_H_
#define OPCOMPAT_IR_MODULE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

// Operators that have no schema but rules in the verifier.
// The numbers are used on the wire: add at the end only.
enum class Intrinsic : uint8_t {
  kNone = 0,  // an ordinary operator
  // Opens every block, and a function's graph: its results are the block's
  // parameters. Closes it: its operands are what the block yields.
  // Neither is spelled in text.
  kParam = 1,
  kReturn = 2,
  kConstant = 3,
  kIf = 4,
  kLoop = 5,
  kListConstruct = 6,
  kTupleConstruct = 7,
  kDictConstruct = 8,
  kListUnpack = 9,
  kGetAttr = 10,
  kSetAttr = 11,
  kCallMethod = 12,
  kCallFunction = 13,
};

// `prim::If` etc.; kNone for other names, and for kParam and kReturn.
Intrinsic IntrinsicOfName(absl::string_view name);
absl::string_view IntrinsicName(Intrinsic intrinsic);

// An operator that the module uses: an entry, or an intrinsic.
struct ModuleOperator {
  // As the writer of the module knows it; null for an intrinsic.
  OperatorEntryPtr entry;
  Intrinsic intrinsic = Intrinsic::kNone;

  // `aten::add.Tensor`, `prim::If`.
  absl::string_view name() const {
    return entry != nullptr ? absl::string_view(entry->name())
                            : IntrinsicName(intrinsic);
  }
};

// Where an operand goes.
struct Slot {
  // Index into the entry's exposed arguments; kVariadic for the operands of
  // `...` and of intrinsics, in order, after all others.
  uint32_t argument = kVariadic;
  // Whether the operand is a constant or a value.
  bool is_constant = false;

  static constexpr uint32_t kVariadic = 0xffffffff;

  friend bool operator==(Slot a, Slot b) {
    return a.argument == b.argument && a.is_constant == b.is_constant;
  }
};

// What all calls of one shape share.
struct CallForm {
  OperatorId op;
  // The written operands, by rising argument, variadic ones last. An argument
  // without a slot is at its default.
  std::vector<Slot> slots;
  // Names of the node's attributes, sorted as strings, unique; their values
  // are constants that follow the operands of the slots.
  std::vector<StringId> attribute_names;
  std::vector<TypeId> result_types;
  uint32_t num_blocks = 0;

  // Operands that a node of this form takes in the column.
  uint32_t num_operands() const {
    return static_cast<uint32_t>(slots.size() + attribute_names.size());
  }
  friend bool operator==(const CallForm& a, const CallForm& b) {
    return a.op == b.op && a.slots == b.slots &&
           a.attribute_names == b.attribute_names &&
           a.result_types == b.result_types && a.num_blocks == b.num_blocks;
  }
};

struct Node {
  FormId form;
  uint32_t operands_begin = 0;
  // Results are the values [results_begin, results_begin + number in the form).
  uint32_t results_begin = 0;
  // The first of the form's num_blocks blocks, consecutive in Graph::blocks;
  // not valid if there are none.
  BlockId first_block;
};

// A region: the nodes [param, end] in preorder, from its kParam node to its
// kReturn node, nested ones between them included.
struct Block {
  NodeId parent;  // not valid: the function's own block
  NodeId param;
  NodeId end;
};

// The nodes of one function in preorder: kParam, the body, kReturn; the blocks
// of a node follow it directly. Value ids rise in order of definition.
struct Graph {
  std::vector<Node> nodes;
  std::vector<Operand> operands;
  // blocks[0] is the function's own; others are numbered so that the blocks of
  // one node are consecutive.
  std::vector<Block> blocks;
  // By value.
  std::vector<TypeId> value_types;
  std::vector<NodeId> value_nodes;  // the node that defines it
  // Debug information: by value, and by node; each empty or complete. An
  // invalid id is "no name" or "no location".
  std::vector<StringId> value_names;
  std::vector<StringId> node_locations;

  size_t num_nodes() const { return nodes.size(); }
  size_t num_values() const { return value_types.size(); }
};

struct Function {
  std::string name;
  // Types of the parameters are those of the graph's kParam node.
  std::vector<TypeId> result_types;
  Graph graph;
};

// `attr scale : float = 0.5`
struct ModuleAttribute {
  std::string name;
  TypeId type;
  ConstantId value;
};

// `tensor w : float32[2, 2] = hex"..."`
struct ModuleTensor {
  std::string name;
  ConstantId value;  // a ValueKind::kTensor
};

// `meta "producer" = "example"`
struct Metadata {
  std::string key;
  std::string value;
};

// `opset torch 2.6.0`: what the module was written with.
struct OpsetVersion {
  std::string name;
  std::string version;

  friend bool operator==(const OpsetVersion& a, const OpsetVersion& b) {
    return a.name == b.name && a.version == b.version;
  }
};

struct Module {
  std::vector<OpsetVersion> opsets;
  std::vector<Metadata> metadata;
  std::vector<ModuleAttribute> attributes;
  std::vector<ModuleTensor> tensors;
  std::vector<Function> functions;

  // Interned: no two elements of a table are equal.
  std::vector<std::string> strings;
  std::vector<Type> types;
  std::vector<Value> constants;
  std::vector<ModuleOperator> operators;
  std::vector<CallForm> forms;

  const std::string& string(StringId id) const { return strings[id.index]; }
  const Type& type(TypeId id) const { return types[id.index]; }
  const Value& constant(ConstantId id) const { return constants[id.index]; }
  const ModuleOperator& op(OperatorId id) const { return operators[id.index]; }
  const CallForm& form(FormId id) const { return forms[id.index]; }
  const CallForm& form(const Node& node) const { return form(node.form); }
  const ModuleOperator& op(const Node& node) const { return op(form(node).op); }
  Intrinsic intrinsic(const Node& node) const { return op(node).intrinsic; }

  // The operands of the node's slots, then its attributes' values.
  absl::Span<const Operand> operands(const Graph& graph,
                                     const Node& node) const {
    return absl::MakeConstSpan(graph.operands)
        .subspan(node.operands_begin, form(node).num_operands());
  }
  // What the node gives to exposed argument `argument`: kDefault if left out.
  Operand operand(const Graph& graph, const Node& node,
                  uint32_t argument) const;
  // The value of the attribute `name`, or an invalid id.
  ConstantId attribute(const Graph& graph, const Node& node,
                       absl::string_view name) const;

  uint32_t num_results(const Node& node) const {
    return static_cast<uint32_t>(form(node).result_types.size());
  }
  // The node after `id` in the same block, blocks of `id` skipped. For a
  // kReturn node: one past it.
  NodeId next_sibling(const Graph& graph, NodeId id) const;

  const Function* FindFunction(absl::string_view name) const;
  // The name of a value as text has it, without `%`: its debug name, or its
  // number.
  std::string value_name(const Graph& graph, ValueId id) const;
};

// Uses of each value, by counting: two passes over the operands, no allocation
// per value. uses[begin[v], begin[v + 1]) are indices into Graph::operands, in
// rising order; NodeOfOperand says whose they are.
struct UseLists {
  std::vector<uint32_t> begin;
  std::vector<uint32_t> uses;
};
UseLists ComputeUses(const Graph& graph);

// The node that has operand `index` of Graph::operands. Logarithmic in the
// number of nodes. Precondition: the graph's structure verifies.
NodeId NodeOfOperand(const Graph& graph, uint32_t index);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_MODULE_H_
