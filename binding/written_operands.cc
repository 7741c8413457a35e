#include "binding/written_operands.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "schema/operator_entry.h"

namespace opcompat {

std::vector<bool> WrittenValues(const Module& module, const Graph& graph,
                                const WrittenAround& around) {
  std::vector<bool> written(graph.num_values(), false);
  for (size_t i = 0; i < around.parameters.size(); ++i) {
    written[i] = around.parameters[i];
  }
  for (const Node& node : graph.nodes) {
    const CallForm& form = module.form(node);
    const ModuleOperator& op = module.op(form.op);
    const bool is_last = &node == &graph.nodes.back();
    const bool escapes = op.intrinsic == Intrinsic::kSetAttr ||
                         op.intrinsic == Intrinsic::kCallMethod ||
                         op.intrinsic == Intrinsic::kCallFunction ||
                         op.intrinsic == Intrinsic::kLoop ||
                         op.intrinsic == Intrinsic::kListConstruct ||
                         op.intrinsic == Intrinsic::kTupleConstruct ||
                         op.intrinsic == Intrinsic::kDictConstruct ||
                         (op.intrinsic == Intrinsic::kReturn && !is_last);
    const absl::Span<const Operand> operands = module.operands(graph, node);
    for (size_t i = 0; i < form.slots.size(); ++i) {
      if (!operands[i].is_value()) continue;
      const uint32_t argument = form.slots[i].argument;
      if (escapes ||
          (is_last && i < around.results.size() && around.results[i]) ||
          (op.entry != nullptr && argument != Slot::kVariadic &&
           op.entry->arguments[argument].is_written())) {
        written[operands[i].value().index] = true;
      }
    }
  }
  return written;
}

}  // namespace opcompat
