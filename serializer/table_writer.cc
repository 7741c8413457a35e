#include "serializer/table_writer.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace opcompat {
namespace encoding {
namespace {

// Field numbers of wire/module.proto.
enum ModuleField : uint32_t {
  kStrings = 6,
  kTypes = 7,
  kConstants = 8,
  kTensors = 9,
};

// Tensors of this size and more stand behind the message, where they can be
// used in place. The size alone decides, so that equal modules give equal
// bytes; smaller ones would gain nothing and pay the padding.
constexpr size_t kMinBulkSize = 1024;

bool IsIntList(const Value& value) {
  if (value.kind() != ValueKind::kList || value.elements().empty()) {
    return false;
  }
  return std::all_of(
      value.elements().begin(), value.elements().end(),
      [](const Value& e) { return e.kind() == ValueKind::kInt; });
}

}  // namespace

SlotKind KindOfConstant(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kNone:
      return SlotKind::kNone;
    case ValueKind::kBool:
      return value.bool_value() ? SlotKind::kTrue : SlotKind::kFalse;
    case ValueKind::kInt:
      return SlotKind::kInt;
    case ValueKind::kFloat:
      return SlotKind::kFloat;
    case ValueKind::kString:
      return SlotKind::kString;
    case ValueKind::kTensor:
      return SlotKind::kTensor;
    case ValueKind::kList:
      return IsIntList(value) ? SlotKind::kIntList : SlotKind::kOther;
    case ValueKind::kComplex:
    case ValueKind::kWord:
    case ValueKind::kTuple:
    case ValueKind::kDict:
      break;
  }
  return SlotKind::kOther;
}

uint32_t TableWriter::String(absl::string_view s) {
  const FirstUseIndex::Found found =
      strings_.Find(absl::HashOf(s), [&](uint32_t i) {
        return string_fields_.bytes().substr(string_places_[i].begin,
                                             string_places_[i].size) == s;
      });
  if (found.is_new) {
    string_fields_.Element(kStrings, s);
    string_places_.push_back(
        {string_fields_.bytes().size() - s.size(), s.size()});
  }
  return found.index;
}

uint32_t TableWriter::Type(const opcompat::Type& type) {
  const auto found = types_.find(type);
  if (found != types_.end()) return found->second;
  if (!IsWithinTypeLimits(type)) {
    status_ = absl::InvalidArgumentError(
        absl::StrCat("a type is nested ", type.depth(), " levels deep and has ",
                     type.num_parts(), " parts; files hold at most ",
                     kMaxTypeDepth, " levels and ", kMaxTypeParts, " parts"));
    return 0;
  }
  if (!HasProperNames(type)) {
    status_ = absl::InvalidArgumentError(absl::StrCat(
        "the type ", absl::CHexEscape(type.ToString()),
        " has a name that the schema language does not spell as such"));
    return 0;
  }
  ByteWriter message;
  message.Uint(1, static_cast<uint8_t>(type.kind()));
  if (!type.name().empty()) message.Uint(2, String(type.name()) + uint64_t{1});
  message.Uint(3, static_cast<uint64_t>(type.size()));
  ByteWriter children;
  for (const opcompat::Type& child : type.children()) {
    children.Varint(Type(child));
  }
  message.Column(4, children);
  ByteWriter names;
  for (const std::string& name : type.field_names()) {
    names.Varint(String(name));
  }
  message.Column(5, names);
  type_fields_.Element(kTypes, message.bytes());
  return types_.try_emplace(type, types_.size()).first->second;
}

uint32_t TableWriter::IntList(const Value& list) {
  const auto [it, is_new] = int_lists_.try_emplace(list, int_lists_.size());
  if (is_new) {
    int_list_lengths_.Varint(list.elements().size());
    for (const Value& element : list.elements()) {
      int_list_values_.Varint(ZigZag(element.int_value()));
    }
  }
  return it->second;
}

uint32_t TableWriter::Tensor(const Value& tensor) {
  const auto [it, is_new] = tensors_.try_emplace(tensor, tensors_.size());
  if (is_new) {
    const TensorData& data = tensor.tensor();
    ByteWriter shape;
    for (const int64_t size : data.shape) shape.Varint(ZigZag(size));
    ByteWriter message;
    message.Uint(1, String(data.dtype));
    message.Column(2, shape);
    if (data.bytes.size() < kMinBulkSize) {
      message.Bytes(3, data.bytes);
    } else {
      message.Uint(4, BulkOffset(tensor));
      message.Uint(5, data.bytes.size());
      message.Fixed64(6, *data.hash);
    }
    tensor_fields_.Element(kTensors, message.bytes());
  }
  return it->second;
}

uint64_t TableWriter::BulkOffset(const Value& tensor) {
  const TensorData& data = tensor.tensor();
  std::vector<size_t>& candidates = bulk_by_hash_[*data.hash];
  for (const size_t i : candidates) {
    const absl::string_view bytes = bulk_[i].tensor().bytes;
    if (bytes.size() == data.bytes.size() &&
        (bytes.data() == data.bytes.data() || bytes == data.bytes)) {
      return bulk_offsets_[i];
    }
  }
  candidates.push_back(bulk_.size());
  const uint64_t offset = AlignBulk(bulk_end_);
  bulk_.push_back(tensor);
  bulk_offsets_.push_back(offset);
  bulk_end_ = offset + data.bytes.size();
  return offset;
}

uint32_t TableWriter::Other(const Value& value) {
  const auto found = others_.find(value);
  if (found != others_.end()) return found->second;
  if (!IsWithinValueLimits(value)) {
    status_ = absl::InvalidArgumentError(absl::StrCat(
        "a constant is nested ", value.depth(), " levels deep and has ",
        value.num_parts(), " parts; files hold at most ", kMaxValueDepth,
        " levels and ", kMaxValueParts, " parts"));
    return 0;
  }
  ByteWriter message;
  message.Uint(1, static_cast<uint8_t>(value.kind()));
  switch (value.kind()) {
    case ValueKind::kNone:
      break;
    case ValueKind::kBool:
      message.Sint(2, value.bool_value() ? 1 : 0);
      break;
    case ValueKind::kInt:
      message.Sint(2, value.int_value());
      break;
    case ValueKind::kFloat:
      message.Fixed64(3, value.float_bits());
      break;
    case ValueKind::kComplex:
      message.Fixed64(3, Value::Float(value.real()).float_bits());
      message.Fixed64(4, Value::Float(value.imag()).float_bits());
      break;
    case ValueKind::kString:
    case ValueKind::kWord:
      message.Uint(5, String(value.string_value()));
      break;
    case ValueKind::kList:
    case ValueKind::kTuple:
    case ValueKind::kDict: {
      ByteWriter elements;
      for (const Value& element : value.elements()) {
        elements.Varint(Other(element));
      }
      message.Column(6, elements);
      break;
    }
    case ValueKind::kTensor:
      message.Uint(7, Tensor(value));
      break;
  }
  other_fields_.Element(4, message.bytes());
  return others_.try_emplace(value, others_.size()).first->second;
}

uint64_t TableWriter::ConstantElement(const Value& value, SlotKind kind) {
  switch (kind) {
    case SlotKind::kInt:
      return ZigZag(value.int_value());
    case SlotKind::kFloat: {
      const auto [it, is_new] =
          floats_.try_emplace(value.float_bits(), floats_.size());
      if (is_new) float_column_.Raw64(value.float_bits());
      return it->second;
    }
    case SlotKind::kString:
      return String(value.string_value());
    case SlotKind::kIntList:
      return IntList(value);
    case SlotKind::kTensor:
      return Tensor(value);
    default:
      return Other(value);
  }
}

size_t TableWriter::size() const {
  constexpr size_t kTagsAndLengths = 64;
  size_t size = kTagsAndLengths;
  for (const ByteWriter* fields :
       {&string_fields_, &type_fields_, &float_column_, &int_list_lengths_,
        &int_list_values_, &other_fields_, &tensor_fields_}) {
    size += fields->bytes().size();
  }
  return size;
}

void TableWriter::Write(ByteWriter* out) const {
  ByteWriter constants;
  constants.Column(1, float_column_);
  constants.Column(2, int_list_lengths_);
  constants.Column(3, int_list_values_);
  constants.Append(other_fields_);

  out->Append(string_fields_);
  out->Append(type_fields_);
  out->Bytes(kConstants, constants.bytes());
  out->Append(tensor_fields_);
}

}  // namespace encoding
}  // namespace opcompat
