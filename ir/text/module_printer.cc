#include "ir/text/module_printer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/text/names.h"
#include "schema/operator_entry.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// Deeper levels are not indented further, or else the text of n nested blocks
// would have n * n spaces.
constexpr size_t kMaxIndentedLevels = 64;

// What the values of one graph are called in text.
class ValueNames {
 public:
  ValueNames(const Module& module, const Graph& graph, bool ignore_names) {
    if (ignore_names || graph.value_names.empty()) return;
    names_.resize(graph.num_values());
    absl::flat_hash_set<std::string> taken;
    for (size_t v = 0; v < graph.num_values(); ++v) {
      const StringId id = graph.value_names[v];
      if (!id.valid() || !IsValueName(module.string(id))) continue;
      if (taken.insert(module.string(id)).second) {
        names_[v] = module.string(id);
      }
    }
    // The others get their numbers, which a name may have taken.
    for (uint32_t v = 0; v < graph.num_values(); ++v) {
      if (!names_[v].empty()) continue;
      std::string name = absl::StrCat(v);
      for (uint32_t n = 1; !taken.insert(name).second; ++n) {
        name = absl::StrCat(v, ".", n);
      }
      made_[v] = std::move(name);
    }
    for (const auto& made : made_) names_[made.first] = made.second;
  }

  void Append(ValueId value, std::string* out) const {
    if (value.index < names_.size()) {
      absl::StrAppend(out, "%", names_[value.index]);
    } else {
      absl::StrAppend(out, "%", value.index);
    }
  }

 private:
  // By value; empty: all values have their numbers.
  std::vector<absl::string_view> names_;
  absl::flat_hash_map<uint32_t, std::string> made_;
};

class Printer {
 public:
  Printer(const Module& module, const PrintOptions& options)
      : module_(module), options_(options) {
    type_names_.reserve(module.types.size());
    for (const Type& type : module.types) {
      type_names_.push_back(type.ToString());
    }
  }

  std::string Print() && {
    PrintHeader();
    for (const Function& function : module_.functions) PrintFunction(function);
    return std::move(out_);
  }

 private:
  void PrintHeader();
  void PrintFunction(const Function& function);
  void PrintNode(const Graph& graph, const ValueNames& names, const Node& node);
  // What stands in a call's parentheses.
  void PrintArguments(const OperatorEntry& entry, const CallForm& form,
                      absl::Span<const Operand> operands,
                      const ValueNames& names);
  // `%a : T, %b : T`: the results of `node`.
  void PrintDefinitions(const Node& node, const ValueNames& names);
  // `(%a, 1)`.
  void PrintOperands(absl::Span<const Operand> operands,
                     const ValueNames& names);
  void PrintOperand(Operand operand, const ValueNames& names);
  void PrintConstant(ConstantId id);
  void Indent(size_t level) {
    out_.append(2 * std::min(level, kMaxIndentedLevels), ' ');
  }
  // `, ` before all but the first of what starts at `begin`.
  void Separate(size_t begin) {
    if (out_.size() != begin) out_ += ", ";
  }

  const Module& module_;
  const PrintOptions& options_;
  std::vector<std::string> type_names_;
  std::string out_;
};

void Printer::PrintHeader() {
  for (const OpsetVersion& opset : module_.opsets) {
    absl::StrAppend(&out_, "opset ", opset.name, " ", opset.version, "\n");
  }
  for (const ModuleAttribute& attribute : module_.attributes) {
    absl::StrAppend(&out_, "attr ", NameToString(attribute.name), " : ",
                    type_names_[attribute.type.index], " = ");
    PrintConstant(attribute.value);
    out_ += '\n';
  }
  for (const ModuleTensor& tensor : module_.tensors) {
    const TensorData& data = module_.constant(tensor.value).tensor();
    absl::StrAppend(&out_, "tensor ", NameToString(tensor.name), " : ",
                    data.dtype, "[");
    const size_t begin = out_.size();
    for (const int64_t size : data.shape) {
      Separate(begin);
      absl::StrAppend(&out_, size);
    }
    absl::StrAppend(&out_, "] = hex\"", absl::BytesToHexString(data.bytes),
                    "\"\n");
  }
  for (const Metadata& metadata : module_.metadata) {
    absl::StrAppend(&out_, "meta ", QuoteString(metadata.key), " = ",
                    QuoteString(metadata.value), "\n");
  }
}

void Printer::PrintFunction(const Function& function) {
  const Graph& graph = function.graph;
  const ValueNames names(module_, graph, options_.ignore_names);

  absl::StrAppend(&out_, "func ", NameToString(function.name), "(");
  PrintDefinitions(graph.nodes[0], names);
  out_ += ") -> (";
  const size_t begin = out_.size();
  for (const TypeId type : function.result_types) {
    Separate(begin);
    out_ += type_names_[type.index];
  }
  out_ += "):\n";

  // The blocks of the nodes around the current place: how many of them there
  // are, and how many have begun.
  struct OpenNode {
    uint32_t num_blocks;
    uint32_t begun;
  };
  std::vector<OpenNode> open;
  for (size_t i = 1; i < graph.num_nodes(); ++i) {
    const Node& node = graph.nodes[i];
    const Intrinsic intrinsic = module_.intrinsic(node);
    if (intrinsic == Intrinsic::kParam) {
      Indent(2 * open.size());
      absl::StrAppend(&out_, "block", open.back().begun++, "(");
      PrintDefinitions(node, names);
      out_ += "):\n";
    } else if (intrinsic == Intrinsic::kReturn) {
      Indent(2 * open.size() + 1);
      out_ += open.empty() ? "return " : "-> ";
      PrintOperands(module_.operands(graph, node), names);
      out_ += '\n';
      if (!open.empty() && open.back().begun == open.back().num_blocks) {
        open.pop_back();
      }
    } else {
      Indent(2 * open.size() + 1);
      PrintNode(graph, names, node);
      const uint32_t num_blocks = module_.form(node).num_blocks;
      if (num_blocks > 0) open.push_back({num_blocks, 0});
    }
  }
}

void Printer::PrintNode(const Graph& graph, const ValueNames& names,
                        const Node& node) {
  const CallForm& form = module_.form(node);
  const ModuleOperator& op = module_.op(form.op);
  const absl::Span<const Operand> operands = module_.operands(graph, node);

  PrintDefinitions(node, names);
  absl::StrAppend(&out_, " = ", op.name());
  if (!form.attribute_names.empty()) {
    out_ += '[';
    const size_t begin = out_.size();
    for (size_t i = 0; i < form.attribute_names.size(); ++i) {
      Separate(begin);
      absl::StrAppend(
          &out_, NameToString(module_.string(form.attribute_names[i])), "=");
      PrintConstant(operands[form.slots.size() + i].constant());
    }
    out_ += ']';
  }
  const absl::Span<const Operand> arguments =
      operands.subspan(0, form.slots.size());
  if (op.entry == nullptr) {
    PrintOperands(arguments, names);
  } else {
    out_ += '(';
    PrintArguments(*op.entry, form, arguments, names);
    out_ += ')';
    if (options_.show_revisions && op.entry->revision > 1) {
      absl::StrAppend(&out_, " # revision ", op.entry->revision);
    }
  }
  out_ += '\n';
}

void Printer::PrintArguments(const OperatorEntry& entry, const CallForm& form,
                             absl::Span<const Operand> operands,
                             const ValueNames& names) {
  const size_t begin = out_.size();
  // Variadic operands have no names: they come before the keyword-only ones,
  // although they are last in the form. Where arguments before them were left
  // out, `...` says that they are not those.
  size_t num_named = operands.size();
  while (num_named > 0 &&
         form.slots[num_named - 1].argument == Slot::kVariadic) {
    --num_named;
  }
  size_t i = 0;
  for (; i < num_named; ++i) {
    const uint32_t a = form.slots[i].argument;
    if (entry.arguments[a].keyword_only) break;
    Separate(begin);
    // Slots rise: the i-th is for argument i iff none before was left out.
    if (a != i) absl::StrAppend(&out_, entry.arguments[a].name(), "=");
    PrintOperand(operands[i], names);
  }
  if (num_named < operands.size() && i < entry.num_exposed() &&
      !entry.arguments[i].keyword_only) {
    Separate(begin);
    out_ += "...";
  }
  for (const Operand operand : operands.subspan(num_named)) {
    Separate(begin);
    PrintOperand(operand, names);
  }
  for (; i < num_named; ++i) {
    Separate(begin);
    absl::StrAppend(&out_, entry.arguments[form.slots[i].argument].name(), "=");
    PrintOperand(operands[i], names);
  }
}

void Printer::PrintDefinitions(const Node& node, const ValueNames& names) {
  const size_t begin = out_.size();
  uint32_t value = node.results_begin;
  for (const TypeId type : module_.form(node).result_types) {
    Separate(begin);
    names.Append(ValueId(value++), &out_);
    absl::StrAppend(&out_, " : ", type_names_[type.index]);
  }
}

void Printer::PrintOperands(absl::Span<const Operand> operands,
                            const ValueNames& names) {
  out_ += '(';
  const size_t begin = out_.size();
  for (const Operand operand : operands) {
    Separate(begin);
    PrintOperand(operand, names);
  }
  out_ += ')';
}

void Printer::PrintOperand(Operand operand, const ValueNames& names) {
  if (operand.is_value()) {
    names.Append(operand.value(), &out_);
  } else {
    PrintConstant(operand.constant());
  }
}

void Printer::PrintConstant(ConstantId id) {
  const Value& value = module_.constant(id);
  if (value.kind() == ValueKind::kInt) {  // most of them
    absl::StrAppend(&out_, value.int_value());
  } else {
    out_ += value.ToString();
  }
}

}  // namespace

std::string PrintModule(const Module& module, const PrintOptions& options) {
  return Printer(module, options).Print();
}

}  // namespace opcompat
