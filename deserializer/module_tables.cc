#include "deserializer/module_tables.h"

#include <algorithm>
#include <string>
#include <utility>

#include "deserializer/field_reader.h"
#include "ir/plain_calls.h"

namespace opcompat {
namespace decoding {
namespace {

constexpr uint64_t kSmallInts = 1024;

constexpr uint64_t ZigZag(int64_t v) {
  return static_cast<uint64_t>(v) << 1 ^ static_cast<uint64_t>(v >> 63);
}

constexpr size_t kNumIntrinsics =
    static_cast<size_t>(Intrinsic::kCallFunction) + 1;

}  // namespace

ModuleTables::ModuleTables(const Tables& tables,
                           const std::vector<OperatorEntryPtr>& entries,
                           const std::vector<WireForm>& forms,
                           const FormBinder* binder, Module* module)
    : tables_(tables),
      entries_(entries),
      wire_forms_(forms),
      binder_(binder),
      module_(*module),
      types_(tables.types.size()),
      forms_(forms.size()),
      operators_(entries.size()),
      intrinsics_(kNumIntrinsics) {
  for (std::vector<ConstantId>& column : constants_) column.resize(1);
  const auto size = [&](OperandKind kind, size_t n) {
    constants_[static_cast<size_t>(kind)].resize(n + 1);
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
  // Nearly all of what the tables have is used, and a few small integers.
  constexpr size_t kSomeInts = 64;
  module->constants.reserve(tables.floats.size() + tables.int_lists.size() +
                            tables.others.size() + tables.tensors.size() +
                            kSomeInts);
  size(kFixed, kNoMatter + 1);
  constants_[kNumOperandKinds][kNoMatter] = ConstantId(0);
}

ModuleTables::ConstantColumns ModuleTables::constant_columns() const {
  ConstantColumns columns;
  for (size_t kind = 0; kind < constants_.size(); ++kind) {
    columns.columns_[kind] = {constants_[kind].data(),
                              constants_[kind].size() - 1};
  }
  return columns;
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
  if (element >= ids.size() - 1) {
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
  if (id.valid()) return id;
  if (!is_intrinsic && binder_ != nullptr) {
    return id = OperatorOf(binder_->same(form.entry));
  }
  id = OperatorId(static_cast<uint32_t>(module_.operators.size()));
  ModuleOperator op;
  op.intrinsic = form.intrinsic;
  if (!is_intrinsic) op.entry = entries_[form.entry];
  module_.operators.push_back(std::move(op));
  return id;
}

OperatorId ModuleTables::OperatorOf(const OperatorEntryPtr& entry) {
  const auto [it, is_new] = operator_ids_.try_emplace(
      entry.get(), OperatorId(static_cast<uint32_t>(module_.operators.size())));
  if (is_new) module_.operators.push_back({entry, Intrinsic::kNone});
  return it->second;
}

CallForm ModuleTables::AsWritten(const WireForm& wire) {
  CallForm form;
  form.num_blocks = wire.num_blocks;
  form.slots.reserve(static_cast<size_t>(wire.num_operands));
  for (const WireSlot& slot : wire.slots) {
    const bool is_constant = slot.kind > OperandKind::kVariadicValues;
    for (uint32_t i = 0; i < slot.count; ++i) {
      form.slots.push_back({slot.argument, is_constant});
    }
  }
  form.result_types.reserve(wire.result_types.size());
  for (const uint32_t type : wire.result_types) {
    form.result_types.push_back(Type(type));
  }
  for (const WireAttribute& attribute : wire.attributes) {
    form.attribute_names.push_back(String(tables_.strings[attribute.name]));
  }
  return form;
}

// Forms that differ only in the kinds of their constants are one here.
FormId ModuleTables::AddForm(uint32_t index) {
  const WireForm& wire = wire_forms_[index];
  const OperatorId op = Operator(wire);
  CallForm form = AsWritten(wire);
  form.op = op;
  return form_table_.Intern(std::move(form), &module_);
}

TypeId ModuleTables::PlainType(const opcompat::Type& slot) const {
  constexpr size_t kMostSearched = 16;
  const size_t count = std::min(module_.types.size(), kMostSearched);
  for (uint32_t i = 0; i < count; ++i) {
    if (IsPlainValue(module_.types[i], slot)) return TypeId(i);
  }
  return TypeId();
}

absl::optional<BoundNodes> ModuleTables::Bind(uint32_t index) {
  const WireForm& wire = wire_forms_[index];
  if (!wire.attributes.empty() || wire.num_blocks > 0) return absl::nullopt;
  const OperatorEntry& writer = *entries_[wire.entry];
  // Forms of a file may be equal; whoever reads them without binding notices.
  const size_t cost = writer.arguments.size() + wire.slots.size();
  if (cost >= binding_left_) return absl::nullopt;
  binding_left_ -= cost;
  CallForm form = AsWritten(wire);
  if (!IsPlainCall(module_, form, writer)) return absl::nullopt;
  std::vector<FormBinder::Given>& given = given_;
  given.clear();
  for (const WireSlot& slot : wire.slots) {
    if (slot.argument == Slot::kVariadic) return absl::nullopt;
    given.emplace_back();
    given.back().slot = form.slots[given.size() - 1];
    if (slot.kind == OperandKind::kNone || slot.kind == OperandKind::kTrue ||
        slot.kind == OperandKind::kFalse) {
      given.back().constant = ValueOf(slot.kind, 0);
    }
    if (given.back().slot.is_constant) continue;
    const TypeId type = PlainType(writer.arguments[slot.argument].type);
    if (!type.valid()) return absl::nullopt;
    given.back().type = &module_.type(type);
  }
  results_.clear();
  for (const TypeId type : form.result_types) {
    results_.push_back(&module_.type(type));
  }
  absl::optional<BoundForm> bound = binder_->Bind(wire.entry, given, results_);
  if (!bound.has_value()) return absl::nullopt;
  BoundNodes nodes;
  nodes.places.resize(form.slots.size(), BoundNodes::kNowhere);
  for (uint32_t i = 0; i < bound->sources.size(); ++i) {
    const int64_t source = bound->sources[i];
    if (source >= 0) {
      nodes.places[static_cast<size_t>(source)] = i;
      continue;
    }
    const absl::optional<ConstantId> constant =
        Added(bound->constants[static_cast<size_t>(~source)]);
    if (!constant.has_value()) return absl::nullopt;
    nodes.constants.emplace_back(i, *constant);
  }
  nodes.num_operands = static_cast<uint32_t>(bound->slots.size());
  form.op = OperatorOf(bound->entry);
  form.slots = std::move(bound->slots);
  nodes.form = form_table_.Intern(std::move(form), &module_);
  nodes.notes = std::move(bound->notes);
  return nodes;
}

absl::optional<ConstantId> ModuleTables::Added(const Value& value) {
  // The number in a table of the file; its size: it is not there.
  const auto search = [&](const auto& table, const auto& element) {
    searches_left_ -= std::min(searches_left_, table.size());
    return std::find(table.begin(), table.end(), element) - table.begin();
  };
  const auto in_table = [&](OperandKind kind, auto index, size_t size) {
    const auto i = static_cast<uint64_t>(index);
    return i < size ? Operand(kind, i) : ConstantId();
  };
  ConstantId id;
  switch (value.kind()) {
    case ValueKind::kNone:
      return Operand(OperandKind::kNone, 0);
    case ValueKind::kBool:
      return Operand(
          value.bool_value() ? OperandKind::kTrue : OperandKind::kFalse, 0);
    case ValueKind::kInt:
      return Operand(OperandKind::kInt, ZigZag(value.int_value()));
    case ValueKind::kFloat:
      id = in_table(OperandKind::kFloat,
                    search(tables_.floats, value.float_bits()),
                    tables_.floats.size());
      break;
    case ValueKind::kString:
      id = in_table(
          OperandKind::kString,
          search(tables_.strings, absl::string_view(value.string_value())),
          tables_.strings.size());
      break;
    case ValueKind::kList:
      id = in_table(OperandKind::kIntList, search(tables_.int_lists, value),
                    tables_.int_lists.size());
      break;
    default:
      break;
  }
  if (searches_left_ == 0) return absl::nullopt;
  if (id.valid()) return id;
  if (!HasOwnKind(value)) return InternOther(value);
  const auto other = other_ids_.find(value);
  if (other != other_ids_.end()) return other->second;
  ConstantId& added = added_ids_[value];
  if (!added.valid()) added = AddConstant(value);
  return added;
}

}  // namespace decoding
}  // namespace opcompat
