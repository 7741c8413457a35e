#include "binding/operator_rule.h"

#include <vector>

namespace opcompat {

std::vector<OperatorRule> RulesFor(const Module& module,
                                   const WrittenVersions& versions,
                                   CallRules& rules) {
  std::vector<OperatorRule> result;
  result.reserve(module.operators.size());
  for (const ModuleOperator& op : module.operators) {
    result.push_back(op.entry == nullptr ? OperatorRule()
                                         : rules.RuleFor(op.entry, versions));
  }
  return result;
}

}  // namespace opcompat
