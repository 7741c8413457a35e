// What all calls of one shape share, worked out once: each node of a module is
// given its form on the wire, after elision. Forms are numbered by falling
// frequency, so that most nodes name theirs in one byte.
#ifndef OPCOMPAT_SERIALIZER_CALL_FORMS_H_
#define OPCOMPAT_SERIALIZER_CALL_FORMS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "serializer/byte_writer.h"
#include "serializer/constant_elements.h"
#include "serializer/first_use_index.h"
#include "serializer/form_plan.h"
#include "serializer/table_writer.h"

namespace opcompat {
namespace encoding {

// Nodes of one of the module's forms in which the same arguments are left out
// and the constants are of the same kinds are a variant: all are written alike.
// Several variants may lead to one form on the wire.
class CallForms {
 public:
  // The arguments outlive this object.
  CallForms(const Module& module, const FormPlans& plans,
            const ConstantElements& elements)
      : module_(module), plans_(plans), elements_(elements), key_slots_(1024) {}

  // What is said of a node of a plan that is not unusual: of the constants of
  // its plan, in order, a SlotKind or ConstantElement::kLeftOut, four bits each
  // from the lowest; kLeftOut where there is no constant.
  using Kinds = uint32_t;
  // Whether one of the kinds is 0.
  static constexpr bool AnyUnknown(Kinds kinds) {
    return ((kinds - 0x11111111) & ~kinds & 0x88888888) != 0;
  }

  // Finds the variants of nodes of `graph`, and counts them. The kinds of those
  // whose plan is unusual are not looked at.
  // Precondition: the constants of the nodes that are written have been used.
  void FindVariants(const Graph& graph, absl::Span<const Node> nodes,
                    const Kinds* kinds, uint32_t* variants);
  // To be called when all nodes have been seen: numbers the forms.
  void Number();

  // The number in the file of the form of a variant.
  // Precondition: Number() has been called.
  uint32_t number(uint32_t variant) const {
    return wire_forms_[variants_[variant].wire_form].number;
  }
  size_t num_variants() const { return variants_.size(); }

  // Operands and results of all nodes, as they are in the file.
  // Precondition: Number() has been called.
  uint64_t CountOperandsAndResults() const;

  // Appends the field `forms` of the file. `operators` receives the operators
  // with an entry in the order in which the file must list them.
  // Precondition: Number() has been called.
  void Write(TableWriter* tables, ByteWriter* out,
             std::vector<OperatorId>* operators) const;

 private:
  // A form on the wire, in the terms of the module: the tables' indices come
  // when it is written.
  struct WireForm {
    // Where its words are (see AddVariant), and how many of them are slots.
    size_t words_begin = 0;
    size_t words_end = 0;
    uint32_t num_slots = 0;
    // Operator, attribute names, result types and number of blocks are those
    // of any of the module's forms that led here.
    FormId form;
    uint64_t num_calls = 0;
    // Its number in the file.
    uint32_t number = 0;
  };
  static constexpr size_t kWordsBeforeSlots = 4;
  struct Variant {
    uint32_t wire_form = 0;
    uint64_t num_calls = 0;
  };
  // Of a hash table.
  struct KeySlot {
    uint64_t key = kFree;  // form and kinds
    uint32_t variant = 0;
    uint32_t num_calls = 0;
  };
  static constexpr uint64_t kFree = ~uint64_t{0};
  static uint64_t KeyOf(FormId form, Kinds kinds) {
    return uint64_t{form.index} << 32 | kinds;
  }
  // Where the key is, or goes.
  static size_t SlotOf(uint64_t key, const KeySlot* slots, size_t mask) {
    size_t s = absl::HashOf(key) & mask;
    while (slots[s].key != key && slots[s].key != kFree) s = (s + 1) & mask;
    return s;
  }
  void AddKey(uint64_t key);
  uint32_t VariantOfUnusual(FormId form, const Operand* operands);
  uint32_t AddVariant(FormId form, absl::Span<const uint8_t> kinds);
  absl::Span<const uint32_t> slots(const WireForm& wire) const {
    return absl::MakeConstSpan(words_).subspan(
        wire.words_begin + kWordsBeforeSlots, wire.num_slots);
  }

  const Module& module_;
  const FormPlans& plans_;
  const ConstantElements& elements_;

  std::vector<KeySlot> key_slots_;  // a power of two, most of them free
  size_t num_keys_ = 0;
  // Of plans that are unusual, by kinds and form as bytes.
  FirstUseIndex unusual_;
  std::vector<std::vector<uint8_t>> unusual_keys_;
  std::vector<uint32_t> unusual_variants_;

  std::vector<Variant> variants_;
  FirstUseIndex by_words_;
  std::vector<uint32_t> words_;
  std::vector<WireForm> wire_forms_;
  std::vector<uint32_t> by_number_;
};

}  // namespace encoding
}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_CALL_FORMS_H_
