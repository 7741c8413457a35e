#include "serializer/function_writer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/huge_pages.h"

namespace opcompat {
namespace encoding {
namespace {

enum ModuleField : uint32_t {
  kFunctions = 14,
  kDebug = 15,
};

// What may be written over behind a column's end.
constexpr size_t kSlack = 64;

struct Copied {
  char* end;
  CallForms::Kinds kinds;
};

// Copies the element of constant number `i` of a node to the end, if it is
// written, and adds its kind. No branch: nobody can foresee which are written.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void CopyConstant(
    const ConstantPlace& place, uint32_t i, const Operand* operands,
    const ConstantElement* elements, Copied* copied) {
  const uint32_t id = operands[place.operand].bits() & place.mask;
  const ConstantElement& element = elements[id];
  const uint32_t if_written = 0 - static_cast<uint32_t>(id != place.left_out);
  std::memcpy(copied->end, &element, sizeof element);
  copied->end += element.size & if_written;
  copied->kinds ^= (element.kind_bits & if_written) << (4 * i);
}

// Those of a node whose plan is not unusual.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline Copied CopyConstants(
    const FormPlan& plan, const ConstantPlace* places, const Operand* operands,
    const ConstantElement* elements, char* to) {
  Copied copied{to, ~CallForms::Kinds{0}};
  static_assert(FormPlan::kFewConstants == 4, "all of them follow");
  CopyConstant(plan.few_constants[0], 0, operands, elements, &copied);
  CopyConstant(plan.few_constants[1], 1, operands, elements, &copied);
  CopyConstant(plan.few_constants[2], 2, operands, elements, &copied);
  CopyConstant(plan.few_constants[3], 3, operands, elements, &copied);
  for (uint32_t i = FormPlan::kFewConstants; i < plan.num_constants; ++i) {
    CopyConstant(places[i], i, operands, elements, &copied);
  }
  return copied;
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

FunctionWriter::FunctionWriter(const Module& module, const FormPlans& plans,
                               ConstantElements* elements, CallForms* forms,
                               TableWriter* tables)
    : module_(module),
      plans_(plans),
      elements_(*elements),
      forms_(*forms),
      tables_(*tables) {}

void FunctionWriter::ReadNodes() {
  size_t num_nodes = 0;
  for (const Function& function : module_.functions) {
    num_nodes += function.graph.nodes.size();
  }
  ReserveColumn(num_nodes, &variants_);
  // A guess; they grow.
  values_.Reserve(num_nodes * 2);
  constants_.Reserve(num_nodes);
  for (const Function& function : module_.functions) AddFunction(function);
  forms_.Number();
  WriteFormNumbers();
}

void FunctionWriter::AddFunction(const Function& function) {
  for (const TypeId type : function.result_types) {
    result_types_.Advance(PutVarint(tables_.Type(module_.type(type)),
                                    result_types_.Reserve(kMaxVarint)));
  }
  const Graph& graph = function.graph;
  const size_t first = variants_.size();
  variants_.resize(first + graph.nodes.size());
  for (size_t n = 0; n < graph.nodes.size(); n += kNodesAtOnce) {
    AddNodes(graph, n, std::min(n + kNodesAtOnce, graph.nodes.size()),
             variants_.data() + first);
  }
  Part part;
  part.name = tables_.String(function.name);
  part.nodes_end = variants_.size();
  part.result_types_end = result_types_.size();
  part.values_end = values_.size();
  part.constants_end = constants_.size();
  parts_.push_back(part);
}

void FunctionWriter::AddNodes(const Graph& graph, size_t begin, size_t end,
                              uint32_t* variants) {
  const size_t num_operands =
      (end < graph.nodes.size() ? graph.nodes[end].operands_begin
                                : graph.operands.size()) -
      graph.nodes[begin].operands_begin;
  const auto nodes =
      absl::MakeConstSpan(graph.nodes).subspan(begin, end - begin);
  AddValues(graph, nodes, num_operands);
  AddConstants(graph, nodes, num_operands);
  forms_.FindVariants(graph, nodes, kinds_, variants + begin);
}

// Values are numbered in order of definition, so a node's first result is the
// number of values defined before it.
void FunctionWriter::AddValues(const Graph& graph, absl::Span<const Node> nodes,
                               size_t num_operands) {
  const bool is_large = graph.num_values() >= kSmallVarintLimit;
  const FormPlan* const plans = plans_.data();
  char* to = values_.Reserve(num_operands * kMaxVarint + kSlack);
  for (const Node& node : nodes) {
    const FormPlan& plan = plans[node.form.index];
    const Operand* const operands = graph.operands.data() + node.operands_begin;
    if (ABSL_PREDICT_FALSE(plan.is_unusual || is_large)) {
      for (uint32_t i = 0; i < plan.num_values; ++i) {
        const Operand operand = operands[plans_.values(plan)[i]];
        to = PutVarint(node.results_begin - operand.value().index, to);
      }
      continue;
    }
    const auto put = [&](uint32_t operand) {
      return PutSmallVarint(node.results_begin - operands[operand].bits(), to);
    };
    static_assert(FormPlan::kFewValues == 3, "all of them follow");
    to += put(plan.few_values[0]) & plan.few_sizes[0];
    to += put(plan.few_values[1]) & plan.few_sizes[1];
    to += put(plan.few_values[2]) & plan.few_sizes[2];
    for (uint32_t i = FormPlan::kFewValues; i < plan.num_values; ++i) {
      to += put(plans_.values(plan)[i]);
    }
  }
  values_.Advance(to);
}

void FunctionWriter::AddConstants(const Graph& graph,
                                  absl::Span<const Node> nodes,
                                  size_t num_operands) {
  const FormPlan* const plans = plans_.data();
  const ConstantElement* const elements = elements_.data();
  // Unusual nodes ask for room themselves.
  const size_t room = num_operands * sizeof(ConstantElement) + kSlack;
  char* next = constants_.Reserve(room);
  for (size_t n = 0; n < nodes.size(); ++n) {
    const Node& node = nodes[n];
    const FormPlan& plan = plans[node.form.index];
    const Operand* const operands = graph.operands.data() + node.operands_begin;
    if (ABSL_PREDICT_FALSE(plan.is_unusual)) {
      constants_.Advance(next);
      AddUnusualConstants(plan, operands);
      next = constants_.Reserve(room);
      continue;
    }
    Copied copied =
        CopyConstants(plan, plans_.constants(plan), operands, elements, next);
    if (ABSL_PREDICT_FALSE(CallForms::AnyUnknown(copied.kinds))) {
      UseConstants(plan, operands);
      copied =
          CopyConstants(plan, plans_.constants(plan), operands, elements, next);
    }
    next = copied.end;
    kinds_[n] = copied.kinds;
  }
  constants_.Advance(next);
}

void FunctionWriter::UseConstants(const FormPlan& plan,
                                  const Operand* operands) {
  for (uint32_t i = 0; i < plan.num_constants; ++i) {
    const ConstantPlace& place = plans_.constants(plan)[i];
    const ConstantId constant = ConstantAt(place, operands);
    if (IsWritten(place, constant)) elements_.Use(constant);
  }
}

void FunctionWriter::AddUnusualConstants(const FormPlan& plan,
                                         const Operand* operands) {
  for (uint32_t i = 0; i < plan.num_constants; ++i) {
    const ConstantPlace& place = plans_.constants(plan)[i];
    const ConstantId constant = ConstantAt(place, operands);
    if (!IsWritten(place, constant)) continue;
    const ConstantElement& element = elements_.Use(constant);
    char* const to = constants_.Reserve(sizeof element.bytes);
    std::memcpy(to, element.bytes, sizeof element.bytes);
    constants_.Advance(to + element.size);
  }
}

void FunctionWriter::WriteFormNumbers() {
  // By variant, as a varint and its size.
  struct Bytes {
    char bytes[7];
    uint8_t size;
  };
  std::vector<Bytes> numbers(forms_.num_variants());
  for (uint32_t v = 0; v < numbers.size(); ++v) {
    char buffer[kMaxVarint];
    const char* const end = PutVarint(forms_.number(v), buffer);
    numbers[v].size = static_cast<uint8_t>(end - buffer);
    std::memcpy(numbers[v].bytes, buffer, numbers[v].size);
  }
  size_t n = 0;
  for (Part& part : parts_) {
    while (n < part.nodes_end) {
      const size_t end = std::min(n + kNodesAtOnce, part.nodes_end);
      char* to = form_numbers_.Reserve((end - n) * sizeof(Bytes));
      for (; n < end; ++n) {
        const Bytes& number = numbers[variants_[n]];
        std::memcpy(to, number.bytes, sizeof number.bytes);
        to += number.size;
      }
      form_numbers_.Advance(to);
    }
    part.form_numbers_end = form_numbers_.size();
  }
}

size_t FunctionWriter::size() const {
  constexpr size_t kTagsAndLengths = 40;
  return parts_.size() * kTagsAndLengths + result_types_.size() +
         form_numbers_.size() + values_.size() + constants_.size();
}

void FunctionWriter::Write(ByteWriter* out) const {
  Part begin;
  for (const Part& end : parts_) {
    const auto part = [](const ColumnWriter& column, size_t from, size_t to) {
      return column.bytes().substr(from, to - from);
    };
    const absl::string_view columns[] = {
        part(result_types_, begin.result_types_end, end.result_types_end),
        part(form_numbers_, begin.form_numbers_end, end.form_numbers_end),
        part(values_, begin.values_end, end.values_end),
        part(constants_, begin.constants_end, end.constants_end),
    };
    // Not copied once more to learn the length.
    ByteWriter name;
    name.Uint(1, end.name);
    size_t size = name.bytes().size();
    for (const absl::string_view column : columns) {
      if (!column.empty())
        size += 1 + VarintSize(column.size()) + column.size();
    }
    out->ElementOfSize(kFunctions, size);
    out->Append(name);
    for (uint32_t i = 0; i < 4; ++i) out->Bytes(i + 2, columns[i]);
    begin = end;
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
