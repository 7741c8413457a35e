#include "compat_matrix/simulation/operator_model.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "schema/typing.h"

namespace opcompat {
namespace simulation {

std::string OperatorModel::Schema() const {
  std::string text = absl::StrCat(name, "(");
  const char* separator = "";
  bool keyword_only = false;
  for (const ArgumentModel& argument : arguments) {
    if (argument.keyword_only && !keyword_only) {
      absl::StrAppend(&text, separator, "*");
      separator = ", ";
      keyword_only = true;
    }
    const bool viewed = has_view_marks && argument.name == "x";
    absl::StrAppend(&text, separator, argument.type.ToString(),
                    argument.is_out ? "(a!)"
                    : viewed        ? "(a)"
                                    : "",
                    " ", argument.name);
    if (argument.default_value.has_value()) {
      absl::StrAppend(&text, "=", argument.default_value->ToString());
    }
    separator = ", ";
  }
  if (is_vararg) absl::StrAppend(&text, separator, "...");
  absl::StrAppend(&text, ") -> ");
  const bool has_out =
      std::any_of(arguments.begin(), arguments.end(),
                  [](const ArgumentModel& a) { return a.is_out; });
  const bool parentheses = results.size() != 1 || !results[0].name.empty();
  if (parentheses) absl::StrAppend(&text, "(");
  for (size_t i = 0; i < results.size(); ++i) {
    const char* marks = i > 0            ? ""
                        : has_out        ? "(a!)"
                        : has_view_marks ? "(a)"
                                         : "";
    absl::StrAppend(&text, i > 0 ? ", " : "", results[i].type.ToString(), marks,
                    results[i].name.empty() ? "" : " ", results[i].name);
  }
  if (parentheses) absl::StrAppend(&text, ")");
  return text;
}

ArgumentModel* OperatorModel::Find(const std::string& argument_name) {
  for (ArgumentModel& argument : arguments) {
    if (argument.name == argument_name) return &argument;
  }
  return nullptr;
}

bool OperatorModel::IsSimple() const {
  const auto is_tensor = [](const Type& type) {
    return type.kind() == TypeKind::kTensor;
  };
  return !is_vararg && !has_view_marks && !results.empty() &&
         std::none_of(arguments.begin(), arguments.end(),
                      [](const ArgumentModel& a) {
                        return a.is_out || HasVariables(a.type);
                      }) &&
         std::all_of(results.begin(), results.end(),
                     [&](const ResultModel& r) { return is_tensor(r.type); });
}

bool CanMakeValue(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kInt:
    case TypeKind::kFloat:
    case TypeKind::kBool:
    case TypeKind::kComplex:
    case TypeKind::kString:
    case TypeKind::kScalar:
    case TypeKind::kScalarType:
    case TypeKind::kLayout:
    case TypeKind::kMemoryFormat:
    case TypeKind::kDevice:
    case TypeKind::kSymInt:
      return true;
    case TypeKind::kOptional:
      return type.child().kind() == TypeKind::kTensor ||
             CanMakeValue(type.child());
    case TypeKind::kList:
      return CanMakeValue(type.child());
    default:
      return false;
  }
}

Value AnyValue(const Type& type, Random* random) {
  switch (type.kind()) {
    case TypeKind::kInt:
    case TypeKind::kSymInt:
      return Value::Int(random->Pick<int64_t>(
          {0, 0, 1, 1, 2, 3, -1, std::numeric_limits<int64_t>::min(),
           std::numeric_limits<int64_t>::max()}));
    case TypeKind::kFloat: {
      const double infinity = std::numeric_limits<double>::infinity();
      switch (random->Below(9)) {
        case 0:
          return Value::Float(-0.0);
        case 1:
          return Value::FloatBits(0x7ff8000000000000);  // nan
        case 2:
          return Value::Float(random->OneIn(2) ? infinity : -infinity);
        default:
          return Value::Float(
              random->Pick<double>({0.0, 0.0, 1.0, 2.0, 0.1, 1e-05}));
      }
    }
    case TypeKind::kBool:
      return Value::Bool(random->OneIn(2));
    case TypeKind::kComplex: {
      // (One after the other: the order of arguments is no order.)
      const double real = random->OneIn(2) ? 1.0 : 0.0;
      const double imag = random->OneIn(2) ? 2.0 : -0.0;
      return Value::Complex(real, imag);
    }
    case TypeKind::kString:
      return Value::String(
          random->Pick<std::string>({"", "sum", "mean", "\xc3\xa9 \"q\"\n"}));
    case TypeKind::kScalar:
      return AnyValue(
          Type(random->OneIn(2) ? TypeKind::kInt : TypeKind::kFloat), random);
    case TypeKind::kScalarType:
    case TypeKind::kLayout:
    case TypeKind::kMemoryFormat:
      return Value::Int(static_cast<int64_t>(random->Below(3)));
    case TypeKind::kDevice:
      return Value::String(random->OneIn(2) ? "cpu" : "cuda:0");
    case TypeKind::kOptional:
      return !CanMakeValue(type.child()) || random->OneIn(3)
                 ? Value::None()
                 : AnyValue(type.child(), random);
    case TypeKind::kList: {
      // All but 0 or n elements can be no default of `T[n]`.
      const size_t size =
          type.size() > 0 ? static_cast<size_t>(type.size()) : random->Below(3);
      std::vector<Value> elements;
      for (size_t i = 0; i < size; ++i) {
        elements.push_back(AnyValue(type.child(), random));
      }
      return Value::List(std::move(elements));
    }
    default:
      return Value::None();
  }
}

Type AnyType(Random* random) {
  const auto kind = [](TypeKind k) { return Type(k); };
  static constexpr TypeKind kRare[] = {
      TypeKind::kComplex,      TypeKind::kScalarType, TypeKind::kLayout,
      TypeKind::kMemoryFormat, TypeKind::kDevice,     TypeKind::kSymInt};
  switch (random->Below(14)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return kind(TypeKind::kInt);
    case 4:
    case 5:
      return kind(TypeKind::kFloat);
    case 6:
      return kind(TypeKind::kBool);
    case 7:
      return kind(TypeKind::kString);
    case 8:
      return kind(TypeKind::kScalar);
    case 9: {
      const Type element =
          kind(random->OneIn(3) ? TypeKind::kFloat : TypeKind::kInt);
      return Type::List(element, random->OneIn(2) ? 2 : 0);
    }
    case 10:
      return Type::Optional(kind(random->Pick<TypeKind>(
          {TypeKind::kInt, TypeKind::kFloat, TypeKind::kBool,
           TypeKind::kScalarType, TypeKind::kTensor})));
    case 11:
      return Type::Optional(Type::List(kind(TypeKind::kInt)));
    case 12:
      return random->OneIn(2) ? Type::List(kind(TypeKind::kBool), 3)
                              : Type::List(kind(TypeKind::kString));
    default:
      return kind(kRare[random->Below(sizeof kRare / sizeof kRare[0])]);
  }
}

std::string EscapedLiteral(const Value& value) {
  return absl::CHexEscape(value.ToString());
}

}  // namespace simulation
}  // namespace opcompat
