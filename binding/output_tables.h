// The tables of the module that a rewriting makes: those of the module that
// went in, so that its ids stay valid, and what is added.
#ifndef OPCOMPAT_BINDING_OUTPUT_TABLES_H_
#define OPCOMPAT_BINDING_OUTPUT_TABLES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "base/hash_map.h"
#include "ir/form_table.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

class OutputTables {
 public:
  // Copies header data and tables of `in`, but operators and forms.
  explicit OutputTables(const Module& in);

  StringId InternString(absl::string_view text);
  TypeId InternType(const Type& type);
  ConstantId InternConstant(const Value& value);
  // Operators with entries are one if the entry is the same object.
  OperatorId InternOperator(const ModuleOperator& op);
  FormId InternForm(CallForm form) {
    return forms_.Intern(std::move(form), &out_);
  }

  Module& out() { return out_; }
  const Module& out() const { return out_; }

 private:
  Module out_;
  // Of strings, types and constants only once many were asked for.
  HashMap<std::string, uint32_t> strings_;
  HashMap<Type, uint32_t> types_;
  HashMap<Value, uint32_t> constants_;
  size_t string_searches_ = 0;
  size_t type_searches_ = 0;
  size_t constant_searches_ = 0;
  HashMap<std::pair<const OperatorEntry*, Intrinsic>, uint32_t> operators_;
  FormTable forms_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_OUTPUT_TABLES_H_
