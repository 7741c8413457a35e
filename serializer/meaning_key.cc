#include "serializer/meaning_key.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
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

// The constants of a module, by value.
class ConstantTable {
 public:
  explicit ConstantTable(std::vector<Value>* constants)
      : constants_(*constants) {
    for (uint32_t i = 0; i < constants_.size(); ++i) {
      ids_.emplace(constants_[i], i);
    }
  }
  ConstantId Intern(const Value& value) {
    const auto [it, is_new] =
        ids_.emplace(value, static_cast<uint32_t>(constants_.size()));
    if (is_new) constants_.push_back(value);
    return ConstantId(it->second);
  }

 private:
  std::vector<Value>& constants_;
  absl::flat_hash_map<Value, uint32_t> ids_;
};

// Lets one constant stand for all at arguments that have equal values: the
// default, so that it is the same as leaving the argument out.
void HideEqualValues(Module* module) {
  // By operator and exposed argument; not valid: nothing to hide.
  std::vector<std::vector<ConstantId>> hidden(module->operators.size());
  absl::optional<ConstantTable> constants;
  for (size_t i = 0; i < module->operators.size(); ++i) {
    const OperatorEntryPtr entry = module->operators[i].entry;
    if (entry == nullptr) continue;
    hidden[i].resize(entry->num_exposed());
    for (size_t j = 0; j < hidden[i].size(); ++j) {
      const EntryArgument& argument = entry->arguments[j];
      if (argument.equal_values.empty()) continue;
      if (!constants.has_value()) constants.emplace(&module->constants);
      hidden[i][j] =
          constants->Intern(argument.default_value.value_or(Value::None()));
    }
  }
  if (!constants.has_value()) return;
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
