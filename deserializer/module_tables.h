// The tables of the module being made: each element of the file's tables gets
// an id of the module when it is used for the first time, so that the module
// holds what it uses. Looking up a second use costs an array access.
#ifndef OPCOMPAT_DESERIALIZER_MODULE_TABLES_H_
#define OPCOMPAT_DESERIALIZER_MODULE_TABLES_H_

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/hash_map.h"
#include "binding/call.h"
#include "binding/form_binder.h"
#include "deserializer/form_reader.h"
#include "deserializer/tables.h"
#include "ir/form_table.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace decoding {

// What binding makes of the nodes of one of the file's forms.
struct BoundNodes {
  FormId form;
  uint32_t num_operands = 0;
  // By operand as the file has it: which operand it is now; kNowhere: it was
  // None, True or False, and is among `constants` if it is still there.
  absl::InlinedVector<uint32_t, 8> places;
  static constexpr uint32_t kNowhere = 0xffffffff;
  // Operands that are the same constant in all nodes.
  std::vector<std::pair<uint32_t, ConstantId>> constants;
  CallNotes notes;
};

class ModuleTables {
 public:
  // All of them must outlive this object. `binder`, if not null, says which
  // entries the module has instead of the file's; it may bind.
  ModuleTables(const Tables& tables,
               const std::vector<OperatorEntryPtr>& entries,
               const std::vector<WireForm>& forms, const FormBinder* binder,
               Module* module);

  // Precondition of each: the index is in range.
  TypeId Type(uint32_t type) {
    TypeId& id = types_[type];
    if (!id.valid()) id = AddType(type);
    return id;
  }
  FormId Form(uint32_t form) {
    FormId& id = forms_[form];
    if (!id.valid()) id = AddForm(form);
    return id;
  }
  // Whether calls of the form do not pass as they are, but by Bind.
  bool IsToBeBound(uint32_t form) const {
    return binder_ != nullptr &&
           wire_forms_[form].intrinsic == Intrinsic::kNone &&
           binder_->same(wire_forms_[form].entry) == nullptr;
  }
  // What becomes of nodes of the form in which each value has the type that
  // PlainType gives for it; nullopt: its nodes must be seen to be bound.
  // Precondition: IsToBeBound(form).
  absl::optional<BoundNodes> Bind(uint32_t form);

  // A type of the module of which values are plainly right (plain_calls.h) at
  // `slot`; not valid: none was found. Types that a module's values have are
  // few.
  TypeId PlainType(const opcompat::Type& slot) const;

  // Of an attribute of the module. To be asked for before any operand.
  ConstantId Attribute(uint32_t other);
  ConstantId Tensor(uint32_t tensor) {
    return Operand(OperandKind::kTensor, tensor);
  }

  // The constant of an operand of `kind` whose element in the column is
  // `element` (none: 0), or an invalid id: there is no such constant of that
  // kind.
  // Precondition: it is no kind of values.
  ConstantId Operand(OperandKind kind, uint64_t element) {
    const std::vector<ConstantId>& ids = constants_[static_cast<size_t>(kind)];
    if (element < ids.size() - 1 && ids[element].valid()) return ids[element];
    return AddOperand(kind, element);
  }

  // Operands that are one constant in all nodes of a form: the element of the
  // kind kFixed that stands for it.
  static constexpr auto kFixed = static_cast<OperandKind>(kNumOperandKinds);
  // The element of kFixed that is some constant or other.
  static constexpr uint32_t kNoMatter = 0;
  uint32_t AddFixed(ConstantId constant) {
    std::vector<ConstantId>& fixed = constants_[kNumOperandKinds];
    fixed.back() = constant;
    fixed.emplace_back();
    return static_cast<uint32_t>(fixed.size() - 2);
  }

  // What Operand gives for elements that it was asked for before; without a
  // branch, for loops over nodes. Good until AddFixed is called.
  class ConstantColumns {
   public:
    // An invalid id: it was not asked for before, or is not kept here.
    ConstantId Find(OperandKind kind, uint64_t element) const {
      const Column& column = columns_[static_cast<size_t>(kind)];
      return column.ids[element < column.size ? element : column.size];
    }

   private:
    friend class ModuleTables;
    struct Column {
      const ConstantId* ids;  // and an invalid one behind the last
      uint64_t size;
    };
    std::array<Column, kNumOperandKinds + 1> columns_;
  };
  ConstantColumns constant_columns() const;

  // Of a string of the module, whichever table of the file it is from.
  StringId String(absl::string_view s);

 private:
  TypeId AddType(uint32_t type);
  FormId AddForm(uint32_t form);
  // The slots, results and attributes that nodes of the form have in the file.
  CallForm AsWritten(const WireForm& form);
  OperatorId Operator(const WireForm& form);
  OperatorId OperatorOf(const OperatorEntryPtr& entry);
  // A constant that no operand of the file names.
  absl::optional<ConstantId> Added(const Value& value);
  ConstantId AddConstant(Value value);
  ConstantId AddTableConstant(Value value);
  ConstantId InternOther(const Value& value);
  // Of one that was not used before, or that constants_ does not hold.
  ConstantId AddOperand(OperandKind kind, uint64_t element);
  Value ValueOf(OperandKind kind, uint64_t element) const;

  const Tables& tables_;
  const std::vector<OperatorEntryPtr>& entries_;
  const std::vector<WireForm>& wire_forms_;
  const FormBinder* const binder_;
  Module& module_;

  // By index in the file.
  std::vector<TypeId> types_;
  std::vector<FormId> forms_;
  std::vector<OperatorId> operators_;
  std::vector<OperatorId> intrinsics_;
  // By kind and element, and an invalid one behind the last; of integers the
  // small ones only, by zigzag. kFixed is behind the others.
  std::array<std::vector<ConstantId>, kNumOperandKinds + 1> constants_;
  HashMap<uint64_t, ConstantId> large_ints_;

  // By what the module holds: tables of the file overlap.
  HashMap<Value, ConstantId> other_ids_;
  HashMap<absl::string_view, StringId> string_ids_;
  FormTable form_table_;
  // With a binder: two of the file's entries may be one.
  HashMap<const OperatorEntry*, OperatorId> operator_ids_;
  // What Added gave and no table has; and how much it may still search.
  HashMap<Value, ConstantId> added_ids_;
  size_t searches_left_ = size_t{1} << 20;
  size_t binding_left_ = size_t{1} << 18;  // arguments
  // Of the form that Bind is at.
  std::vector<FormBinder::Given> given_;
  std::vector<const opcompat::Type*> results_;
};

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_MODULE_TABLES_H_
