// The tables of the module being made: each element of the file's tables gets
// an id of the module when it is used for the first time, so that the module
// holds what it uses. Looking up a second use costs an array access.
#ifndef OPCOMPAT_DESERIALIZER_MODULE_TABLES_H_
#define OPCOMPAT_DESERIALIZER_MODULE_TABLES_H_

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
  ConstantId Other(uint32_t other) {
    ConstantId& id = others_[other];
    if (!id.valid()) id = Constant(tables_.others[other]);
    return id;
  }
  ConstantId Tensor(uint32_t tensor) {
    ConstantId& id = tensors_[tensor];
    if (!id.valid()) id = Constant(tables_.tensors[tensor]);
    return id;
  }

  // The constant of an operand of `kind` whose element in the column is
  // `element` (none: 0), or an invalid id: there is no such constant.
  // Precondition: it is no kind of values.
  ConstantId Operand(OperandKind kind, uint64_t element);

  // Of a string of the module, whichever table of the file it is from.
  StringId String(absl::string_view s);

 private:
  TypeId AddType(uint32_t type);
  FormId AddForm(uint32_t form);
  OperatorId Operator(const WireForm& form);
  ConstantId Constant(const Value& value);
  ConstantId Int(uint64_t zigzag);

  const Tables& tables_;
  const std::vector<OperatorEntryPtr>& entries_;
  const std::vector<WireForm>& wire_forms_;
  Module& module_;

  // By index in the file.
  std::vector<TypeId> types_;
  std::vector<FormId> forms_;
  std::vector<OperatorId> operators_;
  std::vector<OperatorId> intrinsics_;
  std::vector<ConstantId> floats_;
  std::vector<ConstantId> strings_;  // as constants
  std::vector<ConstantId> int_lists_;
  std::vector<ConstantId> others_;
  std::vector<ConstantId> tensors_;
  ConstantId none_;
  ConstantId true_;
  ConstantId false_;
  std::vector<ConstantId> small_ints_;  // by zigzag
  absl::flat_hash_map<uint64_t, ConstantId> large_ints_;

  // By what the module holds: tables of the file overlap.
  absl::flat_hash_map<Value, ConstantId> constant_ids_;
  absl::flat_hash_map<absl::string_view, StringId> string_ids_;
  absl::flat_hash_map<std::vector<uint32_t>, FormId> form_ids_;
};

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_MODULE_TABLES_H_
