#include "binding/value_relation.h"

#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "base/hash_map.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

bool IsIntLike(TypeKind kind) {
  return kind == TypeKind::kInt || kind == TypeKind::kSymInt ||
         IsEnumKind(kind);
}

// How many copies a lone n at `T[n]` may become: n is whatever a file says.
constexpr int64_t kMaxCopies = 1 << 16;

bool IsContainer(const Value& value) {
  return value.kind() == ValueKind::kList ||
         value.kind() == ValueKind::kTuple || value.kind() == ValueKind::kDict;
}

absl::optional<Value> IntToFloat(int64_t i) {
  const double d = static_cast<double>(i);
  // 2^63 itself does not fit into an int64: compare before converting back.
  if (d >= 9223372036854775808.0 || static_cast<int64_t>(d) != i) {
    return absl::nullopt;
  }
  return Value::Float(d);
}

absl::optional<Value> FloatToInt(double d) {
  if (!(d >= -9223372036854775808.0 && d < 9223372036854775808.0) ||
      std::trunc(d) != d || (d == 0 && std::signbit(d))) {
    return absl::nullopt;
  }
  return Value::Int(static_cast<int64_t>(d));
}

// `from` and `to` are neither optional nor the same type; `value` not None.
absl::optional<Value> FitScalar(const Value& value, const Type& from,
                                const Type& to) {
  const TypeKind a = from.kind();
  const TypeKind b = to.kind();
  if (IsIntLike(a) && IsIntLike(b)) {
    // Two enums are not related to each other, only both to int.
    if (a != b && a != TypeKind::kInt && b != TypeKind::kInt) {
      return absl::nullopt;
    }
    if (value.kind() != ValueKind::kInt) return absl::nullopt;
    return value;
  }
  const auto is_pair = [&](TypeKind x, TypeKind y) {
    return (a == x && b == y) || (a == y && b == x);
  };
  if (is_pair(TypeKind::kFloat, TypeKind::kSymFloat) ||
      is_pair(TypeKind::kBool, TypeKind::kSymBool)) {
    return value;
  }
  if (a == TypeKind::kInt && b == TypeKind::kFloat) {
    if (value.kind() != ValueKind::kInt) return absl::nullopt;
    return IntToFloat(value.int_value());
  }
  if (a == TypeKind::kFloat && b == TypeKind::kInt) {
    if (value.kind() != ValueKind::kFloat) return absl::nullopt;
    return FloatToInt(value.float_value());
  }
  if (is_pair(TypeKind::kInt, TypeKind::kScalar)) {
    if (value.kind() != ValueKind::kInt) return absl::nullopt;
    return value;
  }
  if (is_pair(TypeKind::kFloat, TypeKind::kScalar)) {
    if (value.kind() != ValueKind::kFloat) return absl::nullopt;
    return value;
  }
  return absl::nullopt;
}

// One question to FitValue. Parts of containers may be shared, and a few of
// them describe millions: each is looked at once, and what comes out is shared
// again.
class Fitting {
 public:
  absl::optional<Value> Fit(const Value& value, const Type& from,
                            const Type& to);

 private:
  // Whether part of `value` at `type` is opaque: a word that nobody gave a
  // number, or a constant of a type that we do not know.
  bool IsOpaque(const Value& value, const Type& type);
  absl::optional<Value> FitPart(const Value& part, const Type& from,
                                const Type& to);
  absl::optional<Value> FitElements(const Value& value, const Type& from,
                                    const Type& to);

  HashSet<std::pair<Value, Type>> not_opaque_;
  HashMap<std::tuple<Value, Type, Type>, absl::optional<Value>> parts_;
};

bool Fitting::IsOpaque(const Value& value, const Type& type) {
  if (value.is_none()) return false;
  if (value.kind() == ValueKind::kWord || type.kind() == TypeKind::kNamed) {
    return true;
  }
  if (type.kind() == TypeKind::kOptional) return IsOpaque(value, type.child());
  if (!IsContainer(value)) return false;
  const size_t period = type.children().size();
  if (period == 0) return false;
  if (not_opaque_.contains(std::make_pair(value, type))) return false;
  for (size_t i = 0; i < value.elements().size(); ++i) {
    if (IsOpaque(value.elements()[i], type.child(i % period))) return true;
  }
  not_opaque_.emplace(value, type);
  return false;
}

absl::optional<Value> Fitting::FitPart(const Value& part, const Type& from,
                                       const Type& to) {
  if (!IsContainer(part)) return Fit(part, from, to);
  const auto key = std::make_tuple(part, from, to);
  const auto found = parts_.find(key);
  if (found != parts_.end()) return found->second;
  absl::optional<Value> fitted = Fit(part, from, to);
  parts_.emplace(key, fitted);
  return fitted;
}

absl::optional<Value> Fitting::FitElements(const Value& value, const Type& from,
                                           const Type& to) {
  std::vector<Value> elements;
  elements.reserve(value.elements().size());
  const size_t period = from.children().size();
  for (size_t i = 0; i < value.elements().size(); ++i) {
    absl::optional<Value> element = FitPart(
        value.elements()[i], from.child(i % period), to.child(i % period));
    if (!element.has_value()) return absl::nullopt;
    elements.push_back(*std::move(element));
  }
  switch (value.kind()) {
    case ValueKind::kList:
      return Value::List(std::move(elements));
    case ValueKind::kTuple:
      return Value::Tuple(std::move(elements));
    default:
      return Value::Dict(std::move(elements));
  }
}

absl::optional<Value> Fitting::Fit(const Value& value, const Type& from,
                                   const Type& to) {
  if (from == to) {
    if (IsOpaque(value, from)) return absl::nullopt;
    return value;
  }
  if (value.is_none()) {
    if (to.kind() == TypeKind::kOptional || to.kind() == TypeKind::kNone) {
      return value;
    }
    return absl::nullopt;
  }
  if (from.kind() == TypeKind::kOptional) {
    return Fit(value, from.child(), to);
  }
  if (to.kind() == TypeKind::kOptional) {
    return Fit(value, from, to.child());
  }
  const bool from_list = from.kind() == TypeKind::kList;
  const bool to_list = to.kind() == TypeKind::kList;
  if (from_list && to_list) {
    if (value.kind() != ValueKind::kList) return absl::nullopt;
    return FitElements(value, from, to);
  }
  if (to_list) {
    if (to.size() == 0 || to.size() > kMaxCopies) return absl::nullopt;
    absl::optional<Value> lone = Fit(value, from, to.child());
    if (!lone.has_value()) return absl::nullopt;
    return Value::List(
        std::vector<Value>(static_cast<size_t>(to.size()), *lone));
  }
  if (from_list) {
    if (from.size() == 0 || value.kind() != ValueKind::kList ||
        value.elements().size() != static_cast<size_t>(from.size())) {
      return absl::nullopt;
    }
    const Value& lone = value.elements()[0];
    for (const Value& element : value.elements()) {
      if (element != lone) return absl::nullopt;
    }
    return Fit(lone, from.child(), to);
  }
  if (from.kind() == to.kind() &&
      from.children().size() == to.children().size() &&
      !from.children().empty()) {
    if (value.kind() == ValueKind::kTuple &&
        value.elements().size() != from.children().size()) {
      return absl::nullopt;
    }
    if (value.kind() != ValueKind::kTuple && value.kind() != ValueKind::kDict) {
      return absl::nullopt;
    }
    return FitElements(value, from, to);
  }
  return FitScalar(value, from, to);
}

}  // namespace

absl::optional<Value> FitValue(const Value& value, const Type& from,
                               const Type& to) {
  return Fitting().Fit(value, from, to);
}

ValueRelation::ValueRelation(const std::vector<EqualValues>* first,
                             const std::vector<EqualValues>* second)
    : lists_{first, second} {}

bool ValueRelation::has_equal_values() const {
  for (const std::vector<EqualValues>* list : lists_) {
    if (list != nullptr && !list->empty()) return true;
  }
  return false;
}

namespace {

bool Related(const TypedValue& a, const TypedValue& b) {
  if (a.value == b.value && a.type == b.type) return true;
  const absl::optional<Value> fitted = FitValue(a.value, a.type, b.type);
  return fitted.has_value() && *fitted == b.value;
}

}  // namespace

absl::optional<TypedValue> ValueRelation::Meaning(
    const TypedValue& value) const {
  for (const std::vector<EqualValues>* list : lists_) {
    if (list == nullptr) continue;
    for (const EqualValues& equal : *list) {
      if (Related(value, equal.value)) return equal.means;
    }
  }
  return absl::nullopt;
}

std::vector<TypedValue> ValueRelation::Meanings(const TypedValue& value) const {
  // A chain of declarations is no longer than their number; more steps would
  // go in a circle.
  size_t steps = 0;
  for (const std::vector<EqualValues>* list : lists_) {
    if (list != nullptr) steps += list->size();
  }
  std::vector<TypedValue> meanings = {value};
  for (; steps > 0; --steps) {
    absl::optional<TypedValue> means = Meaning(meanings.back());
    if (!means.has_value()) break;
    meanings.push_back(*std::move(means));
  }
  return meanings;
}

bool ValueRelation::Equal(const TypedValue& a, const TypedValue& b) const {
  if (Related(a, b)) return true;
  if (!has_equal_values()) return false;
  const std::vector<TypedValue> of_b = Meanings(b);
  for (const TypedValue& x : Meanings(a)) {
    for (const TypedValue& y : of_b) {
      if (Related(x, y)) return true;
    }
  }
  return false;
}

absl::optional<Value> ValueRelation::Fit(const TypedValue& value,
                                         const Type& to) const {
  for (const TypedValue& meaning : Meanings(value)) {
    absl::optional<Value> fitted = FitValue(meaning.value, meaning.type, to);
    if (fitted.has_value()) return fitted;
  }
  return absl::nullopt;
}

}  // namespace opcompat
