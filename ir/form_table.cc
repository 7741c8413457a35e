#include "ir/form_table.h"

#include <utility>

namespace opcompat {

FormId FormTable::Intern(CallForm form, Module* module) {
  std::vector<uint32_t> key;
  key.reserve(4 + 2 * form.slots.size() + form.result_types.size() +
              form.attribute_names.size());
  key.push_back(form.op.index);
  key.push_back(form.num_blocks);
  key.push_back(static_cast<uint32_t>(form.result_types.size()));
  key.push_back(static_cast<uint32_t>(form.attribute_names.size()));
  for (const Slot& slot : form.slots) {
    key.push_back(slot.argument);
    key.push_back(slot.is_constant);
  }
  for (const TypeId type : form.result_types) key.push_back(type.index);
  for (const StringId name : form.attribute_names) key.push_back(name.index);
  const auto [it, is_new] = ids_.try_emplace(
      std::move(key), FormId(static_cast<uint32_t>(module->forms.size())));
  if (is_new) module->forms.push_back(std::move(form));
  return it->second;
}

}  // namespace opcompat
