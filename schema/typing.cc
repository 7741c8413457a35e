#include "schema/typing.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "schema/type.h"

namespace opcompat {
namespace {

// How a type stands to an expected one; the better, the greater.
enum class Fit {
  kNone,
  kSubtype,
  kSame,  // up to spellings of one type
};

// The kind that stands for all spellings of one type.
TypeKind OneKind(TypeKind kind) {
  switch (kind) {
    case TypeKind::kSymInt:
      return TypeKind::kInt;
    case TypeKind::kSymFloat:
      return TypeKind::kFloat;
    case TypeKind::kSymBool:
      return TypeKind::kBool;
    default:
      return IsEnumKind(kind) ? TypeKind::kInt : kind;
  }
}

class Subtyping {
 public:
  // `variables` may be null: then those of the expected type are opaque.
  Subtyping(TypeVariables* variables, bool* covariant)
      : variables_(variables), covariant_(covariant) {}

  Fit Compare(const Type& value, const Type& expected);

 private:
  Fit CompareVariable(const Type& value, const std::string& name);
  Fit CompareTuple(const Type& value, const Type& expected);
  // Of the elements of containers that are no tuples.
  Fit CompareElement(const Type& value, const Type& expected);

  TypeVariables* const variables_;
  bool* const covariant_;
};

Fit Subtyping::Compare(const Type& value, const Type& expected) {
  // No walk where types are shared: a few can describe thousands of parts.
  if ((variables_ == nullptr || !expected.has_variables()) &&
      value == expected) {
    return Fit::kSame;
  }
  if (expected.kind() == TypeKind::kVariable && variables_ != nullptr) {
    return CompareVariable(value, expected.name());
  }
  if (expected.kind() == TypeKind::kAny) {
    return value.kind() == TypeKind::kAny ? Fit::kSame : Fit::kSubtype;
  }
  if (expected.kind() == TypeKind::kOptional) {
    if (value.kind() == TypeKind::kOptional) {
      return Compare(value.child(), expected.child());
    }
    if (value.kind() == TypeKind::kNone) return Fit::kSubtype;
    return Compare(value, expected.child()) == Fit::kNone ? Fit::kNone
                                                          : Fit::kSubtype;
  }
  const TypeKind kind = OneKind(value.kind());
  if (expected.kind() == TypeKind::kScalar) {
    if (kind == TypeKind::kScalar) return Fit::kSame;
    return kind == TypeKind::kInt || kind == TypeKind::kFloat ||
                   kind == TypeKind::kComplex
               ? Fit::kSubtype
               : Fit::kNone;
  }
  if (expected.kind() == TypeKind::kTuple ||
      expected.kind() == TypeKind::kNamedTuple) {
    return CompareTuple(value, expected);
  }
  if (kind != OneKind(expected.kind())) return Fit::kNone;
  switch (kind) {
    case TypeKind::kNamed:
    case TypeKind::kVariable:
      return value.name() == expected.name() ? Fit::kSame : Fit::kNone;
    case TypeKind::kList:
      return CompareElement(value.child(), expected.child());
    case TypeKind::kDict:
      if (Compare(value.child(0), expected.child(0)) != Fit::kSame) {
        return Fit::kNone;
      }
      return CompareElement(value.child(1), expected.child(1));
    case TypeKind::kFuture:
    case TypeKind::kRRef:
    case TypeKind::kAwait:
      return Compare(value.child(), expected.child()) == Fit::kSame
                 ? Fit::kSame
                 : Fit::kNone;
    default:
      return Fit::kSame;
  }
}

Fit Subtyping::CompareVariable(const Type& value, const std::string& name) {
  const auto [it, is_new] = variables_->try_emplace(name, value);
  if (is_new) return Fit::kSame;
  Subtyping plain(nullptr, covariant_);
  const Fit fit = plain.Compare(value, it->second);
  if (fit != Fit::kNone) return fit;
  if (plain.Compare(it->second, value) == Fit::kNone) return Fit::kNone;
  it->second = value;
  return Fit::kSame;
}

Fit Subtyping::CompareTuple(const Type& value, const Type& expected) {
  const bool names_matter = expected.kind() == TypeKind::kNamedTuple;
  if (names_matter ? value.kind() != TypeKind::kNamedTuple ||
                         value.field_names() != expected.field_names()
                   : value.kind() != TypeKind::kTuple &&
                         value.kind() != TypeKind::kNamedTuple) {
    return Fit::kNone;
  }
  if (value.children().size() != expected.children().size()) return Fit::kNone;
  Fit fit = value.kind() == expected.kind() ? Fit::kSame : Fit::kSubtype;
  for (size_t i = 0; i < value.children().size(); ++i) {
    fit = std::min(fit, Compare(value.child(i), expected.child(i)));
    if (fit == Fit::kNone) break;
  }
  return fit;
}

Fit Subtyping::CompareElement(const Type& value, const Type& expected) {
  const Fit fit = Compare(value, expected);
  if (fit == Fit::kSubtype && covariant_ != nullptr) *covariant_ = true;
  return fit;
}

Type SubstituteIn(const Type& type, const TypeVariables& variables);

std::vector<Type> SubstituteInAll(const std::vector<Type>& types,
                                  const TypeVariables& variables) {
  std::vector<Type> result;
  result.reserve(types.size());
  for (const Type& type : types) {
    result.push_back(SubstituteIn(type, variables));
  }
  return result;
}

Type SubstituteIn(const Type& type, const TypeVariables& variables) {
  switch (type.kind()) {
    case TypeKind::kVariable: {
      const auto it = variables.find(type.name());
      return it == variables.end() ? type : it->second;
    }
    case TypeKind::kOptional: {
      Type element = SubstituteIn(type.child(), variables);
      // `t?` with a `t` that may be None itself: None twice is None.
      if (element.kind() == TypeKind::kOptional ||
          element.kind() == TypeKind::kNone) {
        return element;
      }
      return Type::Optional(std::move(element));
    }
    case TypeKind::kList:
      return Type::List(SubstituteIn(type.child(), variables), type.size());
    case TypeKind::kDict:
      return Type::Dict(SubstituteIn(type.child(0), variables),
                        SubstituteIn(type.child(1), variables));
    case TypeKind::kTuple:
      return Type::Tuple(SubstituteInAll(type.children(), variables));
    case TypeKind::kNamedTuple:
      return Type::NamedTuple(type.field_names(),
                              SubstituteInAll(type.children(), variables));
    case TypeKind::kFuture:
    case TypeKind::kRRef:
    case TypeKind::kAwait:
      return Type::Wrapper(type.kind(), SubstituteIn(type.child(), variables));
    default:
      return type;
  }
}

}  // namespace

bool IsSubtype(const Type& value, const Type& expected,
               TypeVariables* variables, bool* covariant) {
  return IsWithinTypeLimits(value) && IsWithinTypeLimits(expected) &&
         Subtyping(variables, covariant).Compare(value, expected) != Fit::kNone;
}

bool IsSubtype(const Type& value, const Type& expected) {
  return IsSubtype(value, expected, nullptr, nullptr);
}

Type Substitute(const Type& type, const TypeVariables& variables) {
  return HasVariables(type) ? SubstituteIn(type, variables) : type;
}

bool HasVariables(const Type& type) { return type.has_variables(); }

bool FixesLiterals(const Type& type) {
  return type.kind() != TypeKind::kAny && type.kind() != TypeKind::kVariable &&
         std::all_of(type.children().begin(), type.children().end(),
                     FixesLiterals);
}

}  // namespace opcompat
