#include "compat_matrix/simulation/run_value.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace opcompat {
namespace simulation {

uint64_t Mix(uint64_t hash, uint64_t more) {
  hash ^= more + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdu;
  return hash ^ (hash >> 32);
}

uint64_t HashText(absl::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return hash;
}

RunValue ConstantValue(Value constant) {
  RunValue value;
  value.constant = std::move(constant);
  return value;
}

RunValue TensorValue(uint64_t number) {
  RunValue value;
  value.tensor = std::make_shared<uint64_t>(number);
  return value;
}

RunValue ListValue(std::vector<RunValue> elements) {
  RunValue value;
  std::vector<Value> constants;
  for (const RunValue& element : elements) {
    if (element.tensor != nullptr || element.is_list) break;
    constants.push_back(element.constant);
  }
  if (constants.size() == elements.size()) {
    return ConstantValue(Value::List(std::move(constants)));
  }
  value.is_list = true;
  value.elements = std::move(elements);
  return value;
}

uint64_t HashOf(const RunValue& value) {
  if (value.tensor != nullptr) return Mix(1, *value.tensor);
  if (!value.is_list) return Mix(2, HashText(value.constant.ToString()));
  uint64_t hash = 3;
  for (const RunValue& element : value.elements) {
    hash = Mix(hash, HashOf(element));
  }
  return hash;
}

RunValue InputOf(const Type& type, uint64_t trial) {
  switch (type.kind()) {
    case TypeKind::kInt:
    case TypeKind::kSymInt:
    case TypeKind::kScalarType:
    case TypeKind::kLayout:
    case TypeKind::kMemoryFormat:
      return ConstantValue(Value::Int(static_cast<int64_t>(trial % 3 + 1)));
    case TypeKind::kScalar:
      return trial % 2 == 0 ? ConstantValue(Value::Float(2.5))
                            : ConstantValue(Value::Int(2));
    case TypeKind::kFloat:
      return ConstantValue(Value::Float(trial % 2 == 0 ? 0.5 : -0.0));
    case TypeKind::kComplex:
      return ConstantValue(Value::Complex(0.5, static_cast<double>(trial)));
    case TypeKind::kBool:
      return ConstantValue(Value::Bool(trial % 2 == 0));
    case TypeKind::kString:
    case TypeKind::kDevice:
      return ConstantValue(Value::String(absl::StrCat("input", trial)));
    case TypeKind::kOptional:
      return trial % 2 == 1 ? ConstantValue(Value::None())
                            : InputOf(type.child(), trial);
    case TypeKind::kList:
      return ListValue(
          {InputOf(type.child(), trial), InputOf(type.child(), trial + 2)});
    default:
      return TensorValue(Mix(11, trial));
  }
}

}  // namespace simulation
}  // namespace opcompat
