#include "deserializer/module_tables.h"

#include <string>
#include <utility>

#include "deserializer/field_reader.h"

namespace opcompat {
namespace decoding {
namespace {

constexpr uint64_t kSmallInts = 4096;
constexpr size_t kNumIntrinsics =
    static_cast<size_t>(Intrinsic::kCallFunction) + 1;

}  // namespace

ModuleTables::ModuleTables(const Tables& tables,
                           const std::vector<OperatorEntryPtr>& entries,
                           const std::vector<WireForm>& forms, Module* module)
    : tables_(tables),
      entries_(entries),
      wire_forms_(forms),
      module_(*module),
      types_(tables.types.size()),
      forms_(forms.size()),
      operators_(entries.size()),
      intrinsics_(kNumIntrinsics),
      floats_(tables.floats.size()),
      strings_(tables.strings.size()),
      int_lists_(tables.int_lists.size()),
      others_(tables.others.size()),
      tensors_(tables.tensors.size()),
      small_ints_(kSmallInts) {}

TypeId ModuleTables::AddType(uint32_t type) {
  module_.types.push_back(tables_.types[type]);
  return TypeId(static_cast<uint32_t>(module_.types.size() - 1));
}

StringId ModuleTables::String(absl::string_view s) {
  const auto [it, is_new] = string_ids_.try_emplace(
      s, StringId(static_cast<uint32_t>(module_.strings.size())));
  if (is_new) module_.strings.emplace_back(s);
  return it->second;
}

ConstantId ModuleTables::Constant(const Value& value) {
  const auto [it, is_new] = constant_ids_.try_emplace(
      value, ConstantId(static_cast<uint32_t>(module_.constants.size())));
  if (is_new) module_.constants.push_back(value);
  return it->second;
}

ConstantId ModuleTables::Int(uint64_t zigzag) {
  ConstantId& id =
      zigzag < kSmallInts ? small_ints_[zigzag] : large_ints_[zigzag];
  if (!id.valid()) id = Constant(Value::Int(UnZigZag(zigzag)));
  return id;
}

ConstantId ModuleTables::Operand(OperandKind kind, uint64_t element) {
  // The id at `element`, made from `value` at its first use.
  const auto at = [&](std::vector<ConstantId>* ids, auto value) {
    if (element >= ids->size()) return ConstantId();
    ConstantId& id = (*ids)[element];
    if (!id.valid()) id = Constant(value());
    return id;
  };
  switch (kind) {
    case OperandKind::kNone:
      if (!none_.valid()) none_ = Constant(Value::None());
      return none_;
    case OperandKind::kTrue:
      if (!true_.valid()) true_ = Constant(Value::Bool(true));
      return true_;
    case OperandKind::kFalse:
      if (!false_.valid()) false_ = Constant(Value::Bool(false));
      return false_;
    case OperandKind::kInt:
      return Int(element);
    case OperandKind::kFloat:
      return at(&floats_,
                [&] { return Value::FloatBits(tables_.floats[element]); });
    case OperandKind::kString:
      return at(&strings_,
                [&] { return Value::String(tables_.strings[element]); });
    case OperandKind::kIntList:
      return at(&int_lists_, [&] { return tables_.int_lists[element]; });
    case OperandKind::kOther:
      return at(&others_, [&] { return tables_.others[element]; });
    case OperandKind::kTensor:
      return at(&tensors_, [&] { return tables_.tensors[element]; });
    case OperandKind::kValue:
    case OperandKind::kVariadicValues:
      break;
  }
  return ConstantId();
}

OperatorId ModuleTables::Operator(const WireForm& form) {
  const bool is_intrinsic = form.intrinsic != Intrinsic::kNone;
  OperatorId& id = is_intrinsic
                       ? intrinsics_[static_cast<size_t>(form.intrinsic)]
                       : operators_[form.entry];
  if (!id.valid()) {
    id = OperatorId(static_cast<uint32_t>(module_.operators.size()));
    ModuleOperator op;
    op.intrinsic = form.intrinsic;
    if (!is_intrinsic) op.entry = entries_[form.entry];
    module_.operators.push_back(std::move(op));
  }
  return id;
}

// Forms that differ only in the kinds of their constants are one here.
FormId ModuleTables::AddForm(uint32_t index) {
  const WireForm& wire = wire_forms_[index];
  CallForm form;
  form.op = Operator(wire);
  form.num_blocks = wire.num_blocks;
  std::vector<uint32_t> key = {form.op.index, form.num_blocks,
                               static_cast<uint32_t>(wire.result_types.size()),
                               static_cast<uint32_t>(wire.attributes.size())};
  for (const WireSlot& slot : wire.slots) {
    const bool is_constant = slot.kind > OperandKind::kVariadicValues;
    for (uint32_t i = 0; i < slot.count; ++i) {
      form.slots.push_back({slot.argument, is_constant});
      key.push_back(slot.argument);
      key.push_back(is_constant);
    }
  }
  for (const uint32_t type : wire.result_types) {
    form.result_types.push_back(Type(type));
    key.push_back(form.result_types.back().index);
  }
  for (const WireAttribute& attribute : wire.attributes) {
    form.attribute_names.push_back(String(tables_.strings[attribute.name]));
    key.push_back(form.attribute_names.back().index);
  }
  const auto [it, is_new] = form_ids_.try_emplace(
      std::move(key), FormId(static_cast<uint32_t>(module_.forms.size())));
  if (is_new) module_.forms.push_back(std::move(form));
  return it->second;
}

}  // namespace decoding
}  // namespace opcompat
