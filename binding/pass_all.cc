#include "binding/pass_all.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash_map.h"
#include "binding/call_counts.h"
#include "schema/operator_entry.h"

namespace opcompat {

bool AllPass(const Module& module, const std::vector<OperatorRule>& rules) {
  HashSet<const OperatorEntry*> entries;
  for (size_t i = 0; i < rules.size(); ++i) {
    if (module.operators[i].entry == nullptr) continue;
    if (rules[i].same == nullptr ||
        !entries.insert(rules[i].same.get()).second) {
      return false;
    }
  }
  return true;
}

LoadReport PassAll(const std::vector<OperatorRule>& rules, Module* module) {
  std::vector<uint64_t> calls(module->forms.size());
  for (const Function& function : module->functions) {
    for (const Node& node : function.graph.nodes) ++calls[node.form.index];
  }
  CallCounts counts(module->operators.size());
  for (size_t f = 0; f < calls.size(); ++f) {
    counts.CountIdentical(module->forms[f].op, calls[f]);
  }
  LoadReport report;
  counts.Fill(module->operators, &report);
  for (size_t i = 0; i < rules.size(); ++i) {
    if (module->operators[i].entry == nullptr) continue;
    module->operators[i].entry = rules[i].same;
  }
  return report;
}

}  // namespace opcompat
