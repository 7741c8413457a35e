#include "check/declarations.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "schema/proto_string.h"
#include "schema/typing.h"

namespace opcompat {

std::string DeclareChange(absl::string_view op, absl::string_view field) {
  return absl::StrCat("changes { operator: ", ProtoString(op), " ", field,
                      " }");
}

std::string DeclareValue(absl::string_view field, absl::string_view op,
                         absl::string_view argument, const Value& value) {
  return DeclareChange(
      op, absl::StrCat(field, " { argument: ", ProtoString(argument),
                       " value: ", ProtoString(value.ToString()), " }"));
}

std::string DeclareRename(absl::string_view op, absl::string_view from,
                          absl::string_view to) {
  return DeclareChange(
      op, absl::StrCat("renamed_argument { from: ", ProtoString(from),
                       " to: ", ProtoString(to), " }"));
}

absl::optional<Value> EmptyLiteral(const Type& type) {
  for (const Value& value :
       {Value::None(), Value::Int(0), Value::Float(0), Value::Bool(false),
        Value::String(""), Value::List({})}) {
    absl::StatusOr<Value> fitted = CoerceLiteral(value, type);
    if (fitted.ok()) return *std::move(fitted);
  }
  return absl::nullopt;
}

}  // namespace opcompat
