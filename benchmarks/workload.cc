#include "benchmarks/workload.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "schema/text/schema_parser.h"
#include "schema/type.h"

namespace opcompat {
namespace benchmarks {
namespace {

struct WeightedSchema {
  const char* text;
  int weight;
};

// As they are in PyTorch; the common ones have weight 3.
constexpr WeightedSchema kSchemas[] = {
    {"aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
     3},
    {"aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
     1},
    {"aten::mul.Tensor(Tensor self, Tensor other) -> Tensor", 3},
    {"aten::div.Tensor(Tensor self, Tensor other) -> Tensor", 1},
    {"aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) "
     "-> Tensor",
     1},
    {"aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
     1},
    {"aten::mul.Scalar(Tensor self, Scalar other) -> Tensor", 1},
    {"aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", 1},
    {"aten::matmul(Tensor self, Tensor other) -> Tensor", 3},
    {"aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, "
     "Scalar alpha=1) -> Tensor",
     1},
    {"aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
     3},
    {"aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] "
     "stride=1, int[2] padding=0, int[2] dilation=1, int groups=1) -> Tensor",
     3},
    {"aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? "
     "running_mean, Tensor? running_var, bool training, float momentum, float "
     "eps, bool cudnn_enabled) -> Tensor",
     3},
    {"aten::layer_norm(Tensor input, int[] normalized_shape, Tensor? "
     "weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enable=True) "
     "-> Tensor",
     1},
    {"aten::relu(Tensor self) -> Tensor", 3},
    {"aten::sigmoid(Tensor self) -> Tensor", 1},
    {"aten::tanh(Tensor self) -> Tensor", 1},
    {"aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor", 1},
    {"aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> "
     "Tensor",
     1},
    {"aten::dropout(Tensor input, float p, bool train) -> Tensor", 1},
    {"aten::transpose.int(Tensor self, int dim0, int dim1) -> Tensor", 1},
    {"aten::permute(Tensor self, int[] dims) -> Tensor", 1},
    {"aten::view(Tensor self, int[] size) -> Tensor", 1},
    {"aten::reshape(Tensor self, int[] shape) -> Tensor", 1},
    {"aten::slice.Tensor(Tensor self, int dim=0, int? start=None, int? "
     "end=None, int step=1) -> Tensor",
     1},
    {"aten::select.int(Tensor self, int dim, int index) -> Tensor", 1},
    {"aten::unsqueeze(Tensor self, int dim) -> Tensor", 1},
    {"aten::cat(Tensor[] tensors, int dim=0) -> Tensor", 1},
    {"aten::stack(Tensor[] tensors, int dim=0) -> Tensor", 1},
    {"aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, "
     "ScalarType? dtype=None) -> Tensor",
     1},
    {"aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, "
     "ScalarType? dtype=None) -> Tensor",
     1},
    {"aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor "
     "values, Tensor indices)",
     1},
    {"aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], "
     "int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor",
     1},
    {"aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], "
     "int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, "
     "int? divisor_override=None) -> Tensor",
     1},
    {"aten::adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor", 1},
    {"aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
     1},
    {"aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor", 1},
    {"aten::flatten.using_ints(Tensor self, int start_dim=0, int end_dim=-1) "
     "-> Tensor",
     1},
    {"aten::embedding(Tensor weight, Tensor indices, int padding_idx=-1, bool "
     "scale_grad_by_freq=False, bool sparse=False) -> Tensor",
     1},
    {"aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
     1},
};

// SplitMix64: small, and the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint32_t Below(uint32_t n) {
    return static_cast<uint32_t>(((Next() >> 32) * n) >> 32);
  }
  bool Chance(uint32_t percent) { return Below(100) < percent; }

 private:
  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

// An int list with one element more than `list` in its first place.
Value OtherFirstElement(const Value& list) {
  std::vector<Value> elements(list.elements().begin(), list.elements().end());
  elements[0] = Value::Int(elements[0].int_value() + 1);
  return Value::List(std::move(elements));
}

class Generator {
 public:
  Generator(uint32_t seed, uint32_t period)
      : seed_(seed), period_(period), random_(seed) {}

  Workload Run(uint32_t num_nodes);

 private:
  using Kind = WorkloadArgument::Kind;

  void AddNode(uint32_t op);
  void AddJoin();
  WorkloadArgument Given(const Argument& argument);
  WorkloadArgument TensorArgument();
  WorkloadArgument TensorList();
  Value ConstantFor(const Argument& argument, const Type& type);
  Value Scalar(const Argument& argument);
  Value String(const Argument& argument);
  Value IntList(const Argument& argument, const Type& type);
  int64_t Int(const std::string& name);
  double Float();
  uint32_t AnyTensor();
  WorkloadArgument Constant(const Value& value, bool is_default);

  const uint32_t seed_;
  const uint32_t period_;
  Random random_;
  Workload workload_;
  std::vector<uint32_t> unused_;
  uint32_t tensors_given_ = 0;  // to the node at hand
  absl::flat_hash_map<Value, uint32_t> constants_;
};

Workload Generator::Run(uint32_t num_nodes) {
  workload_.num_inputs = workload_.num_values = 8;
  for (uint32_t i = 0; i < workload_.num_inputs; ++i) unused_.push_back(i);
  std::vector<uint32_t> draws;
  for (uint32_t op = 0; op < WorkloadOperators().size(); ++op) {
    draws.insert(draws.end(), static_cast<size_t>(kSchemas[op].weight), op);
  }
  for (uint32_t i = 0; i + 1 < num_nodes; ++i) {
    if (period_ > 0 && i > 0 && i % period_ == 0) random_ = Random(seed_);
    AddNode(draws[random_.Below(static_cast<uint32_t>(draws.size()))]);
  }
  AddJoin();
  return std::move(workload_);
}

// What is unused is used by one last `cat`.
void Generator::AddJoin() {
  const auto& operators = WorkloadOperators();
  const auto cat = static_cast<uint32_t>(
      std::find_if(operators.begin(), operators.end(),
                   [](const OperatorSchema& schema) {
                     return schema.full_name() == "aten::cat";
                   }) -
      operators.begin());
  workload_.nodes.push_back({cat,
                             static_cast<uint32_t>(workload_.arguments.size()),
                             workload_.num_values});
  WorkloadArgument list;
  list.kind = Kind::kTensorList;
  list.index = static_cast<uint32_t>(workload_.list_values.size());
  list.length = static_cast<uint32_t>(unused_.size());
  workload_.list_values.insert(workload_.list_values.end(), unused_.begin(),
                               unused_.end());
  workload_.arguments.push_back(list);
  workload_.arguments.push_back(Constant(Value::Int(0), true));
  workload_.output = workload_.num_values++;
}

void Generator::AddNode(uint32_t op) {
  const OperatorSchema& schema = WorkloadOperators()[op];
  workload_.nodes.push_back(
      {op, static_cast<uint32_t>(workload_.arguments.size()), 0});
  tensors_given_ = 0;
  for (const Argument& argument : schema.arguments()) {
    workload_.arguments.push_back(Given(argument));
  }
  workload_.nodes.back().first_result = workload_.num_values;
  for (size_t i = 0; i < schema.results().size(); ++i) {
    unused_.push_back(workload_.num_values++);
  }
}

WorkloadArgument Generator::Given(const Argument& argument) {
  if (argument.default_value && random_.Chance(60)) {
    return Constant(*argument.default_value, true);
  }
  const bool is_optional = argument.type.kind() == TypeKind::kOptional;
  const Type& type = is_optional ? argument.type.child() : argument.type;
  if (type.kind() == TypeKind::kTensor) {
    // More than three are rare, and running statistics are left out mostly.
    if (is_optional &&
        (tensors_given_ >= 3 || absl::StartsWith(argument.name, "running"))) {
      return Constant(Value::None(), argument.default_value.has_value());
    }
    return TensorArgument();
  }
  if (type.kind() == TypeKind::kList &&
      type.child().kind() == TypeKind::kTensor) {
    return TensorList();
  }
  return Constant(ConstantFor(argument, type), false);
}

WorkloadArgument Generator::TensorArgument() {
  WorkloadArgument argument;
  argument.kind = Kind::kTensor;
  argument.index = AnyTensor();
  ++tensors_given_;
  return argument;
}

WorkloadArgument Generator::TensorList() {
  WorkloadArgument argument;
  argument.kind = Kind::kTensorList;
  argument.length = 2 + random_.Below(2);
  argument.index = static_cast<uint32_t>(workload_.list_values.size());
  for (uint32_t i = 0; i < argument.length; ++i) {
    workload_.list_values.push_back(AnyTensor());
  }
  tensors_given_ += argument.length;
  return argument;
}

// A constant that is not the argument's default.
Value Generator::ConstantFor(const Argument& argument, const Type& type) {
  const bool is_optional = argument.type.kind() == TypeKind::kOptional;
  const auto& default_value = argument.default_value;
  switch (type.kind()) {
    case TypeKind::kInt:
    case TypeKind::kScalarType: {
      const Value value = Value::Int(Int(argument.name));
      if (default_value && value == *default_value) {
        return Value::Int(value.int_value() + 1);
      }
      return value;
    }
    case TypeKind::kScalar:
      return Scalar(argument);
    case TypeKind::kFloat: {
      const Value value = Value::Float(Float());
      return default_value && value == *default_value ? Value::Float(1e-06)
                                                      : value;
    }
    case TypeKind::kBool:
      return Value::Bool(default_value ? !default_value->bool_value()
                                       : random_.Chance(50));
    case TypeKind::kString:
      return String(argument);
    default:
      if (is_optional && random_.Chance(20)) return Value::None();
      const Value list = IntList(argument, type);
      return default_value && list == *default_value ? OtherFirstElement(list)
                                                     : list;
  }
}

Value Generator::Scalar(const Argument& argument) {
  if (!random_.Chance(50)) return Value::Int(2 + random_.Below(8));
  const Value value = Value::Float(Float());
  return argument.default_value && value == *argument.default_value
             ? Value::Float(0.125)
             : value;
}

Value Generator::String(const Argument& argument) {
  if (argument.name == "approximate") return Value::String("tanh");
  if (random_.Chance(33)) return Value::None();
  return Value::String(random_.Chance(50) ? "floor" : "trunc");
}

Value Generator::IntList(const Argument& argument, const Type& type) {
  constexpr int64_t kSizes[] = {1,  2,   3,   4,   7,    8,  16, 32,
                                64, 128, 256, 512, 1024, -1, 12, 768};
  const bool is_permutation = argument.name == "dims";
  int64_t length = type.size();
  if (length == 0) {
    length = is_permutation                        ? 3 + random_.Below(2)
             : argument.name == "normalized_shape" ? 1
                                                   : 2 + random_.Below(3);
  }
  std::vector<Value> elements;
  for (int64_t i = 0; i < length; ++i) {
    int64_t element = 0;
    if (is_permutation) {
      element = length - 1 - i;
    } else if (argument.name == "dim") {
      element = int64_t{random_.Below(4)} - 1;
    } else if (type.size() > 0) {
      element = 1 + random_.Below(7);
    } else {
      element = kSizes[random_.Below(16)];
    }
    elements.push_back(Value::Int(element));
  }
  return Value::List(std::move(elements));
}

int64_t Generator::Int(const std::string& name) {
  if (absl::StrContains(name, "dim")) return int64_t{random_.Below(6)} - 2;
  if (name == "groups") return int64_t{1} << random_.Below(6);
  if (name == "dtype") return 5 + random_.Below(3);
  if (name == "step") return 1 + random_.Below(4);
  if (name == "padding_idx") return int64_t{random_.Below(4)} - 1;
  if (name == "divisor_override") return 1 + random_.Below(16);
  return random_.Below(1024);
}

double Generator::Float() {
  constexpr double kCommon[] = {0.1, 0.5,  0.01, 0.001, 1e-05, 1e-06, 0.2, 0.25,
                                0.9, 0.99, 0.3,  2.0,   0.75,  1.5,   3.0, 6.0};
  return random_.Chance(80) ? kCommon[random_.Below(16)]
                            : random_.Below(1000) / 1000.0;
}

// Often one that nothing uses yet, at most 16 of which wait; else mostly a near
// one.
uint32_t Generator::AnyTensor() {
  if (!unused_.empty() && (unused_.size() > 16 || random_.Chance(45))) {
    const size_t i = random_.Below(static_cast<uint32_t>(unused_.size()));
    const uint32_t value = unused_[i];
    unused_.erase(unused_.begin() + static_cast<std::ptrdiff_t>(i));
    return value;
  }
  const uint32_t n = workload_.num_values;
  const uint32_t draw = random_.Below(100);
  uint32_t value = 0;
  if (draw < 70) {
    value = n - 1 - random_.Below(std::min(n, 8u));
  } else if (draw < 90) {
    value = n - 1 - random_.Below(std::min(n, 64u));
  } else {
    value = random_.Below(n);
  }
  const auto it = std::find(unused_.begin(), unused_.end(), value);
  if (it != unused_.end()) unused_.erase(it);
  return value;
}

WorkloadArgument Generator::Constant(const Value& value, bool is_default) {
  const auto [it, is_new] = constants_.try_emplace(
      value, static_cast<uint32_t>(workload_.constants.size()));
  if (is_new) workload_.constants.push_back(value);
  WorkloadArgument argument;
  argument.is_default = is_default;
  argument.index = it->second;
  return argument;
}

}  // namespace

absl::Span<const WorkloadArgument> Workload::arguments_of(
    const WorkloadNode& node) const {
  return absl::MakeConstSpan(arguments).subspan(
      node.arguments_begin, WorkloadOperators()[node.op].arguments().size());
}

const std::vector<OperatorSchema>& WorkloadOperators() {
  static const auto* const operators = [] {
    auto* schemas = new std::vector<OperatorSchema>();
    for (const WeightedSchema& schema : kSchemas) {
      schemas->push_back(ParseSchema(schema.text).value());
    }
    return schemas;
  }();
  return *operators;
}

std::string WorkloadOperatorText() {
  std::string text;
  for (const WeightedSchema& schema : kSchemas) {
    absl::StrAppend(&text, schema.text, "\n");
  }
  return text;
}

Workload MakeWorkload(uint32_t num_nodes, uint32_t seed, uint32_t period) {
  return Generator(seed, period).Run(num_nodes);
}

}  // namespace benchmarks
}  // namespace opcompat
