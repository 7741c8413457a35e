#include "serializer/call_forms.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "absl/types/span.h"
#include "schema/operator_entry.h"

namespace opcompat {
namespace encoding {
namespace {

constexpr uint32_t kForms = 11;
// CallForms.operators: below this the intrinsics.
constexpr uint32_t kFirstOperator = 32;

uint32_t EncodeSlot(uint32_t argument, SlotKind kind) {
  return argument << 4 | static_cast<uint32_t>(kind);
}

bool IsRun(uint32_t slot) {
  return (slot & 15) == static_cast<uint32_t>(SlotKind::kVariadicValues);
}

}  // namespace

void CallForms::FindVariants(const Graph& graph, absl::Span<const Node> nodes,
                             const Kinds* kinds, uint32_t* variants) {
  const FormPlan* const plans = plans_.data();
  for (size_t n = 0; n < nodes.size(); ++n) {
    const FormId form = nodes[n].form;
    if (plans[form.index].is_unusual) {
      variants[n] = VariantOfUnusual(
          form, graph.operands.data() + nodes[n].operands_begin);
      continue;
    }
    const uint64_t key = KeyOf(form, kinds[n]);
    size_t s = SlotOf(key, key_slots_.data(), key_slots_.size() - 1);
    if (key_slots_[s].key == kFree) {
      AddKey(key);
      s = SlotOf(key, key_slots_.data(), key_slots_.size() - 1);
    }
    KeySlot& slot = key_slots_[s];
    ++slot.num_calls;
    variants[n] = slot.variant;
  }
}

void CallForms::AddKey(uint64_t key) {
  if (4 * ++num_keys_ > key_slots_.size()) {
    std::vector<KeySlot> slots(4 * key_slots_.size());
    for (const KeySlot& slot : key_slots_) {
      if (slot.key == kFree) continue;
      slots[SlotOf(slot.key, slots.data(), slots.size() - 1)] = slot;
    }
    key_slots_ = std::move(slots);
  }
  const FormId form(static_cast<uint32_t>(key >> 32));
  std::vector<uint8_t> kinds(plans_.data()[form.index].num_constants);
  for (size_t i = 0; i < kinds.size(); ++i) {
    kinds[i] = static_cast<uint8_t>(key >> (4 * i) & 15);
  }
  KeySlot& slot =
      key_slots_[SlotOf(key, key_slots_.data(), key_slots_.size() - 1)];
  slot.key = key;
  slot.variant = AddVariant(form, kinds);
}

uint32_t CallForms::VariantOfUnusual(FormId form, const Operand* operands) {
  const FormPlan& plan = plans_.data()[form.index];
  std::vector<uint8_t> kinds(plan.num_constants, ConstantElement::kLeftOut);
  for (uint32_t i = 0; i < plan.num_constants; ++i) {
    const ConstantPlace& place = plans_.constants(plan)[i];
    const ConstantId constant = ConstantAt(place, operands);
    if (!IsWritten(place, constant)) continue;
    kinds[i] = static_cast<uint8_t>(elements_.data()[constant.index].kind());
  }
  std::vector<uint8_t> key = kinds;
  for (int shift = 0; shift < 32; shift += 8) {
    key.push_back(static_cast<uint8_t>(form.index >> shift));
  }
  const FirstUseIndex::Found found = unusual_.Find(
      absl::HashOf(key), [&](uint32_t i) { return unusual_keys_[i] == key; });
  if (found.is_new) {
    unusual_keys_.push_back(std::move(key));
    unusual_variants_.push_back(AddVariant(form, kinds));
  }
  const uint32_t variant = unusual_variants_[found.index];
  ++variants_[variant].num_calls;
  return variant;
}

// The words of a form: operator, number of blocks, of slots and of results; the
// slots as in the message CallForms, after a run of values their number; result
// types; names and kinds of attributes.
uint32_t CallForms::AddVariant(FormId id, absl::Span<const uint8_t> kinds) {
  const CallForm& form = module_.form(id);
  const FormPlan& plan = plans_.data()[id.index];
  const ConstantPlace* const places = plans_.constants(plan);
  const OperatorEntry* const entry = module_.op(form.op).entry.get();
  const uint32_t num_exposed =
      entry == nullptr ? 0 : static_cast<uint32_t>(entry->num_exposed());

  WireForm wire;
  wire.form = id;
  wire.words_begin = words_.size();
  words_.insert(words_.end(),
                {form.op.index, form.num_blocks, 0,
                 static_cast<uint32_t>(form.result_types.size())});
  const size_t slots_begin = words_.size();
  bool in_run = false;  // of variadic values; its length is the last word
  const auto add_constant = [&](uint32_t place) {
    if (kinds[place] == ConstantElement::kLeftOut) return;
    words_.push_back(EncodeSlot(places[place].argument,
                                static_cast<SlotKind>(kinds[place])));
    in_run = false;
  };
  uint32_t next = 0;  // the first place that was not looked at yet
  const auto add_defaults_before = [&](uint32_t argument) {
    while (next < plan.num_constants &&
           places[next].operand == ConstantPlace::kFixed &&
           places[next].argument < argument) {
      add_constant(next++);
    }
  };
  for (const Slot& slot : form.slots) {
    const bool is_variadic = slot.argument == Slot::kVariadic;
    add_defaults_before(is_variadic ? num_exposed : slot.argument);
    if (slot.is_constant) {
      add_constant(next++);
    } else if (is_variadic && in_run) {
      ++words_.back();
    } else if (is_variadic) {
      words_.push_back(EncodeSlot(num_exposed, SlotKind::kVariadicValues));
      words_.push_back(1);
      in_run = true;
    } else {
      words_.push_back(EncodeSlot(slot.argument, SlotKind::kValue));
    }
  }
  add_defaults_before(num_exposed);
  wire.num_slots = static_cast<uint32_t>(words_.size() - slots_begin);
  words_[slots_begin - 2] = wire.num_slots;
  for (const TypeId type : form.result_types) words_.push_back(type.index);
  for (size_t i = 0; i < form.attribute_names.size(); ++i) {
    words_.push_back(form.attribute_names[i].index);
    words_.push_back(kinds[next + i]);
  }
  wire.words_end = words_.size();

  const auto words_of = [&](const WireForm& f) {
    return absl::MakeConstSpan(words_).subspan(f.words_begin,
                                               f.words_end - f.words_begin);
  };
  const FirstUseIndex::Found found = by_words_.Find(
      absl::HashOf(words_of(wire)),
      [&](uint32_t i) { return words_of(wire_forms_[i]) == words_of(wire); });
  if (found.is_new) {
    wire_forms_.push_back(wire);
  } else {
    words_.resize(wire.words_begin);
  }
  variants_.push_back({found.index, 0});
  return static_cast<uint32_t>(variants_.size() - 1);
}

void CallForms::Number() {
  for (const KeySlot& slot : key_slots_) {
    if (slot.key != kFree) variants_[slot.variant].num_calls += slot.num_calls;
  }
  for (const Variant& variant : variants_) {
    wire_forms_[variant.wire_form].num_calls += variant.num_calls;
  }
  by_number_.resize(wire_forms_.size());
  std::iota(by_number_.begin(), by_number_.end(), 0);
  // Forms are made in order of first use, which decides between equals.
  std::sort(by_number_.begin(), by_number_.end(), [&](uint32_t a, uint32_t b) {
    const uint64_t calls_a = wire_forms_[a].num_calls;
    const uint64_t calls_b = wire_forms_[b].num_calls;
    return calls_a != calls_b ? calls_a > calls_b : a < b;
  });
  for (uint32_t i = 0; i < by_number_.size(); ++i) {
    wire_forms_[by_number_[i]].number = i;
  }
}

uint64_t CallForms::CountOperandsAndResults() const {
  uint64_t total = 0;
  for (const WireForm& wire : wire_forms_) {
    const CallForm& form = module_.form(wire.form);
    uint64_t of_node = form.attribute_names.size() + form.result_types.size();
    const absl::Span<const uint32_t> slots = this->slots(wire);
    for (size_t s = 0; s < slots.size(); ++s) {
      of_node += IsRun(slots[s]) ? slots[++s] : 1;
    }
    total += of_node * wire.num_calls;
  }
  return total;
}

void CallForms::Write(TableWriter* tables, ByteWriter* out,
                      std::vector<OperatorId>* operators) const {
  ByteWriter columns[8];
  ByteWriter& operator_column = columns[0];
  ByteWriter& slot_counts = columns[1];
  ByteWriter& attribute_counts = columns[2];
  ByteWriter& result_counts = columns[3];
  ByteWriter& block_counts = columns[4];
  ByteWriter& slot_column = columns[5];
  ByteWriter& attributes = columns[6];
  ByteWriter& result_types = columns[7];

  absl::flat_hash_map<uint32_t, uint32_t> operator_numbers;
  for (const uint32_t i : by_number_) {
    const WireForm& wire = wire_forms_[i];
    const CallForm& form = module_.form(wire.form);
    const ModuleOperator& op = module_.op(form.op);
    if (op.entry == nullptr) {
      operator_column.Varint(static_cast<uint32_t>(op.intrinsic));
    } else {
      const auto [it, is_new] = operator_numbers.try_emplace(
          form.op.index,
          kFirstOperator + static_cast<uint32_t>(operators->size()));
      if (is_new) operators->push_back(form.op);
      operator_column.Varint(it->second);
    }
    const absl::Span<const uint32_t> slots = this->slots(wire);
    uint32_t num_slots = 0;
    for (size_t s = 0; s < slots.size(); ++s, ++num_slots) {
      slot_column.Varint(slots[s]);
      if (IsRun(slots[s])) slot_column.Varint(slots[++s]);
    }
    slot_counts.Varint(num_slots);
    const uint32_t* const attribute_words =
        words_.data() + wire.words_end - 2 * form.attribute_names.size();
    for (size_t a = 0; a < form.attribute_names.size(); ++a) {
      attributes.Varint(
          tables->String(module_.string(form.attribute_names[a])));
      attributes.Varint(attribute_words[2 * a + 1]);
    }
    attribute_counts.Varint(form.attribute_names.size());
    for (const TypeId type : form.result_types) {
      result_types.Varint(tables->Type(module_.type(type)));
    }
    result_counts.Varint(form.result_types.size());
    block_counts.Varint(form.num_blocks);
  }
  ByteWriter message;
  for (uint32_t i = 0; i < 8; ++i) message.Column(i + 1, columns[i]);
  out->Bytes(kForms, message.bytes());
}

}  // namespace encoding
}  // namespace opcompat
