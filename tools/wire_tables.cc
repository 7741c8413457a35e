#include "tools/wire_tables.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace opcompat {
namespace {

double FromBits(uint64_t bits) {
  double number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

}  // namespace

WireTables::WireTables(const wire::Module& file, absl::string_view bulk)
    : file_(file), bulk_(bulk) {
  for (const wire::Type& type : file.types()) types_.push_back(MakeType(type));
  const wire::Constants& constants = file.constants();
  int next = 0;
  for (const uint32_t length : constants.int_list_lengths()) {
    std::vector<Value> elements;
    for (uint32_t i = 0; i < length; ++i) {
      elements.push_back(Value::Int(constants.int_list_values(next++)));
    }
    int_lists_.push_back(Value::List(std::move(elements)));
  }
  for (const wire::Constant& constant : constants.others()) {
    others_.push_back(MakeConstant(constant));
  }
}

Type WireTables::MakeType(const wire::Type& type) const {
  std::vector<Type> children;
  for (const uint32_t child : type.children()) {
    children.push_back(types_[child]);
  }
  const auto kind = static_cast<TypeKind>(type.kind());
  switch (kind) {
    case TypeKind::kVariable:
      return Type::Variable(String(type.name() - 1));
    case TypeKind::kNamed:
      return Type::Named(String(type.name() - 1));
    case TypeKind::kOptional:
      return Type::Optional(children[0]);
    case TypeKind::kList:
      return Type::List(children[0], static_cast<int64_t>(type.size()));
    case TypeKind::kDict:
      return Type::Dict(children[0], children[1]);
    case TypeKind::kTuple:
      return Type::Tuple(std::move(children));
    case TypeKind::kNamedTuple: {
      std::vector<std::string> names;
      for (const uint32_t name : type.field_names()) {
        names.push_back(String(name));
      }
      return Type::NamedTuple(std::move(names), std::move(children));
    }
    case TypeKind::kFuture:
    case TypeKind::kRRef:
    case TypeKind::kAwait:
      return Type::Wrapper(kind, children[0]);
    default:
      return Type(kind);
  }
}

Value WireTables::MakeConstant(const wire::Constant& constant) const {
  std::vector<Value> elements;
  for (const uint32_t element : constant.elements()) {
    elements.push_back(others_[element]);
  }
  switch (static_cast<ValueKind>(constant.kind())) {
    case ValueKind::kNone:
      return Value::None();
    case ValueKind::kBool:
      return Value::Bool(constant.integer() != 0);
    case ValueKind::kInt:
      return Value::Int(constant.integer());
    case ValueKind::kFloat:
      return Value::FloatBits(constant.bits());
    case ValueKind::kComplex:
      return Value::Complex(FromBits(constant.bits()),
                            FromBits(constant.imaginary_bits()));
    case ValueKind::kString:
      return Value::String(String(constant.text()));
    case ValueKind::kWord:
      return Value::Word(String(constant.text()));
    case ValueKind::kList:
      return Value::List(std::move(elements));
    case ValueKind::kTuple:
      return Value::Tuple(std::move(elements));
    case ValueKind::kDict:
      return Value::Dict(std::move(elements));
    case ValueKind::kTensor: {
      const wire::Tensor& tensor =
          file_.tensors(static_cast<int>(constant.tensor()));
      TensorData data;
      data.dtype = String(tensor.dtype());
      data.shape.assign(tensor.shape().begin(), tensor.shape().end());
      data.bytes = BytesOf(tensor);
      if (tensor.bulk_size() != 0) data.hash = tensor.bulk_hash();
      return Value::Tensor(std::move(data));
    }
  }
  return Value::None();
}

std::string WireTables::Float(int index) const {
  return FloatToString(FromBits(file_.constants().floats(index)));
}

std::string WireTables::IntList(uint32_t index) const {
  return int_lists_[index].ToShortString();
}

std::string WireTables::Other(uint32_t index) const {
  return others_[index].ToShortString();
}

std::string WireTables::Tensor(uint32_t index) const {
  const wire::Tensor& tensor = file_.tensors(static_cast<int>(index));
  return absl::StrCat(String(tensor.dtype()), "[",
                      absl::StrJoin(tensor.shape(), ", "), "], ",
                      BytesOf(tensor).size(), " bytes");
}

std::string WireTables::ValueOrNone(uint32_t reference) const {
  return reference < 2 ? "none" : Other(reference - 2);
}

std::string WireTables::Origin(const wire::Origin& origin) const {
  if (origin.first() == 0) return "base";
  const std::string& first = String(origin.first() - 1);
  if (origin.after() == 0) return first;
  return absl::StrCat("after ", String(origin.after() - 1), ", at the latest ",
                      first);
}

}  // namespace opcompat
