#include "serializer/form_plan.h"

#include <algorithm>
#include <cstdint>

#include "schema/operator_entry.h"

namespace opcompat {
namespace encoding {
namespace {

// Keys of variants (call_forms.h) have 32 bits for constants, four for each.
constexpr uint32_t kMaxUsualConstants = 8;

constexpr uint32_t kConstantMask = ~Operand::kConstantBit;

}  // namespace

FormPlans::FormPlans(const Module& module, const ElisionRule& elision) {
  plans_.reserve(module.forms.size());
  for (const CallForm& form : module.forms) Add(module, elision, form);
}

void FormPlans::Add(const Module& module, const ElisionRule& elision,
                    const CallForm& form) {
  FormPlan plan;
  plan.values_begin = static_cast<uint32_t>(values_.size());
  plan.constants_begin = static_cast<uint32_t>(constants_.size());
  const OperatorEntry* const entry = module.op(form.op).entry.get();
  const uint32_t num_exposed =
      entry == nullptr ? 0 : static_cast<uint32_t>(entry->num_exposed());
  uint32_t next = 0;  // the first argument that was not looked at yet
  const auto add_defaults_before = [&](uint32_t argument) {
    for (; next < argument; ++next) {
      const ConstantId value = elision.WriteInstead(form.op, next);
      if (!value.valid()) continue;
      constants_.push_back({ConstantPlace::kFixed, 0, value.index, next});
      plan.is_unusual = true;
    }
  };
  const auto add_constant = [&](uint32_t operand, ConstantId left_out,
                                uint32_t argument) {
    constants_.push_back(
        {operand, kConstantMask,
         left_out.valid() ? left_out.index : ConstantPlace::kNeverLeftOut,
         argument});
  };
  for (uint32_t i = 0; i < form.slots.size(); ++i) {
    const Slot& slot = form.slots[i];
    const bool is_variadic = slot.argument == Slot::kVariadic;
    const uint32_t argument = is_variadic ? num_exposed : slot.argument;
    add_defaults_before(argument);
    if (!is_variadic) ++next;
    if (slot.is_constant) {
      add_constant(i, elision.LeftOutAt(form.op, slot.argument), argument);
    } else {
      values_.push_back(i);
    }
  }
  add_defaults_before(num_exposed);
  for (uint32_t i = static_cast<uint32_t>(form.slots.size());
       i < form.num_operands(); ++i) {
    add_constant(i, ConstantId(), 0);
  }

  plan.num_values = static_cast<uint32_t>(values_.size()) - plan.values_begin;
  plan.num_constants =
      static_cast<uint32_t>(constants_.size()) - plan.constants_begin;
  for (uint32_t i = 0; i < std::min(plan.num_values, FormPlan::kFewValues);
       ++i) {
    plan.few_values[i] = values_[plan.values_begin + i];
    plan.few_sizes[i] = ~uint32_t{0};
  }
  std::copy_n(constants_.begin() + plan.constants_begin,
              std::min(plan.num_constants, FormPlan::kFewConstants),
              plan.few_constants);
  // Without an operand there is none to take for nothing.
  plan.is_unusual |=
      plan.num_constants > kMaxUsualConstants || form.num_operands() == 0;
  plans_.push_back(plan);
}

}  // namespace encoding
}  // namespace opcompat
