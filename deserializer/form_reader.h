// Call forms of a file: what all calls of one shape share.
#ifndef OPCOMPAT_DESERIALIZER_FORM_READER_H_
#define OPCOMPAT_DESERIALIZER_FORM_READER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "deserializer/budget.h"
#include "deserializer/file_fields.h"
#include "deserializer/tables.h"
#include "ir/module.h"
#include "schema/operator_entry.h"

namespace opcompat {
namespace decoding {

// How a slot or an attribute stands in the columns of a function
// (CallForms.slots in wire/module.proto). The numbers are the wire's.
enum class OperandKind : uint8_t {
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
inline constexpr size_t kNumOperandKinds = 11;

// `count` operands of one kind (more than one for kVariadicValues only).
struct WireSlot {
  OperandKind kind = OperandKind::kValue;
  uint32_t argument = Slot::kVariadic;
  uint32_t count = 1;
};

struct WireAttribute {
  uint32_t name = 0;  // strings
  OperandKind kind = OperandKind::kNone;
};

struct WireForm {
  Intrinsic intrinsic = Intrinsic::kNone;
  uint32_t entry = 0;  // of the file, if it is no intrinsic
  std::vector<WireSlot> slots;
  std::vector<WireAttribute> attributes;
  std::vector<uint32_t> result_types;  // types
  uint32_t num_blocks = 0;

  // What a node of this form takes. Not bounded by the form's own size: a slot
  // may stand for any number of values.
  uint64_t num_values = 0;     // elements of Function.values
  uint64_t num_constants = 0;  // elements of Function.constants
  uint64_t num_operands = 0;   // those, and None, True, False
};

// Checks all that a form by itself must satisfy: indices in range, each
// required argument given, none given twice, none that is retired or unknown.
// Returns InvalidArgument, or ResourceExhausted over a limit.
absl::StatusOr<std::vector<WireForm>> ReadForms(
    const FileFields& file, const Tables& tables,
    const std::vector<OperatorEntryPtr>& entries, Budget* budget);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_FORM_READER_H_
