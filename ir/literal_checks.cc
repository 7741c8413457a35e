#include "ir/literal_checks.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "schema/type.h"
#include "schema/typing.h"
#include "schema/value.h"

namespace opcompat {
absl::Status LiteralChecks::CheckForm(ConstantId constant, uint32_t type) {
  const auto inserted =
      has_form_.try_emplace({constant.index, WithoutSizes(type)}, false);
  if (!inserted.second && inserted.first->second) return absl::OkStatus();
  const Value& value = module_.constant(constant);
  const Type& wanted = relations_.type(inserted.first->first.second);
  uint64_t steps = 0;
  const absl::StatusOr<Value> coerced = CoerceLiteral(value, wanted, &steps);
  relations_.AddSteps(steps);
  if (!coerced.ok()) return coerced.status();
  if (*coerced != value) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected ", coerced->ToShortString(), ", found ",
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
  const auto inserted = without_sizes_.try_emplace(type, type);
  if (inserted.second) {
    inserted.first->second =
        relations_.Intern(WithoutListSizes(relations_.type(type)));
  }
  return inserted.first->second;
}

}  // namespace opcompat
