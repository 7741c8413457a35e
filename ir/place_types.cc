#include "ir/place_types.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "schema/typing.h"

namespace opcompat {
namespace {

std::vector<Type> AllWithoutListSizes(const std::vector<Type>& types) {
  std::vector<Type> result;
  result.reserve(types.size());
  for (const Type& type : types) result.push_back(WithoutListSizes(type));
  return result;
}

}  // namespace

Type WithoutListSizes(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kList:
      return Type::List(WithoutListSizes(type.child()));
    case TypeKind::kOptional:
      return Type::Optional(WithoutListSizes(type.child()));
    case TypeKind::kDict:
      return Type::Dict(WithoutListSizes(type.child(0)),
                        WithoutListSizes(type.child(1)));
    case TypeKind::kTuple:
      return Type::Tuple(AllWithoutListSizes(type.children()));
    case TypeKind::kNamedTuple:
      return Type::NamedTuple(type.field_names(),
                              AllWithoutListSizes(type.children()));
    default:
      return type;
  }
}

Type SlotType(const Module& module, const CallForm& form, size_t slot) {
  const ModuleOperator& op = module.op(form.op);
  if (op.entry != nullptr && form.slots[slot].argument != Slot::kVariadic) {
    return op.entry->arguments[form.slots[slot].argument].type;
  }
  const Type any(TypeKind::kAny);
  if (op.entry != nullptr) return any;
  // Most intrinsics are typed by what they declare to give.
  const auto result = [&](size_t i) {
    return i < form.result_types.size() ? module.type(form.result_types[i])
                                        : any;
  };
  const Type first = result(0);
  switch (op.intrinsic) {
    case Intrinsic::kIf:
      return slot == 0 ? Type(TypeKind::kBool) : any;
    case Intrinsic::kLoop:
      if (slot < 2) return Type(slot == 0 ? TypeKind::kInt : TypeKind::kBool);
      return result(slot - 2);
    case Intrinsic::kListConstruct:
      return first.kind() == TypeKind::kList ? first.child() : any;
    case Intrinsic::kTupleConstruct:
      return (first.kind() == TypeKind::kTuple ||
              first.kind() == TypeKind::kNamedTuple) &&
                     slot < first.children().size()
                 ? first.child(slot)
                 : any;
    case Intrinsic::kDictConstruct:
      return first.kind() == TypeKind::kDict ? first.child(slot % 2) : any;
    case Intrinsic::kListUnpack:
      return form.result_types.empty() ? any : Type::List(first);
    default:
      return any;
  }
}

Type YieldType(const Module& module, const CallForm& parent, size_t i) {
  const Intrinsic intrinsic = module.op(parent.op).intrinsic;
  if (intrinsic == Intrinsic::kLoop) {
    if (i == 0) return Type(TypeKind::kBool);
    --i;
  }
  if ((intrinsic == Intrinsic::kIf || intrinsic == Intrinsic::kLoop) &&
      i < parent.result_types.size()) {
    return module.type(parent.result_types[i]);
  }
  return Type(TypeKind::kAny);
}

uint32_t TypeRelations::Intern(const Type& type) {
  const uint32_t id = static_cast<uint32_t>(types_.size());
  const auto inserted = ids_.try_emplace(type, id);
  if (inserted.second) {
    types_.push_back(type);
    traits_.push_back({opcompat::HasVariables(type), opcompat::FixesLiterals(type)});
  }
  return inserted.first->second;
}

bool TypeRelations::IsSubtype(uint32_t value, uint32_t expected,
                              bool* covariant) {
  if (value == expected) return true;
  const auto inserted =
      answers_.try_emplace({value, expected}, Answer{false, false});
  Answer& answer = inserted.first->second;
  if (inserted.second) {
    steps_ += static_cast<uint64_t>(
        std::min(types_[value].num_parts(), types_[expected].num_parts()));
    // Without variables to solve, a variable matches only itself.
    TypeVariables none;
    answer.is_subtype =
        HasVariables(expected)
            ? opcompat::IsSubtype(types_[value], types_[expected])
            : opcompat::IsSubtype(types_[value], types_[expected], &none,
                                  &answer.covariant);
  }
  if (covariant != nullptr && answer.covariant) *covariant = true;
  return answer.is_subtype;
}

bool TypeRelations::AreAlike(uint32_t a, uint32_t b) {
  bool covariant = false;
  return IsSubtype(a, b, &covariant) && IsSubtype(b, a, &covariant) &&
         !covariant;
}

PlaceTypes::PlaceTypes(const Module& module, TypeRelations* relations)
    : PlaceTypes(module, std::vector<bool>(module.forms.size(), true),
                 relations) {}

PlaceTypes::PlaceTypes(const Module& module, const std::vector<bool>& forms,
                       TypeRelations* relations)
    : any_(relations->Intern(Type(TypeKind::kAny))) {
  types_.reserve(module.types.size());
  for (const Type& type : module.types) {
    types_.push_back(relations->Intern(type));
  }
  for (size_t f = 0; f < module.forms.size(); ++f) {
    const CallForm& form = module.forms[f];
    slots_begin_.push_back(slots_.size());
    if (!forms[f]) {
      yields_begin_.push_back(yields_.size());
      continue;
    }
    for (size_t i = 0; i < form.slots.size(); ++i) {
      slots_.push_back(relations->Intern(SlotType(module, form, i)));
    }
    yields_begin_.push_back(yields_.size());
    if (form.num_blocks == 0) continue;
    for (size_t i = 0; i < form.result_types.size() + 1; ++i) {
      yields_.push_back(relations->Intern(YieldType(module, form, i)));
    }
  }
}

}  // namespace opcompat
