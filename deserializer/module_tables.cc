#include "deserializer/module_tables.h"

#include <algorithm>
#include <string>
#include <utility>

#include "deserializer/field_reader.h"

namespace opcompat {
namespace decoding {
namespace {

constexpr uint64_t kSmallInts = 1024;
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
      intrinsics_(kNumIntrinsics) {
  const auto size = [&](OperandKind kind, size_t n) {
    constants_[static_cast<size_t>(kind)].resize(n);
  };
  size(OperandKind::kNone, 1);
  size(OperandKind::kTrue, 1);
  size(OperandKind::kFalse, 1);
  size(OperandKind::kInt, kSmallInts);
  size(OperandKind::kFloat, tables.floats.size());
  size(OperandKind::kString, tables.strings.size());
  size(OperandKind::kIntList, tables.int_lists.size());
  size(OperandKind::kOther, tables.others.size());
  size(OperandKind::kTensor, tables.tensors.size());
}

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

ConstantId ModuleTables::AddConstant(Value value) {
  const ConstantId id(static_cast<uint32_t>(module_.constants.size()));
  module_.constants.push_back(std::move(value));
  return id;
}

// Tables of kinds of their own have each constant once, and an operand is never
// in `others` if its kind has a table. But attributes of the module, which are
// read first, are there whatever they are.
ConstantId ModuleTables::InternOther(const Value& value) {
  ConstantId& id = other_ids_[value];
  if (!id.valid()) id = AddConstant(value);
  return id;
}

ConstantId ModuleTables::Attribute(uint32_t other) {
  return InternOther(tables_.others[other]);
}

Value ModuleTables::ValueOf(OperandKind kind, uint64_t element) const {
  switch (kind) {
    case OperandKind::kTrue:
      return Value::Bool(true);
    case OperandKind::kFalse:
      return Value::Bool(false);
    case OperandKind::kInt:
      return Value::Int(UnZigZag(element));
    case OperandKind::kFloat:
      return Value::FloatBits(tables_.floats[element]);
    case OperandKind::kString:
      return Value::String(tables_.strings[element]);
    case OperandKind::kIntList:
      return tables_.int_lists[element];
    case OperandKind::kOther:
      return tables_.others[element];
    case OperandKind::kTensor:
      return tables_.tensors[element];
    case OperandKind::kNone:
    case OperandKind::kValue:
    case OperandKind::kVariadicValues:
      break;
  }
  return Value::None();
}

namespace {

// Whether operands of this value have a kind of their own.
bool HasOwnKind(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kNone:
    case ValueKind::kBool:
    case ValueKind::kInt:
    case ValueKind::kFloat:
    case ValueKind::kString:
    case ValueKind::kTensor:
      return true;
    case ValueKind::kList:
      return !value.elements().empty() &&
             std::all_of(value.elements().begin(), value.elements().end(),
                         [](const Value& element) {
                           return element.kind() == ValueKind::kInt;
                         });
    default:
      return false;
  }
}

}  // namespace

ConstantId ModuleTables::AddOperand(OperandKind kind, uint64_t element) {
  std::vector<ConstantId>& ids = constants_[static_cast<size_t>(kind)];
  if (element >= ids.size()) {
    if (kind != OperandKind::kInt) return ConstantId();
    ConstantId& id = large_ints_[element];
    if (!id.valid()) id = AddTableConstant(ValueOf(kind, element));
    return id;
  }
  if (kind == OperandKind::kOther) {
    const Value& value = tables_.others[element];
    if (HasOwnKind(value)) return ConstantId();
    return ids[element] = InternOther(value);
  }
  return ids[element] = AddTableConstant(ValueOf(kind, element));
}

ConstantId ModuleTables::AddTableConstant(Value value) {
  if (!other_ids_.empty()) {
    const auto it = other_ids_.find(value);
    if (it != other_ids_.end()) return it->second;
  }
  return AddConstant(std::move(value));
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
