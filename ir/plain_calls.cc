#include "ir/plain_calls.h"

#include <cstddef>
#include <cstdint>

#include "ir/form_checks.h"
#include "ir/place_types.h"
#include "schema/operator_entry.h"

namespace opcompat {
// As CheckForm (form_checks.h); results must have the very types of the entry,
// so that no types are held against each other part by part.
bool IsPlainCall(const Module& module, const CallForm& form,
                 const OperatorEntry& entry) {
  size_t slot = 0;
  const auto num_exposed = static_cast<uint32_t>(entry.num_exposed());
  for (uint32_t a = 0; a < num_exposed; ++a) {
    const EntryArgument& argument = entry.arguments[a];
    if (slot < form.slots.size() && form.slots[slot].argument == a) {
      if (argument.type.has_variables()) return false;
      ++slot;
    } else if (!argument.default_value.has_value()) {
      return false;
    }
  }
  for (; slot < form.slots.size(); ++slot) {
    if (!entry.is_vararg || form.slots[slot].argument != Slot::kVariadic) {
      return false;
    }
  }
  if (entry.results.size() != form.result_types.size()) return false;
  for (size_t r = 0; r < entry.results.size(); ++r) {
    const Type& expected = entry.results[r].type;
    if (expected.has_variables() ||
        module.type(form.result_types[r]) != expected) {
      return false;
    }
  }
  return true;
}

bool IsPlainForm(const Module& module, const CallForm& form) {
  const ModuleOperator& op = module.op(form.op);
  switch (op.intrinsic) {
    case Intrinsic::kNone:
      return IsPlainCall(module, form, *op.entry);
    case Intrinsic::kParam:
    case Intrinsic::kListConstruct:
    case Intrinsic::kTupleConstruct:
    case Intrinsic::kDictConstruct:
    case Intrinsic::kListUnpack: {
      TypeRelations none;  // intrinsics relate no types
      bool has_variables = false;
      return CheckForm(module, form, &none, &has_variables).ok();
    }
    default:
      return false;
  }
}

bool IsPlainValue(const Type& value, const Type& slot) {
  return value == slot ||
         (slot.kind() == TypeKind::kOptional && value == slot.child());
}

bool IsPlainLiteral(LiteralKind kind, const Type& slot) {
  if (slot.kind() == TypeKind::kOptional) {
    return kind == LiteralKind::kNone || IsPlainLiteral(kind, slot.child());
  }
  switch (kind) {
    case LiteralKind::kBool:
      return slot.kind() == TypeKind::kBool ||
             slot.kind() == TypeKind::kSymBool;
    case LiteralKind::kInt:
      return slot.kind() == TypeKind::kInt ||
             slot.kind() == TypeKind::kSymInt ||
             slot.kind() == TypeKind::kScalar || IsEnumKind(slot.kind());
    case LiteralKind::kFloat:
      return slot.kind() == TypeKind::kFloat ||
             slot.kind() == TypeKind::kSymFloat ||
             slot.kind() == TypeKind::kScalar;
    case LiteralKind::kString:
      return slot.kind() == TypeKind::kString;
    case LiteralKind::kInts:
      return slot.kind() == TypeKind::kList &&
             (slot.child().kind() == TypeKind::kInt ||
              slot.child().kind() == TypeKind::kSymInt);
    case LiteralKind::kNone:
    case LiteralKind::kOther:
      return false;
  }
  return false;
}

}  // namespace opcompat
