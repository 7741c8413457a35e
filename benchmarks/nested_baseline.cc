#include "benchmarks/nested_baseline.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "benchmarks/nested.pb.h"
#include "google/protobuf/arena.h"
#include "ir/ids.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace benchmarks {
namespace {

void SetConstant(const Value& value, NestedArgument* argument) {
  switch (value.kind()) {
    case ValueKind::kInt:
      argument->set_integer(value.int_value());
      return;
    case ValueKind::kFloat:
      argument->set_number(value.float_value());
      return;
    case ValueKind::kBool:
      argument->set_truth(value.bool_value());
      return;
    case ValueKind::kString:
      argument->set_text(value.string_value());
      return;
    case ValueKind::kList:
      argument->mutable_ints();
      for (const Value& element : value.elements()) {
        argument->mutable_ints()->add_ints(element.int_value());
      }
      return;
    default:
      argument->set_none(true);
      return;
  }
}

// Builds the columns straight from the messages.
class Reader {
 public:
  Reader(const NestedGraph& graph, const Runtime& reader)
      : graph_(graph), function_{"forward", {}, {}} {
    const Opset& opset = reader.opsets()[0];
    module_.opsets = {{opset.name(), opset.version()}};
    module_.types = {Type(TypeKind::kTensor),
                     Type::List(Type(TypeKind::kTensor))};
    for (const std::string& name : graph.operators()) {
      module_.operators.push_back(
          {opset.Find(name)->current(), Intrinsic::kNone});
    }
    for (const Intrinsic intrinsic :
         {Intrinsic::kParam, Intrinsic::kReturn, Intrinsic::kListConstruct}) {
      module_.operators.push_back({nullptr, intrinsic});
    }
  }

  Module Run() {
    Graph& out = function_.graph;
    const auto num_nodes = static_cast<size_t>(graph_.nodes_size());
    out.nodes.reserve(num_nodes + 2);
    out.operands.reserve(num_nodes * 3);
    out.value_types.reserve(num_nodes);
    out.value_nodes.reserve(num_nodes);
    const auto first_intrinsic = static_cast<uint32_t>(graph_.operators_size());
    AddNode(first_intrinsic, graph_.num_inputs(), kTensor);
    for (uint32_t i = 0; i < graph_.num_inputs(); ++i) values_.push_back(i);
    for (const NestedNode& node : graph_.nodes()) {
      slots_.clear();
      operands_.clear();
      for (const NestedArgument& argument : node.arguments()) {
        AddArgument(argument, first_intrinsic + 2);
      }
      const auto first = static_cast<uint32_t>(out.value_types.size());
      AddNode(node.op(), node.num_results(), kTensor);
      for (uint32_t i = 0; i < node.num_results(); ++i) {
        values_.push_back(first + i);
      }
    }
    slots_ = {{Slot::kVariadic, false}};
    operands_ = {Operand(ValueId(values_[graph_.output()]))};
    AddNode(first_intrinsic + 1, 0, kTensor);
    out.blocks.push_back({NodeId(), NodeId(0),
                          NodeId(static_cast<uint32_t>(out.nodes.size() - 1))});
    function_.result_types = {kTensor};
    module_.functions.push_back(std::move(function_));
    return std::move(module_);
  }

 private:
  static constexpr TypeId kTensor{0};
  static constexpr TypeId kTensorList{1};

  void AddArgument(const NestedArgument& argument, uint32_t construct) {
    const uint32_t a = argument.argument();
    switch (argument.given_case()) {
      case NestedArgument::kValue:
        AddValue(a, values_[argument.value()]);
        return;
      case NestedArgument::kValues: {
        std::vector<Slot> slots(
            static_cast<size_t>(argument.values().values_size()),
            Slot{Slot::kVariadic, false});
        std::vector<Operand> operands;
        for (const uint32_t value : argument.values().values()) {
          operands.emplace_back(ValueId(values_[value]));
        }
        slots.swap(slots_);
        operands.swap(operands_);
        const auto list =
            static_cast<uint32_t>(function_.graph.value_types.size());
        AddNode(construct, 1, kTensorList);
        slots.swap(slots_);
        operands.swap(operands_);
        AddValue(a, list);
        return;
      }
      case NestedArgument::kInteger:
        return AddConstant(a, Value::Int(argument.integer()));
      case NestedArgument::kNumber:
        return AddConstant(a, Value::Float(argument.number()));
      case NestedArgument::kTruth:
        return AddConstant(a, Value::Bool(argument.truth()));
      case NestedArgument::kText:
        return AddConstant(a, Value::String(argument.text()));
      case NestedArgument::kInts: {
        std::vector<Value> elements;
        for (const int64_t i : argument.ints().ints()) {
          elements.push_back(Value::Int(i));
        }
        return AddConstant(a, Value::List(std::move(elements)));
      }
      default:
        return AddConstant(a, Value::None());
    }
  }

  void AddValue(uint32_t argument, uint32_t value) {
    slots_.push_back({argument, false});
    operands_.emplace_back(ValueId(value));
  }

  void AddConstant(uint32_t argument, const Value& value) {
    const auto [it, is_new] = constants_.try_emplace(
        value, static_cast<uint32_t>(module_.constants.size()));
    if (is_new) module_.constants.push_back(value);
    slots_.push_back({argument, true});
    operands_.emplace_back(ConstantId(it->second));
  }

  void AddNode(uint32_t op, uint32_t num_results, TypeId type) {
    Graph& out = function_.graph;
    key_.assign({op, num_results});
    for (const Slot& slot : slots_) {
      key_.push_back(slot.argument << 1 |
                     static_cast<uint32_t>(slot.is_constant));
    }
    const auto [it, is_new] = forms_.try_emplace(
        key_, FormId(static_cast<uint32_t>(module_.forms.size())));
    if (is_new) {
      CallForm form;
      form.op = OperatorId(op);
      form.slots = slots_;
      form.result_types.assign(num_results, type);
      module_.forms.push_back(std::move(form));
    }
    Node node;
    node.form = it->second;
    node.operands_begin = static_cast<uint32_t>(out.operands.size());
    node.results_begin = static_cast<uint32_t>(out.value_types.size());
    const NodeId id(static_cast<uint32_t>(out.nodes.size()));
    out.nodes.push_back(node);
    out.operands.insert(out.operands.end(), operands_.begin(), operands_.end());
    out.value_types.insert(out.value_types.end(), num_results, type);
    out.value_nodes.insert(out.value_nodes.end(), num_results, id);
  }

  const NestedGraph& graph_;
  Module module_;
  Function function_;
  std::vector<uint32_t> values_;  // by value of the message: ours
  std::vector<Slot> slots_;       // of the node at hand
  std::vector<Operand> operands_;
  std::vector<uint32_t> key_;
  absl::flat_hash_map<std::vector<uint32_t>, FormId> forms_;
  absl::flat_hash_map<Value, uint32_t> constants_;
};

}  // namespace

std::string WriteNested(const Module& module) {
  google::protobuf::Arena arena;
  auto* out = google::protobuf::Arena::CreateMessage<NestedGraph>(&arena);
  std::vector<uint32_t> operators(module.operators.size());
  for (size_t i = 0; i < module.operators.size(); ++i) {
    if (module.operators[i].entry == nullptr) continue;
    operators[i] = static_cast<uint32_t>(out->operators_size());
    out->add_operators(module.operators[i].entry->name());
  }
  const Graph& graph = module.functions[0].graph;
  std::vector<uint32_t> values(graph.num_values());
  uint32_t num_values = 0;
  for (const Node& node : graph.nodes) {
    const CallForm& form = module.form(node);
    const ModuleOperator& op = module.op(form.op);
    const absl::Span<const Operand> operands = module.operands(graph, node);
    if (op.intrinsic == Intrinsic::kReturn) {
      out->set_output(values[operands[0].value().index]);
    }
    if (op.intrinsic == Intrinsic::kParam) {
      out->set_num_inputs(static_cast<uint32_t>(form.result_types.size()));
    }
    if (op.intrinsic != Intrinsic::kListConstruct) {
      for (uint32_t r = 0; r < form.result_types.size(); ++r) {
        values[node.results_begin + r] = num_values++;
      }
    }
    if (op.entry == nullptr) continue;
    NestedNode* const nested = out->add_nodes();
    nested->set_op(operators[form.op.index]);
    nested->set_num_results(static_cast<uint32_t>(form.result_types.size()));
    for (size_t i = 0; i < operands.size(); ++i) {
      const uint32_t a = form.slots[i].argument;
      if (operands[i].is_constant()) {
        const Value& value = module.constant(operands[i].constant());
        const auto& default_value = op.entry->arguments[a].default_value;
        if (default_value && *default_value == value) continue;
        NestedArgument* const argument = nested->add_arguments();
        argument->set_argument(a);
        SetConstant(value, argument);
        continue;
      }
      NestedArgument* const argument = nested->add_arguments();
      argument->set_argument(a);
      const ValueId value = operands[i].value();
      const Node& maker = graph.nodes[graph.value_nodes[value.index].index];
      if (module.intrinsic(maker) != Intrinsic::kListConstruct) {
        argument->set_value(values[value.index]);
        continue;
      }
      for (const Operand part : module.operands(graph, maker)) {
        argument->mutable_values()->add_values(values[part.value().index]);
      }
    }
  }
  return out->SerializeAsString();
}

size_t ParseNested(absl::string_view bytes) {
  google::protobuf::Arena arena;
  auto* graph = google::protobuf::Arena::CreateMessage<NestedGraph>(&arena);
  if (!graph->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return 0;
  }
  return static_cast<size_t>(graph->nodes_size());
}

Module ReadNested(absl::string_view bytes, const Runtime& reader) {
  google::protobuf::Arena arena;
  auto* graph = google::protobuf::Arena::CreateMessage<NestedGraph>(&arena);
  if (!graph->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Module();
  }
  return Reader(*graph, reader).Run();
}

}  // namespace benchmarks
}  // namespace opcompat
