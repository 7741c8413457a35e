// The tables of the module being made: each element of the file's tables gets
// an id of the module when it is used for the first time, so that the module
// holds what it uses. Looking up a second use costs an array access.
#ifndef OPCOMPAT_DESERIALIZER_MODULE_TABLES_H_
#define OPCOMPAT_DESERIALIZER_MODULE_TABLES_H_

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "deserializer/form_reader.h"
#include "deserializer/tables.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "schema/operator_entry.h"

namespace opcompat {
namespace decoding {

class ModuleTables {
 public:
  // All of them must outlive this object.
  ModuleTables(const Tables& tables,
               const std::vector<OperatorEntryPtr>& entries,
               const std::vector<WireForm>& forms, Module* module);

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
    if (element < ids.size() && ids[element].valid()) return ids[element];
    return AddOperand(kind, element);
  }

  // Of a string of the module, whichever table of the file it is from.
  StringId String(absl::string_view s);

 private:
  TypeId AddType(uint32_t type);
  FormId AddForm(uint32_t form);
  OperatorId Operator(const WireForm& form);
  ConstantId AddConstant(Value value);
  ConstantId AddTableConstant(Value value);
  ConstantId InternOther(const Value& value);
  // Of one that was not used before, or that constants_ does not hold.
  ConstantId AddOperand(OperandKind kind, uint64_t element);
  Value ValueOf(OperandKind kind, uint64_t element) const;

  const Tables& tables_;
  const std::vector<OperatorEntryPtr>& entries_;
  const std::vector<WireForm>& wire_forms_;
  Module& module_;

  // By index in the file.
  std::vector<TypeId> types_;
  std::vector<FormId> forms_;
  std::vector<OperatorId> operators_;
  std::vector<OperatorId> intrinsics_;
  // By kind and element; of integers the small ones only, by zigzag.
  std::array<std::vector<ConstantId>, kNumOperandKinds> constants_;
  absl::flat_hash_map<uint64_t, ConstantId> large_ints_;

  // By what the module holds: tables of the file overlap.
  absl::flat_hash_map<Value, ConstantId> other_ids_;
  absl::flat_hash_map<absl::string_view, StringId> string_ids_;
  absl::flat_hash_map<std::vector<uint32_t>, FormId> form_ids_;
};

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_MODULE_TABLES_H_
