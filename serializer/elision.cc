#include "serializer/elision.h"

#include <cstdint>

#include "absl/container/flat_hash_map.h"

namespace opcompat {
namespace encoding {

ElisionRule::ElisionRule(const Module& module, Elision policy)
    : module_(&module), policy_(policy) {
  defaults_.resize(module.operators.size());
  // The defaults first: there are few of them, and many constants.
  absl::flat_hash_map<Value, ConstantId> ids;
  for (const ModuleOperator& op : module.operators) {
    if (op.entry == nullptr) continue;
    for (const EntryArgument& argument : op.entry->arguments) {
      if (argument.default_value) ids.try_emplace(*argument.default_value);
    }
  }
  for (uint32_t i = 0; i < module.constants.size(); ++i) {
    const auto it = ids.find(module.constants[i]);
    if (it != ids.end()) it->second = ConstantId(i);
  }
  for (uint32_t i = 0; i < module.operators.size(); ++i) {
    if (module.operators[i].entry == nullptr) continue;
    const OperatorEntry& entry = *module.operators[i].entry;
    defaults_[i].resize(entry.num_exposed());
    for (size_t a = 0; a < defaults_[i].size(); ++a) {
      const absl::optional<Value>& value = entry.arguments[a].default_value;
      if (!value) continue;
      ConstantId& id = ids[*value];
      if (!id.valid() && policy == Elision::kNone) {
        id = ConstantId(static_cast<uint32_t>(num_constants()));
        more_constants_.push_back(*value);
      }
      defaults_[i][a] = id;
    }
  }
}

}  // namespace encoding
}  // namespace opcompat
