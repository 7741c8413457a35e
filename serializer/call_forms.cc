#include "serializer/call_forms.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "absl/types/span.h"

namespace opcompat {
namespace encoding {
namespace {

constexpr uint32_t kForms = 11;
// CallForms.operators: below this the intrinsics.
constexpr uint32_t kFirstOperator = 32;
// In the key of a variant: the argument is left out.
constexpr uint8_t kLeftOut = 15;

uint32_t EncodeSlot(uint32_t argument, SlotKind kind) {
  return argument << 4 | static_cast<uint32_t>(kind);
}

}  // namespace

CallForms::CallForms(const Module& module, const ElisionRule& elision)
    : module_(module), elision_(elision) {
  constant_kinds_.reserve(elision.num_constants());
  for (uint32_t i = 0; i < elision.num_constants(); ++i) {
    constant_kinds_.push_back(KindOfConstant(elision.constant(ConstantId(i))));
  }
  facts_.resize(module.forms.size());
  for (size_t f = 0; f < module.forms.size(); ++f) {
    const CallForm& form = module.forms[f];
    for (uint32_t i = 0; i < form.num_operands(); ++i) {
      if (i >= form.slots.size()) {
        facts_[f].constants.push_back({i, ConstantId()});
      } else if (form.slots[i].is_constant) {
        facts_[f].constants.push_back(
            {i, elision.LeftOutAt(form.op, form.slots[i].argument)});
      }
    }
  }
  node_variants_.reserve(module.functions.size());
  for (const Function& function : module.functions) {
    std::vector<uint32_t> variants;
    variants.reserve(function.graph.num_nodes());
    for (const Node& node : function.graph.nodes) {
      variants.push_back(VariantOf(function.graph, node));
      ++wire_forms_[variants_[variants.back()].wire_form].num_calls;
    }
    node_variants_.push_back(std::move(variants));
  }
  Number();
}

// The key: what each constant of the node is, its kind or kLeftOut. Four bits
// each, if they are few.
uint32_t CallForms::VariantOf(const Graph& graph, const Node& node) {
  FormFacts& facts = facts_[node.form.index];
  const Operand* const operands = graph.operands.data() + node.operands_begin;
  const auto what = [&](const ConstantPlace& place) {
    const ConstantId constant = operands[place.operand].constant();
    return constant == place.left_out
               ? kLeftOut
               : static_cast<uint8_t>(constant_kinds_[constant.index]);
  };
  if (facts.constants.size() > kFewConstants) {
    std::string key;
    for (const ConstantPlace& place : facts.constants) {
      key.push_back(static_cast<char>(what(place)));
    }
    return FindVariant(graph, node, std::move(key));
  }
  uint64_t key = 0;
  for (const ConstantPlace& place : facts.constants) {
    key = key << 4 | what(place);
  }
  for (const auto& [known, variant] : facts.variants) {
    if (known == key) return variant;
  }
  const uint32_t variant =
      FindVariant(graph, node,
                  std::string(reinterpret_cast<const char*>(&key), sizeof key));
  if (facts.variants.size() < kFewVariants) {
    facts.variants.emplace_back(key, variant);
  }
  return variant;
}

uint32_t CallForms::FindVariant(const Graph& graph, const Node& node,
                                std::string key) {
  const uint32_t form = node.form.index;
  key.append(reinterpret_cast<const char*>(&form), sizeof form);
  const auto [it, is_new] =
      variant_ids_.try_emplace(std::move(key), variants_.size());
  if (is_new) variants_.push_back(MakeVariant(graph, node));
  return it->second;
}

FormVariant CallForms::MakeVariant(const Graph& graph, const Node& node) {
  const CallForm& form = module_.form(node);
  const OperatorEntry* entry = module_.op(form.op).entry.get();
  const uint32_t num_exposed =
      entry == nullptr ? 0 : static_cast<uint32_t>(entry->num_exposed());
  const absl::Span<const Operand> operands = module_.operands(graph, node);

  FormVariant variant;
  WireForm wire;
  wire.form = node.form;
  bool in_run = false;  // of variadic values; its length is the last element
  const auto add_value = [&](uint32_t argument, uint32_t operand,
                             bool is_variadic) {
    if (is_variadic && in_run) {
      ++wire.slots.back();
    } else {
      wire.slots.push_back(EncodeSlot(argument, is_variadic
                                                    ? SlotKind::kVariadicValues
                                                    : SlotKind::kValue));
      if (is_variadic) wire.slots.push_back(1);
    }
    in_run = is_variadic;
    variant.values.push_back(operand);
  };
  const auto add_constant = [&](uint32_t argument, uint32_t operand,
                                ConstantId constant) {
    const SlotKind kind = constant_kinds_[constant.index];
    wire.slots.push_back(EncodeSlot(argument, kind));
    in_run = false;
    if (HasElement(kind))
      variant.constants.push_back({operand, constant, kind});
  };

  uint32_t next = 0;  // the first argument that was not looked at yet
  const auto write_defaults_before = [&](uint32_t argument) {
    for (; next < argument; ++next) {
      const ConstantId value = elision_.WriteInstead(form.op, next);
      if (!value.valid()) continue;
      add_constant(next, ConstantSource::kDefault, value);
    }
  };
  for (uint32_t i = 0; i < form.slots.size(); ++i) {
    const Slot& slot = form.slots[i];
    const bool is_variadic = slot.argument == Slot::kVariadic;
    const uint32_t argument = is_variadic ? num_exposed : slot.argument;
    write_defaults_before(argument);
    if (!is_variadic) ++next;
    if (elision_.MayLeaveOut(form.op, slot.argument, operands[i])) continue;
    if (operands[i].is_constant()) {
      add_constant(argument, i, operands[i].constant());
    } else {
      add_value(argument, i, is_variadic);
    }
  }
  write_defaults_before(num_exposed);

  for (uint32_t i = static_cast<uint32_t>(form.slots.size());
       i < operands.size(); ++i) {
    const SlotKind kind = constant_kinds_[operands[i].constant().index];
    wire.attribute_kinds.push_back(kind);
    if (HasElement(kind)) {
      variant.constants.push_back({i, operands[i].constant(), kind});
    }
  }
  variant.wire_form = InternWireForm(std::move(wire));
  return variant;
}

uint32_t CallForms::InternWireForm(WireForm wire) {
  const CallForm& form = module_.form(wire.form);
  std::vector<uint32_t> key = {form.op.index, form.num_blocks,
                               static_cast<uint32_t>(wire.slots.size()),
                               static_cast<uint32_t>(form.result_types.size())};
  key.insert(key.end(), wire.slots.begin(), wire.slots.end());
  for (const TypeId type : form.result_types) key.push_back(type.index);
  for (size_t i = 0; i < form.attribute_names.size(); ++i) {
    key.push_back(form.attribute_names[i].index);
    key.push_back(static_cast<uint32_t>(wire.attribute_kinds[i]));
  }
  const auto [it, is_new] =
      wire_form_ids_.try_emplace(std::move(key), wire_forms_.size());
  if (is_new) wire_forms_.push_back(std::move(wire));
  return it->second;
}

void CallForms::Number() {
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
    uint64_t of_node = wire.attribute_kinds.size() +
                       module_.form(wire.form).result_types.size();
    for (size_t s = 0; s < wire.slots.size(); ++s) {
      const bool is_run = (wire.slots[s] & 15) ==
                          static_cast<uint32_t>(SlotKind::kVariadicValues);
      of_node += is_run ? wire.slots[++s] : 1;
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
  ByteWriter& slots = columns[5];
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
    uint32_t num_slots = 0;
    for (size_t s = 0; s < wire.slots.size(); ++s, ++num_slots) {
      slots.Varint(wire.slots[s]);
      if ((wire.slots[s] & 15) ==
          static_cast<uint32_t>(SlotKind::kVariadicValues)) {
        slots.Varint(wire.slots[++s]);
      }
    }
    slot_counts.Varint(num_slots);
    for (size_t a = 0; a < form.attribute_names.size(); ++a) {
      attributes.Varint(
          tables->String(module_.string(form.attribute_names[a])));
      attributes.Varint(static_cast<uint32_t>(wire.attribute_kinds[a]));
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
