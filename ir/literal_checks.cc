#include "ir/literal_checks.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/concat.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
namespace {

// Of so many, asking again is as cheap as remembering the answer.
constexpr int64_t kFewParts = 64;

// Whether it is plain that CoerceLiteral would give `value` back: the common
// cases, without its copy. False says nothing.
bool PlainlyHasForm(const Value& value, const Type& type) {
  if (type.kind() == TypeKind::kOptional) {
    return value.is_none() || PlainlyHasForm(value, type.child());
  }
  switch (value.kind()) {
    case ValueKind::kBool:
      return type.kind() == TypeKind::kBool;
    case ValueKind::kInt:
      return type.kind() == TypeKind::kInt || type.kind() == TypeKind::kScalar;
    case ValueKind::kFloat:
      return type.kind() == TypeKind::kFloat ||
             type.kind() == TypeKind::kScalar;
    case ValueKind::kString:
      return type.kind() == TypeKind::kString;
    case ValueKind::kList:
      return type.kind() == TypeKind::kList && type.size() == 0 &&
             std::all_of(value.elements().begin(), value.elements().end(),
                         [&](const Value& element) {
                           return PlainlyHasForm(element, type.child());
                         });
    default:
      return false;
  }
}

}  // namespace

absl::Status LiteralChecks::CheckForm(ConstantId constant, uint32_t type) {
  const uint32_t without_sizes = WithoutSizes(type);
  const Value& literal = module_.constant(constant);
  if (literal.num_parts() <= kFewParts &&
      PlainlyHasForm(literal, relations_.type(without_sizes))) {
    return absl::OkStatus();
  }
  const auto inserted =
      has_form_.try_emplace({constant.index, without_sizes}, false);
  if (!inserted.second && inserted.first->second) return absl::OkStatus();
  const Value& value = module_.constant(constant);
  const Type& wanted = relations_.type(inserted.first->first.second);
  uint64_t steps = 0;
  const absl::StatusOr<Value> coerced = CoerceLiteral(value, wanted, &steps);
  relations_.AddSteps(steps);
  if (!coerced.ok()) return coerced.status();
  if (*coerced != value) {
    return absl::InvalidArgumentError(
        Concat("expected ", coerced->ToShortString(), ", found ",
               value.ToShortString()));
  }
  inserted.first->second = true;
  return absl::OkStatus();
}

absl::optional<uint32_t> LiteralChecks::OwnType(ConstantId constant) {
  const auto inserted = own_types_.try_emplace(constant.index);
  if (inserted.second) {
    uint64_t steps = 0;
    const absl::StatusOr<Type> type =
        TypeOfLiteral(module_.constant(constant), &steps);
    relations_.AddSteps(steps);
    if (type.ok()) inserted.first->second = relations_.Intern(*type);
  }
  return inserted.first->second;
}

uint32_t LiteralChecks::WithoutSizes(uint32_t type) {
  if (type >= without_sizes_.size()) without_sizes_.resize(type + 1, kUnknown);
  if (without_sizes_[type] == kUnknown) {
    without_sizes_[type] =
        relations_.Intern(WithoutListSizes(relations_.type(type)));
  }
  return without_sizes_[type];
}

}  // namespace opcompat
