#include "check/witnesses.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "schema/typing.h"

namespace opcompat {
namespace {

// The first ints that no float is follow it.
constexpr int64_t kExactInts = int64_t{1} << 53;

void AddInts(size_t count, std::vector<Value>* out) {
  out->push_back(Value::Int(1));
  out->push_back(Value::Int(0));
  for (size_t i = 2; i < count; ++i) {
    out->push_back(Value::Int(static_cast<int64_t>(i)));
  }
  for (size_t i = 0; i < count; ++i) {
    out->push_back(Value::Int(kExactInts + 1 + 2 * static_cast<int64_t>(i)));
  }
}

void AddFloats(size_t count, std::vector<Value>* out) {
  for (size_t i = 0; i < count; ++i) {
    out->push_back(Value::Float(static_cast<double>(i) + 0.5));
  }
  for (size_t i = 0; i < count; ++i) {
    out->push_back(Value::Float(static_cast<double>(i)));
  }
  out->push_back(Value::Float(-0.0));
  out->push_back(Value::Float(std::numeric_limits<double>::infinity()));
  out->push_back(Value::Float(std::numeric_limits<double>::quiet_NaN()));
}

void AddComplex(size_t count, std::vector<Value>* out) {
  for (size_t i = 0; i < count; ++i) {
    out->push_back(Value::Complex(static_cast<double>(i), 1.0));
  }
}

void AddStrings(size_t count, std::vector<Value>* out) {
  for (size_t i = 0; i < count; ++i) {
    out->push_back(Value::String(std::string(i + 1, 'a')));
  }
}

void AddTensors(size_t count, std::vector<Value>* out) {
  static const char kBytes[16] = {};
  for (size_t i = 0; i < count && i < sizeof kBytes; ++i) {
    out->push_back(Value::Tensor(
        {"bool", {static_cast<int64_t>(i + 1)}, {kBytes, i + 1}, nullptr}));
  }
}

void AddLists(const Type& type, size_t count, std::vector<Value>* out) {
  const std::vector<Value> elements = WitnessConstants(type.child(), count);
  for (const Value& element : elements) {
    out->push_back(Value::List({element}));
  }
  out->push_back(Value::List({}));
  // Of an element that stands alone in its way not to fit, there are enough
  // lists of other lengths.
  for (size_t i = 0; i < elements.size(); ++i) {
    const Value& element = elements[i];
    if (i > 0 && !element.is_none() && element.kind() != ValueKind::kBool) {
      continue;
    }
    for (size_t n = 2; n <= count + 1; ++n) {
      out->push_back(Value::List(std::vector<Value>(n, element)));
    }
  }
  if (type.size() == 0 || type.size() > 64) return;
  const size_t n = static_cast<size_t>(type.size());
  for (const Value& element : elements) {
    if (n > 1) out->push_back(Value::List(std::vector<Value>(n, element)));
  }
  for (size_t i = 0; n > 1 && i + 1 < elements.size() && i < count; ++i) {
    std::vector<Value> mixed(n, elements[i]);
    mixed.back() = elements[i + 1];
    out->push_back(Value::List(std::move(mixed)));
  }
}

void AddTuples(const Type& type, size_t count, std::vector<Value>* out) {
  std::vector<Value> first;
  std::vector<std::vector<Value>> of_part;
  for (const Type& part : type.children()) {
    of_part.push_back(WitnessConstants(part, count));
    if (of_part.back().empty()) return;
    first.push_back(of_part.back()[0]);
  }
  out->push_back(Value::Tuple(first));
  for (size_t i = 0; i < of_part.size(); ++i) {
    for (size_t j = 1; j < of_part[i].size(); ++j) {
      std::vector<Value> parts = first;
      parts[i] = of_part[i][j];
      out->push_back(Value::Tuple(std::move(parts)));
    }
  }
}

void AddDicts(const Type& type, size_t count, std::vector<Value>* out) {
  out->push_back(Value::Dict({}));
  const std::vector<Value> keys = WitnessConstants(type.child(0), count);
  const std::vector<Value> values = WitnessConstants(type.child(1), count);
  if (keys.empty() || values.empty()) return;
  for (const Value& key : keys) {
    out->push_back(Value::Dict({key, values[0]}));
  }
  for (size_t i = 1; i < values.size(); ++i) {
    out->push_back(Value::Dict({keys[0], values[i]}));
  }
}

// Types of one argument beyond this depth are equal, or a change of theirs is
// seen above it.
constexpr int kMaxWitnessDepth = 6;

}  // namespace

std::vector<Value> WitnessConstants(const Type& type, size_t count) {
  std::vector<Value> out;
  if (type.depth() > kMaxWitnessDepth) return out;
  switch (type.kind()) {
    case TypeKind::kInt:
    case TypeKind::kSymInt:
    case TypeKind::kScalarType:
    case TypeKind::kLayout:
    case TypeKind::kMemoryFormat:
    case TypeKind::kReduction:
      AddInts(count, &out);
      break;
    case TypeKind::kFloat:
    case TypeKind::kSymFloat:
      AddFloats(count, &out);
      break;
    case TypeKind::kBool:
    case TypeKind::kSymBool:
      out = {Value::Bool(true), Value::Bool(false)};
      break;
    case TypeKind::kComplex:
      AddComplex(count, &out);
      break;
    case TypeKind::kScalar:
      AddFloats(count, &out);
      AddInts(count, &out);
      AddComplex(count, &out);
      out.push_back(Value::Bool(true));
      out.push_back(Value::Bool(false));
      break;
    case TypeKind::kString:
    case TypeKind::kDevice:
    case TypeKind::kDimname:
      AddStrings(count, &out);
      break;
    case TypeKind::kTensor:
      AddTensors(count, &out);
      break;
    case TypeKind::kAny:
    case TypeKind::kVariable:
      AddInts(count, &out);
      break;
    case TypeKind::kNone:
      out = {Value::None()};
      break;
    case TypeKind::kOptional:
      out = WitnessConstants(type.child(), count);
      out.insert(out.begin(), Value::None());
      break;
    case TypeKind::kList:
      AddLists(type, count, &out);
      break;
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple:
      AddTuples(type, count, &out);
      break;
    case TypeKind::kDict:
      AddDicts(type, count, &out);
      break;
    // No literal that opcompat can decode.
    case TypeKind::kQScheme:
    case TypeKind::kNamed:
    case TypeKind::kGenerator:
    case TypeKind::kStorage:
    case TypeKind::kStream:
    case TypeKind::kFuture:
    case TypeKind::kRRef:
    case TypeKind::kAwait:
      break;
  }
  return out;
}

std::vector<Type> WitnessGraphTypes(const Type& type) {
  std::vector<Type> types = {type};
  const auto add = [&](std::vector<TypeKind> kinds) {
    for (const TypeKind kind : kinds) {
      if (kind != type.kind()) types.push_back(Type(kind));
    }
  };
  switch (type.kind()) {
    case TypeKind::kScalar:
      add({TypeKind::kInt, TypeKind::kFloat, TypeKind::kComplex,
           TypeKind::kSymInt, TypeKind::kSymFloat});
      break;
    case TypeKind::kInt:
    case TypeKind::kSymInt:
    case TypeKind::kScalarType:
    case TypeKind::kLayout:
    case TypeKind::kMemoryFormat:
    case TypeKind::kReduction:
      add({TypeKind::kInt, TypeKind::kSymInt, TypeKind::kScalarType,
           TypeKind::kLayout, TypeKind::kMemoryFormat});
      break;
    case TypeKind::kFloat:
    case TypeKind::kSymFloat:
      add({TypeKind::kFloat, TypeKind::kSymFloat});
      break;
    case TypeKind::kBool:
    case TypeKind::kSymBool:
      add({TypeKind::kBool, TypeKind::kSymBool});
      break;
    case TypeKind::kAny:
      add({TypeKind::kTensor, TypeKind::kInt, TypeKind::kFloat});
      break;
    case TypeKind::kOptional: {
      for (Type& inner : WitnessGraphTypes(type.child())) {
        types.push_back(Type::Optional(inner));
        types.push_back(std::move(inner));
      }
      types.erase(types.begin() + 1);
      types.push_back(Type(TypeKind::kNone));
      break;
    }
    case TypeKind::kList:
      types.push_back(Type::List(type.child(), type.size() == 0 ? 2 : 0));
      for (const Type& inner : WitnessGraphTypes(type.child())) {
        if (inner != type.child()) {
          types.push_back(Type::List(inner, type.size()));
        }
      }
      break;
    default:
      break;
  }
  return types;
}

Type WithoutVariables(const Type& type) {
  if (!HasVariables(type)) return type;
  TypeVariables variables;
  std::vector<const Type*> todo = {&type};
  while (!todo.empty()) {
    const Type& next = *todo.back();
    todo.pop_back();
    if (next.kind() == TypeKind::kVariable) {
      variables.emplace(next.name(), Type(TypeKind::kInt));
    }
    for (const Type& child : next.children()) todo.push_back(&child);
  }
  return Substitute(type, variables);
}

}  // namespace opcompat
