#include "compat_matrix/oracle/values.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace opcompat {
namespace oracle {
namespace {

absl::optional<Value> Related(const Value& value, const Type& from,
                              const Type& to);

// The float that is exactly `i`.
absl::optional<Value> FloatOfInt(int64_t i) {
  const double d = static_cast<double>(i);
  // 2^63 itself is no int64.
  if (d >= 9223372036854775808.0) return absl::nullopt;
  if (static_cast<int64_t>(d) != i) return absl::nullopt;
  return Value::Float(d);
}

// The int whose float is `value`, bit for bit: -0.0 has none.
absl::optional<Value> IntOfFloat(const Value& value) {
  const double d = value.float_value();
  if (!(d >= -9223372036854775808.0 && d < 9223372036854775808.0)) {
    return absl::nullopt;
  }
  const int64_t i = static_cast<int64_t>(d);
  const absl::optional<Value> back = FloatOfInt(i);
  if (!back.has_value() || *back != value) return absl::nullopt;
  return Value::Int(i);
}

enum class Kind { kInt, kEnum, kFloat, kBool, kComplex, kScalar, kOther };

Kind KindOf(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kInt:
    case TypeKind::kSymInt:
      return Kind::kInt;
    case TypeKind::kFloat:
    case TypeKind::kSymFloat:
      return Kind::kFloat;
    case TypeKind::kBool:
    case TypeKind::kSymBool:
      return Kind::kBool;
    case TypeKind::kComplex:
      return Kind::kComplex;
    case TypeKind::kScalar:
      return Kind::kScalar;
    default:
      return IsEnumKind(type.kind()) ? Kind::kEnum : Kind::kOther;
  }
}

// What is neither optional nor a container.
absl::optional<Value> RelatedAtom(const Value& value, const Type& from,
                                  const Type& to) {
  const Kind a = KindOf(from);
  const Kind b = KindOf(to);
  const bool is_int = value.kind() == ValueKind::kInt;
  const bool is_float = value.kind() == ValueKind::kFloat;
  bool same = false;
  if (a == b) {
    same = (a != Kind::kEnum && a != Kind::kOther) || from == to;
  } else if (a == Kind::kInt && b == Kind::kFloat) {
    return is_int ? FloatOfInt(value.int_value()) : absl::nullopt;
  } else if (a == Kind::kFloat && b == Kind::kInt) {
    return is_float ? IntOfFloat(value) : absl::nullopt;
  } else if ((a == Kind::kInt && b == Kind::kEnum) ||
             (a == Kind::kEnum && b == Kind::kInt)) {
    same = is_int;
  } else if (b == Kind::kScalar) {
    same = a == Kind::kInt || a == Kind::kFloat || a == Kind::kComplex;
  } else if (a == Kind::kScalar) {
    // Scalar 2.0 is a float and nothing else.
    same = (b == Kind::kInt && is_int) || (b == Kind::kFloat && is_float) ||
           (b == Kind::kComplex && value.kind() == ValueKind::kComplex);
  }
  if (!same) return absl::nullopt;
  return value;
}

absl::optional<Value> RelatedList(const Value& value, const Type& from,
                                  const Type& to) {
  const bool from_list = from.kind() == TypeKind::kList;
  const bool to_list = to.kind() == TypeKind::kList;
  if (from_list && to_list) {
    // None is no list, but a default at `T?[]`; of such it is itself.
    if (value.is_none() && from == to) return value;
    if (value.kind() != ValueKind::kList) return absl::nullopt;
    std::vector<Value> elements;
    for (const Value& element : value.elements()) {
      absl::optional<Value> related =
          Related(element, from.child(), to.child());
      if (!related.has_value()) return absl::nullopt;
      elements.push_back(*std::move(related));
    }
    return Value::List(std::move(elements));
  }
  if (to_list) {
    // A lone value is n copies. (A default of `int[1000000]` has that many.)
    if (to.size() == 0) return absl::nullopt;
    absl::optional<Value> element = Related(value, from, to.child());
    if (!element.has_value()) return absl::nullopt;
    return Value::List(
        std::vector<Value>(static_cast<size_t>(to.size()), *element));
  }
  // n copies are a lone value.
  if (from.size() == 0 || value.kind() != ValueKind::kList ||
      value.elements().size() != static_cast<size_t>(from.size())) {
    return absl::nullopt;
  }
  for (const Value& element : value.elements()) {
    if (element != value.elements()[0]) return absl::nullopt;
  }
  return Related(value.elements()[0], from.child(), to);
}

absl::optional<Value> RelatedTuple(const Value& value, const Type& from,
                                   const Type& to) {
  if (from.kind() != to.kind() || value.kind() != ValueKind::kTuple ||
      from.children().size() != to.children().size() ||
      from.field_names() != to.field_names() ||
      value.elements().size() != from.children().size()) {
    return absl::nullopt;
  }
  std::vector<Value> elements;
  for (size_t i = 0; i < value.elements().size(); ++i) {
    absl::optional<Value> related =
        Related(value.elements()[i], from.child(i), to.child(i));
    if (!related.has_value()) return absl::nullopt;
    elements.push_back(*std::move(related));
  }
  return Value::Tuple(std::move(elements));
}

absl::optional<Value> RelatedDict(const Value& value, const Type& from,
                                  const Type& to) {
  if (from.kind() != to.kind() || value.kind() != ValueKind::kDict) {
    return absl::nullopt;
  }
  std::vector<Value> items;
  for (size_t i = 0; i < value.elements().size(); ++i) {
    absl::optional<Value> related =
        Related(value.elements()[i], from.child(i % 2), to.child(i % 2));
    if (!related.has_value()) return absl::nullopt;
    items.push_back(*std::move(related));
  }
  return Value::Dict(std::move(items));
}

// Recursion is bounded by the depth of types.
absl::optional<Value> Related(const Value& value, const Type& from,
                              const Type& to) {
  if (from.kind() == TypeKind::kOptional || to.kind() == TypeKind::kOptional) {
    const bool to_optional = to.kind() == TypeKind::kOptional;
    if (value.is_none() && (from.kind() == TypeKind::kOptional ||
                            from.kind() == TypeKind::kNone)) {
      // None is a value of no other type.
      return to_optional || to.kind() == TypeKind::kNone
                 ? absl::optional<Value>(value)
                 : absl::nullopt;
    }
    return Related(
        value, from.kind() == TypeKind::kOptional ? Type(from.child()) : from,
        to_optional ? Type(to.child()) : to);
  }
  if (value.kind() == ValueKind::kWord || from.kind() == TypeKind::kNamed ||
      to.kind() == TypeKind::kNamed) {
    return absl::nullopt;
  }
  if (from.kind() == TypeKind::kList || to.kind() == TypeKind::kList) {
    return RelatedList(value, from, to);
  }
  switch (from.kind()) {
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple:
      return RelatedTuple(value, from, to);
    case TypeKind::kDict:
      return RelatedDict(value, from, to);
    default:
      return RelatedAtom(value, from, to);
  }
}

// Without equal values.
bool SameAsWritten(const Constant& a, const Constant& b) {
  // What cannot be decoded equals its own bytes.
  if (a.type == b.type) return a.value == b.value;
  const absl::optional<Value> related = RelatedValue(a, b.type);
  return related.has_value() && *related == b.value;
}

// What `constant` means by one of `equals`, or nullopt: itself.
absl::optional<Constant> Meaning(const Constant& constant,
                                 const std::vector<EqualValues>& equals) {
  for (const EqualValues& equal : equals) {
    if (SameAsWritten(constant, {equal.value.type, equal.value.value})) {
      return Constant{equal.means.type, equal.means.value};
    }
  }
  return absl::nullopt;
}

// Each pass replaces by one declaration; more passes than declarations would
// go round in a circle.
Constant Normal(Constant constant, const std::vector<EqualValues>& equals) {
  for (size_t i = 0; i < equals.size(); ++i) {
    absl::optional<Constant> meaning = Meaning(constant, equals);
    if (!meaning.has_value()) break;
    constant = *std::move(meaning);
  }
  return constant;
}

}  // namespace

absl::optional<Value> RelatedValue(const Constant& constant, const Type& to) {
  return Related(constant.value, constant.type, to);
}

bool SameValue(const Constant& a, const Constant& b,
               const std::vector<EqualValues>& equals) {
  return SameAsWritten(a, b) ||
         SameAsWritten(Normal(a, equals), Normal(b, equals));
}

absl::optional<Value> FittedValue(Constant constant, const Type& to,
                                  const std::vector<EqualValues>& equals) {
  for (size_t i = 0; i <= equals.size(); ++i) {
    absl::optional<Value> related = RelatedValue(constant, to);
    if (related.has_value()) return related;
    absl::optional<Constant> meaning = Meaning(constant, equals);
    if (!meaning.has_value()) break;
    constant = *std::move(meaning);
  }
  return absl::nullopt;
}

}  // namespace oracle
}  // namespace opcompat
