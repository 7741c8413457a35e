// The types that the places of a module's operands expect, and memory for
// questions about them: forms are few and nodes are many, so everything that
// depends on types only is asked once. For the verifier and the canonical
// form; the rules of IsSubtype are in schema/typing.h.
#ifndef OPCOMPAT_IR_PLACE_TYPES_H_
#define OPCOMPAT_IR_PLACE_TYPES_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash_map.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "schema/type.h"

namespace opcompat {

// The type that operand `slot` of a node of `form` is expected to have: the
// argument's, or what the rule of the intrinsic makes of the result types.
// Any where the form says nothing: at `...`, what kReturn yields (see
// YieldType), what a prim::SetAttr or a call of a function is given.
// Precondition: the ids in `form` are in range; the form need not make sense.
Type SlotType(const Module& module, const CallForm& form, size_t slot);

// The type that value `i` is expected to have which a block of a node of form
// `parent` yields. Any where nothing is said.
Type YieldType(const Module& module, const CallForm& parent, size_t i);

// The type with every `T[n]` a `T[]`: n matters to lone literals only.
Type WithoutListSizes(const Type& type);

// Types by number, so that relations between them are looked up.
class TypeRelations {
 public:
  uint32_t Intern(const Type& type);
  const Type& type(uint32_t id) const { return types_[id]; }
  // IsSubtype of typing.h without variables. `covariant` may be null.
  bool IsSubtype(uint32_t value, uint32_t expected, bool* covariant = nullptr);
  // Whether each is a subtype of the other: int and SymInt, `T[2]` and `T[]`.
  bool AreAlike(uint32_t a, uint32_t b);
  // Whether the type mentions a type variable.
  bool HasVariables(uint32_t id) const { return traits_[id].has_variables; }
  // FixesLiterals of typing.h.
  bool FixesLiterals(uint32_t id) const { return traits_[id].fixes_literals; }

  // How many parts of types and constants were looked at for all answers, and
  // by others who say so.
  uint64_t steps() const { return steps_; }
  void AddSteps(uint64_t steps) { steps_ += steps; }

 private:
  struct Traits {
    bool has_variables;
    bool fixes_literals;
  };
  struct Answer {
    bool is_subtype;
    bool covariant;
  };

  HashMap<Type, uint32_t> ids_;
  std::vector<Type> types_;
  std::vector<Traits> traits_;
  HashMap<std::pair<uint32_t, uint32_t>, Answer> answers_;
  uint64_t steps_ = 0;
};

// SlotType, YieldType and the module's types, as numbers of TypeRelations.
class PlaceTypes {
 public:
  // Precondition: the ids in the module's forms are in range.
  PlaceTypes(const Module& module, TypeRelations* relations);
  // Of the slots of some forms only, and of what those of their blocks yield.
  PlaceTypes(const Module& module, const std::vector<bool>& forms,
             TypeRelations* relations);

  uint32_t OfType(TypeId id) const { return types_[id.index]; }
  uint32_t OfSlot(FormId form, size_t slot) const {
    return slots_[slots_begin_[form.index] + slot];
  }
  // Precondition: `i` is at most the number of results of `parent` (a
  // prim::Loop yields one more value than it has results).
  uint32_t OfYield(FormId parent, size_t i) const {
    return yields_[yields_begin_[parent.index] + i];
  }
  uint32_t any() const { return any_; }

 private:
  uint32_t any_;
  std::vector<uint32_t> types_;
  std::vector<size_t> slots_begin_;
  std::vector<uint32_t> slots_;
  std::vector<size_t> yields_begin_;
  std::vector<uint32_t> yields_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_IR_PLACE_TYPES_H_
