// What stands in the column of constants for each constant of a module: worked
// out at its first use, as bytes that are copied from then on.
#ifndef OPCOMPAT_SERIALIZER_CONSTANT_ELEMENTS_H_
#define OPCOMPAT_SERIALIZER_CONSTANT_ELEMENTS_H_

#include <cstdint>
#include <vector>

#include "ir/ids.h"
#include "schema/value.h"
#include "serializer/byte_writer.h"
#include "serializer/elision.h"
#include "serializer/table_writer.h"

namespace opcompat {
namespace encoding {

// In a shape for loops that must not branch: sixteen bytes are copied, of which
// `size` count.
struct alignas(16) ConstantElement {
  char bytes[10] = {};  // the varint; nonsense behind it
  // Of the varint; 0: a constant of this kind has none.
  uint8_t size = 0;
  // kLeftOut ^ its SlotKind; kNotUsedYet.
  uint8_t kind_bits = kNotUsedYet;

  // Instead of a SlotKind, where the constant is left out. Four bits.
  static constexpr uint8_t kLeftOut = 15;
  static constexpr uint8_t kNotUsedYet = kLeftOut ^ 0;
  static_assert(static_cast<uint8_t>(SlotKind::kValue) == 0,
                "the kind of no constant is free for those not used yet");

  SlotKind kind() const { return static_cast<SlotKind>(kind_bits ^ kLeftOut); }
};

class ConstantElements {
 public:
  // The arguments outlive this object.
  ConstantElements(const ElisionRule& elision, TableWriter* tables)
      : elision_(elision),
        tables_(*tables),
        // One at least, so that loops may look at the first one.
        elements_(elision.num_constants() + 1) {}

  // By constant. Those that were not used yet say so.
  const ConstantElement* data() const { return elements_.data(); }

  // The same, used from now on. The order of first uses is that of the tables.
  const ConstantElement& Use(ConstantId constant) {
    ConstantElement& element = elements_[constant.index];
    if (element.kind_bits == ConstantElement::kNotUsedYet)
      Add(constant, &element);
    return element;
  }

 private:
  void Add(ConstantId constant, ConstantElement* element) {
    const Value& value = elision_.constant(constant);
    const SlotKind kind = KindOfConstant(value);
    element->kind_bits = static_cast<uint8_t>(kind) ^ ConstantElement::kLeftOut;
    if (!HasElement(kind)) return;
    char* const end =
        PutVarint(tables_.ConstantElement(value, kind), element->bytes);
    element->size = static_cast<uint8_t>(end - element->bytes);
  }

  const ElisionRule& elision_;
  TableWriter& tables_;
  std::vector<ConstantElement> elements_;
};

}  // namespace encoding
}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_CONSTANT_ELEMENTS_H_
