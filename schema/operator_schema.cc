#include "schema/operator_schema.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/concat.h"
#include "base/hash_map.h"
#include "base/status_macros.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace {

std::string AnnotationToString(const AliasAnnotation& annotation) {
  const absl::string_view mark = annotation.write ? "!" : "";
  if (annotation.before.empty() && annotation.after.empty()) {
    return std::string(mark);
  }
  std::string text = Concat("(", absl::StrJoin(annotation.before, "|"), mark);
  if (annotation.after != annotation.before) {
    ConcatTo(&text, " -> ", absl::StrJoin(annotation.after, "|"));
  }
  return Concat(text, ")");
}

// Prints a type while counting its places in preorder.
class TypePrinter {
 public:
  explicit TypePrinter(const AliasAnnotations& alias) : alias_(alias) {}

  void Append(const Type& type, std::string* out);

 private:
  void AppendChildren(const Type& type, std::string* out);

  const AliasAnnotations& alias_;
  size_t next_alias_ = 0;
  uint32_t next_place_ = 0;
};

void TypePrinter::Append(const Type& type, std::string* out) {
  const uint32_t place = next_place_++;
  const AliasAnnotation* annotation = nullptr;
  if (next_alias_ < alias_.size() && alias_[next_alias_].place == place) {
    annotation = &alias_[next_alias_++];
  }
  switch (type.kind()) {
    case TypeKind::kOptional:
      Append(type.child(), out);
      out->append("?");
      break;
    case TypeKind::kList:
      Append(type.child(), out);
      if (type.size() == 0) {
        out->append("[]");
      } else {
        ConcatTo(out, "[", type.size(), "]");
      }
      break;
    case TypeKind::kDict:
      out->append("Dict(");
      AppendChildren(type, out);
      out->append(")");
      break;
    case TypeKind::kFuture:
      out->append("Future(");
      AppendChildren(type, out);
      out->append(")");
      break;
    case TypeKind::kRRef:
      out->append("RRef(");
      AppendChildren(type, out);
      out->append(")");
      break;
    case TypeKind::kAwait:
      out->append("Await(");
      AppendChildren(type, out);
      out->append(")");
      break;
    case TypeKind::kTuple:
      out->append("(");
      AppendChildren(type, out);
      out->append(type.children().size() == 1 ? ",)" : ")");
      break;
    case TypeKind::kNamedTuple:
      out->append("NamedTuple(");
      AppendChildren(type, out);
      out->append(")");
      break;
    default:
      out->append(type.ToString());
      break;
  }
  if (annotation != nullptr) out->append(AnnotationToString(*annotation));
}

void TypePrinter::AppendChildren(const Type& type, std::string* out) {
  for (size_t i = 0; i < type.children().size(); ++i) {
    if (i > 0) out->append(", ");
    if (type.kind() == TypeKind::kNamedTuple) {
      ConcatTo(out, type.field_names()[i], " : ");
    }
    Append(type.child(i), out);
  }
}

std::string DefaultFloatToString(double d) {
  if (!std::isfinite(d)) return FloatToString(d);
  char buffer[40];
  // As `%.17g`, in whatever locale.
  const std::to_chars_result end = std::to_chars(
      buffer, buffer + sizeof buffer, d, std::chars_format::general, 17);
  std::string text(buffer, end.ptr);
  if (text.find_first_of(".e") == std::string::npos) text += '.';
  return text;
}

void AppendDefault(const Value& value, std::string* out) {
  switch (value.kind()) {
    case ValueKind::kFloat:
      out->append(DefaultFloatToString(value.float_value()));
      return;
    case ValueKind::kList:
    case ValueKind::kTuple: {
      const bool is_list = value.kind() == ValueKind::kList;
      out->append(is_list ? "[" : "(");
      for (size_t i = 0; i < value.elements().size(); ++i) {
        if (i > 0) out->append(", ");
        AppendDefault(value.elements()[i], out);
      }
      if (!is_list && value.elements().size() == 1) out->append(",");
      out->append(is_list ? "]" : ")");
      return;
    }
    case ValueKind::kDict:
      out->append("{");
      for (size_t i = 0; i + 1 < value.elements().size(); i += 2) {
        if (i > 0) out->append(", ");
        AppendDefault(value.elements()[i], out);
        out->append(": ");
        AppendDefault(value.elements()[i + 1], out);
      }
      out->append("}");
      return;
    default:
      out->append(value.ToString());
      return;
  }
}

void AppendArgument(const Argument& argument, std::string* out) {
  ConcatTo(out, TypeToString(argument.type, argument.alias), " ",
           argument.name);
  if (!argument.default_value.has_value()) return;
  out->append("=");
  if (argument.default_spelling.empty()) {
    AppendDefault(*argument.default_value, out);
  } else {
    out->append(argument.default_spelling);
  }
}

// Checks that lists at `T[n]`, n > 1, have 0 or n elements.
absl::Status CheckListLengths(const Value& value, const Type& type) {
  if (type.kind() == TypeKind::kOptional) {
    return CheckListLengths(value, type.child());
  }
  if (type.kind() != TypeKind::kList || value.kind() != ValueKind::kList) {
    return absl::OkStatus();
  }
  const size_t length = value.elements().size();
  if (type.size() > 1 && length != 0 &&
      length != static_cast<size_t>(type.size())) {
    return absl::InvalidArgumentError(
        Concat("expected 0 or ", type.size(), " elements for ", type.ToString(),
               ", found ", length, " in ", value.ToShortString()));
  }
  for (const Value& element : value.elements()) {
    OPCOMPAT_RETURN_IF_ERROR(CheckListLengths(element, type.child()));
  }
  return absl::OkStatus();
}

absl::Status CheckType(const Type& type, const AliasAnnotations& alias) {
  if (!IsWithinTypeLimits(type)) {
    return absl::InvalidArgumentError(
        Concat("the type is nested deeper than ", kMaxTypeDepth,
               " levels or has more than ", kMaxTypeParts, " parts"));
  }
  int64_t last_place = -1;
  for (const AliasAnnotation& annotation : alias) {
    if (annotation.place <= last_place ||
        annotation.place >= type.num_parts()) {
      return absl::InvalidArgumentError(
          Concat("expected alias annotations by rising place below ",
                 type.num_parts(), ", found place ", annotation.place));
    }
    last_place = annotation.place;
  }
  return absl::OkStatus();
}

// Checks the argument by itself and puts its default into the one form.
absl::Status CheckArgument(Argument* argument) {
  if (argument->name.empty()) {
    return absl::InvalidArgumentError("its name is empty");
  }
  OPCOMPAT_RETURN_IF_ERROR(CheckType(argument->type, argument->alias));
  if (!argument->default_value.has_value()) return absl::OkStatus();
  OPCOMPAT_ASSIGN_OR_RETURN(
      argument->default_value,
      CoerceLiteral(*argument->default_value, argument->type));
  return CheckListLengths(*argument->default_value, argument->type);
}

absl::Status Fault(absl::string_view name, absl::string_view overload,
                   absl::string_view what) {
  return absl::InvalidArgumentError(
      Concat(name, overload.empty() ? "" : ".", overload, ": ", what));
}

bool Holds(const std::vector<std::string>& set, const std::string& name) {
  return std::find(set.begin(), set.end(), name) != set.end();
}

}  // namespace

bool IsWritten(const AliasAnnotations& annotations) {
  for (const AliasAnnotation& annotation : annotations) {
    if (annotation.write) return true;
  }
  return false;
}

bool MentionsWildcard(const AliasAnnotations& alias) {
  return std::any_of(
      alias.begin(), alias.end(), [](const AliasAnnotation& annotation) {
        return Holds(annotation.before, "*") || Holds(annotation.after, "*");
      });
}

bool ShareASet(const AliasAnnotations& a, const AliasAnnotations& b) {
  for (const AliasAnnotation& x : a) {
    for (const AliasAnnotation& y : b) {
      for (const auto* names : {&x.before, &x.after}) {
        for (const std::string& name : *names) {
          if (Holds(y.before, name) || Holds(y.after, name)) return true;
        }
      }
    }
  }
  return false;
}

absl::StatusOr<OperatorSchema> OperatorSchema::Create(
    std::string name, std::string overload, std::vector<Argument> arguments,
    std::vector<Result> results, bool is_vararg, bool is_varret,
    SchemaSpelling spelling) {
  OPCOMPAT_ASSIGN_OR_RETURN(
      OperatorSchema schema,
      CreateLenient(std::move(name), std::move(overload), std::move(arguments),
                    std::move(results), is_vararg, is_varret, spelling));
  if (!schema.has_repeated_name_) return schema;
  HashSet<absl::string_view> names;
  for (const Argument& argument : schema.arguments_) {
    if (!names.insert(argument.name).second) {
      return Fault(schema.name_, schema.overload_,
                   Concat("expected argument names that differ, found `",
                          argument.name, "` twice"));
    }
  }
  return absl::InternalError("a repeated name that does not occur twice");
}

absl::StatusOr<OperatorSchema> OperatorSchema::CreateLenient(
    std::string name, std::string overload, std::vector<Argument> arguments,
    std::vector<Result> results, bool is_vararg, bool is_varret,
    SchemaSpelling spelling) {
  const auto fault = [&](auto... what) {
    return Fault(name, overload, Concat(what...));
  };
  const size_t colons = name.find("::");
  if (colons == std::string::npos || colons == 0 || colons + 2 == name.size()) {
    return fault("expected an operator name `namespace::name`");
  }
  OperatorSchema schema;
  HashSet<absl::string_view> names;
  const Argument* defaulted = nullptr;
  const Argument* keyword_only = nullptr;
  for (size_t i = 0; i < arguments.size(); ++i) {
    Argument& argument = arguments[i];
    if (absl::Status status = CheckArgument(&argument); !status.ok()) {
      return fault(
          "argument ",
          argument.name.empty() ? Concat(i) : Concat("`", argument.name, "`"),
          ": ", status.message());
    }
    if (!names.insert(argument.name).second) schema.has_repeated_name_ = true;
    if (argument.keyword_only) {
      keyword_only = &argument;
      continue;
    }
    if (keyword_only != nullptr) {
      return fault("the positional argument `", argument.name,
                   "` stands after the keyword-only `", keyword_only->name,
                   "`; keyword-only arguments come last");
    }
    if (argument.default_value.has_value()) {
      defaulted = &argument;
    } else if (defaulted != nullptr) {
      return fault("the positional argument `", argument.name,
                   "` has no default, but stands after `", defaulted->name,
                   "`, which has one; give it a default too, or make it "
                   "keyword-only");
    }
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (absl::Status status = CheckType(results[i].type, results[i].alias);
        !status.ok()) {
      return fault("result ", i, ": ", status.message());
    }
  }
  schema.name_ = std::move(name);
  schema.overload_ = std::move(overload);
  schema.arguments_ = std::move(arguments);
  schema.results_ = std::move(results);
  schema.is_vararg_ = is_vararg;
  schema.is_varret_ = is_varret;
  schema.spelling_ = spelling;
  return schema;
}

std::string OperatorSchema::full_name() const {
  return overload_.empty() ? name_ : Concat(name_, ".", overload_);
}

absl::optional<size_t> OperatorSchema::FindArgument(
    absl::string_view name) const {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_[i].name == name) return i;
  }
  return absl::nullopt;
}

std::string OperatorSchema::ToString() const {
  return SchemaToString(full_name(), arguments_, is_vararg_, results_,
                        is_varret_, spelling_);
}

std::string TypeToString(const Type& type, const AliasAnnotations& alias) {
  if (alias.empty()) return type.ToString();
  std::string text;
  TypePrinter(alias).Append(type, &text);
  return text;
}

std::string SchemaToString(absl::string_view full_name,
                           const std::vector<Argument>& arguments,
                           bool is_vararg, const std::vector<Result>& results,
                           bool is_varret, SchemaSpelling spelling) {
  std::string text = Concat(full_name, "(");
  absl::string_view separator = "";
  bool keyword_only = false;
  for (const Argument& argument : arguments) {
    text.append(separator.data(), separator.size());
    separator = ", ";
    if (argument.keyword_only && !keyword_only) {
      keyword_only = true;
      text += "*, ";
    }
    AppendArgument(argument, &text);
  }
  if (is_vararg) ConcatTo(&text, separator, "...");
  text += ") -> ";

  std::string list;
  separator = "";
  for (const Result& result : results) {
    ConcatTo(&list, separator, TypeToString(result.type, result.alias),
             result.name.empty() ? "" : " ", result.name);
    separator = ", ";
  }
  if (is_varret) ConcatTo(&list, separator, "...");
  // A lone tuple without parentheses would read as several results.
  const bool is_lone = results.size() + (is_varret ? 1 : 0) == 1;
  if (is_lone && !spelling.single_result_in_parentheses && list[0] != '(') {
    return Concat(text, list);
  }
  return Concat(text, "(", list, ")");
}

std::string DefaultToString(const Value& value) {
  std::string text;
  AppendDefault(value, &text);
  return text;
}

}  // namespace opcompat
