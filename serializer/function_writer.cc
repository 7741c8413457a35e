#include "serializer/function_writer.h"

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"

namespace opcompat {
namespace encoding {
namespace {

enum ModuleField : uint32_t {
  kFunctions = 14,
  kDebug = 15,
};

// The elements of Function.constants, by constant: worked out at first use.
class ConstantElements {
 public:
  ConstantElements(const ElisionRule& elision, TableWriter* tables)
      : elision_(elision),
        tables_(tables),
        elements_(elision.num_constants()) {}

  uint64_t Element(ConstantId id, SlotKind kind) {
    Known& known = elements_[id.index];
    if (!known.is_known) {
      known = {tables_->ConstantElement(elision_.constant(id), kind), true};
    }
    return known.element;
  }

 private:
  struct Known {
    uint64_t element = 0;
    bool is_known = false;
  };

  const ElisionRule& elision_;
  TableWriter* tables_;
  std::vector<Known> elements_;
};

ByteWriter FunctionMessage(const Module& module, const Function& function,
                           const CallForms& forms,
                           const std::vector<uint32_t>& variants,
                           ConstantElements* elements, TableWriter* tables) {
  ByteWriter result_types;
  for (const TypeId type : function.result_types) {
    result_types.Varint(tables->Type(module.type(type)));
  }
  const Graph& graph = function.graph;
  ColumnWriter form_column;
  ColumnWriter values;
  ColumnWriter constants;
  const FormVariant* const all_variants = forms.variants().data();
  const Operand* const all_operands = graph.operands.data();
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    const FormVariant& variant = all_variants[variants[n]];
    form_column.Varint(forms.number(variant));
    const Operand* const operands = all_operands + node.operands_begin;
    // Values are numbered in order of definition, so the node's first result is
    // the number of values defined before it.
    for (const uint32_t operand : variant.values) {
      values.Varint(node.results_begin - operands[operand].value().index);
    }
    for (const ConstantSource& source : variant.constants) {
      const ConstantId id = source.operand == ConstantSource::kDefault
                                ? source.constant
                                : operands[source.operand].constant();
      constants.Varint(elements->Element(id, source.kind));
    }
  }
  ByteWriter message;
  message.Uint(1, tables->String(function.name));
  message.Column(2, result_types);
  message.Column(3, form_column);
  message.Column(4, values);
  message.Column(5, constants);
  return message;
}

// Strings of the debug information, in a table of their own.
class DebugStrings {
 public:
  explicit DebugStrings(const Module& module) : module_(module) {}

  ByteWriter Column(const std::vector<StringId>& ids) {
    ByteWriter column;
    for (const StringId id : ids) column.Varint(Reference(id));
    return column;
  }
  const ByteWriter& fields() const { return fields_; }

 private:
  // Plus one; 0: none.
  uint64_t Reference(StringId id) {
    if (!id.valid()) return 0;
    const auto [it, is_new] = references_.try_emplace(
        id.index, static_cast<uint64_t>(references_.size()) + 1);
    if (is_new) fields_.Element(1, module_.string(id));
    return it->second;
  }

  const Module& module_;
  absl::flat_hash_map<uint32_t, uint64_t> references_;
  ByteWriter fields_;
};

bool AnyValid(const std::vector<StringId>& ids) {
  for (const StringId id : ids) {
    if (id.valid()) return true;
  }
  return false;
}

}  // namespace

void WriteFunctions(const Module& module, const ElisionRule& elision,
                    const CallForms& forms, TableWriter* tables,
                    ByteWriter* out) {
  ConstantElements elements(elision, tables);
  for (size_t f = 0; f < module.functions.size(); ++f) {
    const ByteWriter message =
        FunctionMessage(module, module.functions[f], forms,
                        forms.node_variants(f), &elements, tables);
    out->Element(kFunctions, message.bytes());
  }
}

void WriteDebug(const Module& module, ByteWriter* out) {
  DebugStrings strings(module);
  ByteWriter functions;
  bool any = false;
  for (const Function& function : module.functions) {
    const Graph& graph = function.graph;
    ByteWriter message;
    if (AnyValid(graph.value_names)) {
      any = true;
      message.Column(1, strings.Column(graph.value_names));
    }
    if (AnyValid(graph.node_locations)) {
      any = true;
      message.Column(2, strings.Column(graph.node_locations));
    }
    functions.Element(2, message.bytes());
  }
  if (!any) return;
  ByteWriter debug;
  debug.Append(strings.fields());
  debug.Append(functions);
  out->Element(kDebug, debug.bytes());
}

}  // namespace encoding
}  // namespace opcompat
