// What a call form shows before any node of it is looked at: part of the
// verifier.
#ifndef OPCOMPAT_IR_FORM_CHECKS_H_
#define OPCOMPAT_IR_FORM_CHECKS_H_

#include "absl/status/status.h"
#include "ir/module.h"
#include "ir/place_types.h"
#include "schema/type.h"

namespace opcompat {

// That a value may have this type: it has no type variable.
absl::Status CheckValueType(const Type& type);

// That required arguments are given, and numbers of operands and results are
// right; and the types of results, unless they have type variables. Sets
// `*has_variables` if a given argument or a result has: then each call is
// solved for itself.
// Precondition: the structure of the module verifies.
absl::Status CheckForm(const Module& module, const CallForm& form,
                       TypeRelations* relations, bool* has_variables);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_FORM_CHECKS_H_
