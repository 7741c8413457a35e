#include "serializer/meaning_key.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/canonicalize.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/value.h"
#include "serializer/encode.h"
#include "serializer/options.h"

namespace opcompat {
namespace {

ConstantId Intern(const Value& value, Module* module) {
  const auto found =
      std::find(module->constants.begin(), module->constants.end(), value);
  const auto index = static_cast<uint32_t>(found - module->constants.begin());
  if (found == module->constants.end()) module->constants.push_back(value);
  return ConstantId(index);
}

// Lets one constant stand for all at arguments that have equal values: the
// default, so that it is the same as leaving the argument out.
void HideEqualValues(Module* module) {
  // By operator and exposed argument; not valid: nothing to hide.
  std::vector<std::vector<ConstantId>> hidden(module->operators.size());
  bool is_any = false;
  for (size_t i = 0; i < module->operators.size(); ++i) {
    const OperatorEntryPtr entry = module->operators[i].entry;
    if (entry == nullptr) continue;
    hidden[i].resize(entry->num_exposed());
    for (size_t j = 0; j < hidden[i].size(); ++j) {
      const EntryArgument& argument = entry->arguments[j];
      if (argument.equal_values.empty()) continue;
      hidden[i][j] =
          Intern(argument.default_value.value_or(Value::None()), module);
      is_any = true;
    }
  }
  if (!is_any) return;
  for (Function& function : module->functions) {
    Graph& graph = function.graph;
    for (const Node& node : graph.nodes) {
      const CallForm& form = module->form(node);
      for (size_t i = 0; i < form.slots.size(); ++i) {
        const Slot& slot = form.slots[i];
        const std::vector<ConstantId>& of_operator = hidden[form.op.index];
        if (!slot.is_constant || slot.argument >= of_operator.size()) continue;
        const ConstantId constant = of_operator[slot.argument];
        if (constant.valid()) {
          graph.operands[node.operands_begin + i] = Operand(constant);
        }
      }
    }
  }
}

}  // namespace

absl::StatusOr<EncodedModule> MeaningKey(const Module& module) {
  OPCOMPAT_ASSIGN_OR_RETURN(Module copy, Canonicalize(module));
  HideEqualValues(&copy);
  SerializeOptions options;
  options.debug_information = false;
  return Encode(copy, options);
}

}  // namespace opcompat
