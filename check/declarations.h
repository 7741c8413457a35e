// Declarations of history.textproto as text: what a finding proposes.
#ifndef OPCOMPAT_CHECK_DECLARATIONS_H_
#define OPCOMPAT_CHECK_DECLARATIONS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {

// `changes { operator: "t::f" neutral_value { argument: "p" value: "0" } }`;
// `field` is neutral_value or retired_value.
std::string DeclareValue(absl::string_view field, absl::string_view op,
                         absl::string_view argument, const Value& value);

// The same with renamed_argument.
std::string DeclareRename(absl::string_view op, absl::string_view from,
                          absl::string_view to);

// `changes { operator: "t::f" FIELD }`.
std::string DeclareChange(absl::string_view op, absl::string_view field);

// A literal of the type that often stands for "nothing": None, 0, 0.0, False,
// "", []. Nullopt: no such literal.
absl::optional<Value> EmptyLiteral(const Type& type);

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_DECLARATIONS_H_
