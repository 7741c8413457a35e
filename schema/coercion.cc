#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "base/concat.h"
#include "base/hash_map.h"
#include "base/status_macros.h"
#include "schema/enum_words.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// How many copies a lone n at `T[n]` may become, over one literal: a few bytes
// must not ask for gigabytes.
constexpr int64_t kMaxCopies = 1 << 16;

absl::Status TooDeep(absl::string_view what) {
  return absl::InvalidArgumentError(Concat(what, " is nested deeper than ",
                                           kMaxTypeDepth,
                                           " levels or has too many parts"));
}

absl::Status Expected(const Type& type, const Value& found) {
  return absl::InvalidArgumentError(Concat("expected ", type.ToShortString(),
                                           ", found ", found.ToShortString()));
}

absl::Status AtElement(const absl::Status& status, size_t i) {
  return absl::InvalidArgumentError(
      Concat(status.message(), " as element ", i));
}

bool HasElements(const Value& value) {
  return value.kind() == ValueKind::kList ||
         value.kind() == ValueKind::kTuple || value.kind() == ValueKind::kDict;
}

// `seen` has containers without words that were looked at: parts may be shared,
// and a few of them describe millions.
bool MentionsWord(const Value& value, HashSet<Value>* seen, uint64_t* steps) {
  ++*steps;
  if (value.kind() == ValueKind::kWord) return true;
  if (!HasElements(value) || seen->contains(value)) return false;
  for (const Value& element : value.elements()) {
    if (MentionsWord(element, seen, steps)) return true;
  }
  seen->insert(value);
  return false;
}

// The double that is exactly `i`, if there is one.
absl::optional<double> ExactDouble(int64_t i) {
  const double d = static_cast<double>(i);
  // 2^63 is a double, but no int64.
  if (d >= 9223372036854775808.0 || static_cast<int64_t>(d) != i) {
    return absl::nullopt;
  }
  return d;
}

class Coercion {
 public:
  absl::StatusOr<Value> Coerce(const Value& literal, const Type& type);
  uint64_t steps() const { return steps_; }

 private:
  // Part of a container: one that is shared is coerced once, and what comes out
  // is shared again.
  absl::StatusOr<Value> CoercePart(const Value& part, const Type& type);
  absl::StatusOr<Value> CoerceFloat(const Value& literal, const Type& type);
  absl::StatusOr<Value> CoerceComplex(const Value& literal, const Type& type);
  absl::StatusOr<Value> CoerceEnum(const Value& literal, const Type& type);
  absl::StatusOr<Value> CoerceList(const Value& literal, const Type& type);
  absl::StatusOr<Value> CoerceTuple(const Value& literal, const Type& type);
  absl::StatusOr<Value> CoerceDict(const Value& literal, const Type& type);

  int64_t copies_ = 0;
  uint64_t steps_ = 0;
  HashMap<std::pair<Value, Type>, Value> parts_;
};

absl::StatusOr<Value> Coercion::CoercePart(const Value& part,
                                           const Type& type) {
  if (!HasElements(part)) return Coerce(part, type);
  const auto found = parts_.find(std::make_pair(part, type));
  if (found != parts_.end()) return found->second;
  absl::StatusOr<Value> coerced = Coerce(part, type);
  if (coerced.ok()) parts_.emplace(std::make_pair(part, type), *coerced);
  return coerced;
}

absl::StatusOr<Value> Coercion::Coerce(const Value& literal, const Type& type) {
  ++steps_;
  const auto require = [&](ValueKind kind) -> absl::StatusOr<Value> {
    if (literal.kind() != kind) return Expected(type, literal);
    return literal;
  };
  switch (type.kind()) {
    case TypeKind::kNamed:
      return literal;
    case TypeKind::kAny:
    case TypeKind::kVariable: {
      // What a word stands for is not known without its type.
      HashSet<Value> seen;
      if (MentionsWord(literal, &seen, &steps_)) return Expected(type, literal);
      return literal;
    }
    case TypeKind::kNone:
      return require(ValueKind::kNone);
    case TypeKind::kOptional:
      if (literal.is_none()) return literal;
      return Coerce(literal, type.child());
    case TypeKind::kInt:
      // The words of Reduction have no type of their own in schemas: the
      // argument is an int.
      if (literal.kind() == ValueKind::kWord) {
        if (const auto number =
                EnumNumber(TypeKind::kReduction, literal.string_value())) {
          return Value::Int(*number);
        }
      }
      return require(ValueKind::kInt);
    case TypeKind::kSymInt:
      return require(ValueKind::kInt);
    case TypeKind::kBool:
    case TypeKind::kSymBool:
      return require(ValueKind::kBool);
    case TypeKind::kFloat:
    case TypeKind::kSymFloat:
      return CoerceFloat(literal, type);
    case TypeKind::kComplex:
      return CoerceComplex(literal, type);
    case TypeKind::kScalar:
      switch (literal.kind()) {
        case ValueKind::kInt:
        case ValueKind::kFloat:
        case ValueKind::kComplex:
        case ValueKind::kBool:
          return literal;
        default:
          return Expected(type, literal);
      }
    case TypeKind::kString:
    case TypeKind::kDevice:
    case TypeKind::kDimname:
      return require(ValueKind::kString);
    case TypeKind::kScalarType:
    case TypeKind::kLayout:
    case TypeKind::kMemoryFormat:
    case TypeKind::kReduction:
      return CoerceEnum(literal, type);
    case TypeKind::kQScheme:
      return require(ValueKind::kWord);
    case TypeKind::kTensor:
      return require(ValueKind::kTensor);
    case TypeKind::kList:
      return CoerceList(literal, type);
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple:
      return CoerceTuple(literal, type);
    case TypeKind::kDict:
      return CoerceDict(literal, type);
    case TypeKind::kGenerator:
    case TypeKind::kStorage:
    case TypeKind::kStream:
    case TypeKind::kFuture:
    case TypeKind::kRRef:
    case TypeKind::kAwait:
      break;  // Nothing that a literal can spell.
  }
  return Expected(type, literal);
}

absl::StatusOr<Value> Coercion::CoerceFloat(const Value& literal,
                                            const Type& type) {
  if (literal.kind() == ValueKind::kFloat) return literal;
  if (literal.kind() == ValueKind::kInt) {
    if (const auto exact = ExactDouble(literal.int_value())) {
      return Value::Float(*exact);
    }
  }
  return Expected(type, literal);
}

absl::StatusOr<Value> Coercion::CoerceComplex(const Value& literal,
                                              const Type& type) {
  if (literal.kind() == ValueKind::kComplex) return literal;
  if (literal.kind() == ValueKind::kFloat) {
    return Value::Complex(literal.float_value(), 0.0);
  }
  if (literal.kind() == ValueKind::kInt) {
    if (const auto exact = ExactDouble(literal.int_value())) {
      return Value::Complex(*exact, 0.0);
    }
  }
  return Expected(type, literal);
}

absl::StatusOr<Value> Coercion::CoerceEnum(const Value& literal,
                                           const Type& type) {
  switch (literal.kind()) {
    case ValueKind::kInt:
      return literal;
    case ValueKind::kWord:
      if (const auto number = EnumNumber(type.kind(), literal.string_value())) {
        return Value::Int(*number);
      }
      return literal;
    case ValueKind::kNone:
      if (const auto number = EnumNumber(type.kind(), "None")) {
        return Value::Int(*number);
      }
      break;
    default:
      break;
  }
  return Expected(type, literal);
}

absl::StatusOr<Value> Coercion::CoerceList(const Value& literal,
                                           const Type& type) {
  const Type& element_type = type.child();
  if (literal.kind() == ValueKind::kList) {
    // Any literal fits it as it is.
    if (element_type.kind() == TypeKind::kNamed) return literal;
    std::vector<Value> elements;
    elements.reserve(literal.elements().size());
    for (const Value& element : literal.elements()) {
      absl::StatusOr<Value> coerced = CoercePart(element, element_type);
      if (!coerced.ok()) return AtElement(coerced.status(), elements.size());
      elements.push_back(*std::move(coerced));
    }
    return Value::List(std::move(elements));
  }
  if (literal.is_none() && element_type.kind() == TypeKind::kOptional) {
    return literal;
  }
  if (type.size() <= 0 || literal.is_none() || HasElements(literal) ||
      literal.kind() == ValueKind::kTensor) {
    return Expected(type, literal);
  }
  absl::StatusOr<Value> lone = Coerce(literal, element_type);
  // `1` at `int[2][2]` is not four ones.
  if (!lone.ok() || HasElements(*lone)) return Expected(type, literal);
  if (type.size() > kMaxCopies - copies_) {
    return absl::InvalidArgumentError(
        Concat("a lone ", literal.ToShortString(), " at ", type.ToShortString(),
               " stands for too many copies; at most ", kMaxCopies,
               " are possible in one literal"));
  }
  copies_ += type.size();
  return Value::List(std::vector<Value>(type.size(), *lone));
}

absl::StatusOr<Value> Coercion::CoerceTuple(const Value& literal,
                                            const Type& type) {
  if (literal.kind() != ValueKind::kTuple ||
      literal.elements().size() != type.children().size()) {
    return Expected(type, literal);
  }
  std::vector<Value> elements;
  elements.reserve(literal.elements().size());
  for (const Value& element : literal.elements()) {
    const size_t i = elements.size();
    absl::StatusOr<Value> coerced = CoercePart(element, type.child(i));
    if (!coerced.ok()) return AtElement(coerced.status(), i);
    elements.push_back(*std::move(coerced));
  }
  return Value::Tuple(std::move(elements));
}

absl::StatusOr<Value> Coercion::CoerceDict(const Value& literal,
                                           const Type& type) {
  if (literal.kind() != ValueKind::kDict) return Expected(type, literal);
  const absl::Span<const Value> items = literal.elements();
  if (items.size() % 2 != 0) return Expected(type, literal);
  std::vector<Value> elements;
  elements.reserve(items.size());
  HashSet<Value> keys;
  for (size_t i = 0; i < items.size(); ++i) {
    absl::StatusOr<Value> coerced = CoercePart(items[i], type.child(i % 2));
    if (!coerced.ok()) return AtElement(coerced.status(), i / 2);
    if (i % 2 == 0 && !keys.insert(*coerced).second) {
      return absl::InvalidArgumentError(
          Concat("the key ", coerced->ToShortString(), " stands twice in ",
                 literal.ToShortString()));
    }
    elements.push_back(*std::move(coerced));
  }
  return Value::Dict(std::move(elements));
}

// The type that a literal has of itself.
class OwnType {
 public:
  // Precondition: within the limits of values.
  absl::StatusOr<Type> Of(const Value& literal);
  uint64_t steps() const { return steps_; }

 private:
  // Part of a container: one that is shared is looked at once.
  absl::StatusOr<Type> OfPart(const Value& part);
  // The type that every `step`th element of `container`, from `first` on, has;
  // beside elements of type T, None makes it T?.
  absl::StatusOr<Type> Common(const Value& container, size_t first,
                              size_t step);

  HashMap<Value, Type> parts_;
  uint64_t steps_ = 0;
};

absl::StatusOr<Type> OwnType::OfPart(const Value& part) {
  if (!HasElements(part)) return Of(part);
  const auto found = parts_.find(part);
  if (found != parts_.end()) return found->second;
  absl::StatusOr<Type> type = Of(part);
  if (type.ok()) parts_.emplace(part, *type);
  return type;
}

absl::StatusOr<Type> OwnType::Common(const Value& container, size_t first,
                                     size_t step) {
  const absl::Span<const Value> elements = container.elements();
  if (elements.empty()) {
    return absl::InvalidArgumentError(
        Concat("nothing says of which type the elements of ",
               container.ToShortString(), " are"));
  }
  absl::optional<Type> common;
  bool has_none = false;
  for (size_t i = first; i < elements.size(); i += step) {
    if (elements[i].is_none()) {
      has_none = true;
      continue;
    }
    OPCOMPAT_ASSIGN_OR_RETURN(Type type, OfPart(elements[i]));
    if (common.has_value() && *common != type) {
      return absl::InvalidArgumentError(Concat(
          "expected elements of one type, found ", common->ToShortString(),
          " and ", type.ToShortString(), " in ", container.ToShortString()));
    }
    common = std::move(type);
  }
  if (!common.has_value()) return Type(TypeKind::kNone);
  return has_none ? Type::Optional(*std::move(common)) : *std::move(common);
}

absl::StatusOr<Type> OwnType::Of(const Value& literal) {
  ++steps_;
  switch (literal.kind()) {
    case ValueKind::kNone:
      return Type(TypeKind::kNone);
    case ValueKind::kBool:
      return Type(TypeKind::kBool);
    case ValueKind::kInt:
      return Type(TypeKind::kInt);
    case ValueKind::kFloat:
      return Type(TypeKind::kFloat);
    case ValueKind::kComplex:
      return Type(TypeKind::kComplex);
    case ValueKind::kString:
      return Type(TypeKind::kString);
    case ValueKind::kTensor:
      return Type(TypeKind::kTensor);
    case ValueKind::kWord:
      return absl::InvalidArgumentError(
          Concat("nothing says of which type the word ",
                 literal.ToShortString(), " is"));
    case ValueKind::kList: {
      OPCOMPAT_ASSIGN_OR_RETURN(Type element, Common(literal, 0, 1));
      return Type::List(std::move(element));
    }
    case ValueKind::kDict: {
      OPCOMPAT_ASSIGN_OR_RETURN(Type key, Common(literal, 0, 2));
      OPCOMPAT_ASSIGN_OR_RETURN(Type value, Common(literal, 1, 2));
      return Type::Dict(std::move(key), std::move(value));
    }
    case ValueKind::kTuple: {
      // Before as many types are made.
      if (literal.elements().size() >= static_cast<size_t>(kMaxTypeParts)) {
        return TooDeep("the type of a literal");
      }
      std::vector<Type> elements;
      elements.reserve(literal.elements().size());
      for (const Value& element : literal.elements()) {
        OPCOMPAT_ASSIGN_OR_RETURN(Type type, OfPart(element));
        elements.push_back(std::move(type));
      }
      return Type::Tuple(std::move(elements));
    }
  }
  return absl::InternalError("a literal of no kind");
}

}  // namespace

absl::StatusOr<Value> CoerceLiteral(const Value& literal, const Type& type,
                                    uint64_t* steps) {
  if (!IsWithinValueLimits(literal)) return TooDeep("a literal");
  if (!IsWithinTypeLimits(type)) return TooDeep("a type");
  Coercion coercion;
  absl::StatusOr<Value> coerced = coercion.Coerce(literal, type);
  if (steps != nullptr) *steps += coercion.steps();
  return coerced;
}

absl::StatusOr<Type> TypeOfLiteral(const Value& literal, uint64_t* steps) {
  if (!IsWithinValueLimits(literal)) return TooDeep("a literal");
  OwnType own;
  OPCOMPAT_ASSIGN_OR_RETURN(Type type, own.Of(literal));
  if (steps != nullptr) *steps += own.steps();
  if (!IsWithinTypeLimits(type)) return TooDeep("the type of a literal");
  return type;
}

}  // namespace opcompat
