// The tables of a file: strings, types, constants, tensors. Each takes what is
// asked for and gives its index; what nobody asks for is not in the file.
#ifndef OPCOMPAT_SERIALIZER_TABLE_WRITER_H_
#define OPCOMPAT_SERIALIZER_TABLE_WRITER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "schema/type.h"
#include "schema/value.h"
#include "serializer/byte_writer.h"

namespace opcompat {
namespace encoding {

// How a constant stands in a call form and in the constants of a function
// (CallForms.slots in wire/module.proto). The numbers are the wire's.
enum class SlotKind : uint8_t {
  kValue = 0,
  kVariadicValues = 1,
  kNone = 2,
  kTrue = 3,
  kFalse = 4,
  kInt = 5,
  kFloat = 6,
  kString = 7,
  kIntList = 8,
  kOther = 9,
  kTensor = 10,
};

// The kind that holds `value`.
SlotKind KindOfConstant(const Value& value);

// Whether an operand of this kind is a value of the graph: an element of
// Function.values.
constexpr bool IsValue(SlotKind kind) {
  return kind <= SlotKind::kVariadicValues;
}
// Whether an operand of this kind has an element in one of the columns.
constexpr bool HasElement(SlotKind kind) {
  return IsValue(kind) || kind >= SlotKind::kInt;
}

// Where bulk data may begin in the file.
inline constexpr uint64_t kBulkAlignment = 64;
constexpr uint64_t AlignBulk(uint64_t offset) {
  return (offset + kBulkAlignment - 1) / kBulkAlignment * kBulkAlignment;
}

// Indices rise in order of first use, so the result depends on the order of
// the questions and on nothing else.
class TableWriter {
 public:
  uint32_t String(absl::string_view s);
  uint32_t Type(const opcompat::Type& type);
  // In `others`, whatever kind it is of.
  uint32_t Other(const Value& value);
  uint32_t Tensor(const Value& tensor);
  // The element of Function.constants for `value`.
  // Precondition: `kind` is KindOfConstant(value), and HasElement(kind).
  uint64_t ConstantElement(const Value& value, SlotKind kind);

  // The tensors whose bytes must follow the message, in order.
  const std::vector<Value>& bulk() const { return bulk_; }
  std::vector<Value> ReleaseBulk() && { return std::move(bulk_); }

  // About what Write appends.
  size_t size() const;
  // Appends the fields `strings` to `tensors` of the file.
  void Write(ByteWriter* out) const;

  // InvalidArgument if a type or a constant was larger than readers take.
  const absl::Status& status() const { return status_; }

 private:
  uint32_t IntList(const Value& list);
  // Where in the bulk data the bytes of `tensor` are; they get a place if no
  // tensor has the same, whatever its dtype and shape.
  uint64_t BulkOffset(const Value& tensor);

  absl::flat_hash_map<std::string, uint32_t> strings_;
  absl::flat_hash_map<opcompat::Type, uint32_t> types_;
  absl::flat_hash_map<uint64_t, uint32_t> floats_;
  absl::flat_hash_map<Value, uint32_t> int_lists_;
  absl::flat_hash_map<Value, uint32_t> others_;
  absl::flat_hash_map<Value, uint32_t> tensors_;

  std::vector<Value> bulk_;
  std::vector<uint64_t> bulk_offsets_;
  uint64_t bulk_end_ = 0;
  // Indices into bulk_ by the hash of their bytes.
  absl::flat_hash_map<uint64_t, std::vector<size_t>> bulk_by_hash_;

  // The fields, so far.
  ByteWriter string_fields_;
  ByteWriter type_fields_;
  ByteWriter float_column_;
  ByteWriter int_list_lengths_;
  ByteWriter int_list_values_;
  ByteWriter other_fields_;
  ByteWriter tensor_fields_;
  absl::Status status_;
};

}  // namespace encoding
}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_TABLE_WRITER_H_
