#include "binding/change_nodes.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ir/huge_pages.h"

namespace opcompat {
namespace {

Operand FromSource(int64_t source, const Operand* old) {
  return source >= 0 ? old[source]
                     : Operand(ConstantId(static_cast<uint32_t>(~source)));
}

// Every node keeps its operands.
void ChangeForms(const NodeChanges& changes, const std::vector<FormId>& passing,
                 Graph* graph) {
  for (const auto& [n, plan] : changes) graph->nodes[n].form = plan->form;
  bool same = true;
  for (uint32_t f = 0; f < passing.size(); ++f) {
    same &= !passing[f].valid() || passing[f].index == f;
  }
  if (same) return;
  auto next = changes.begin();
  for (uint32_t i = 0; i < graph->nodes.size(); ++i) {
    if (next != changes.end() && next->first == i) {
      ++next;
      continue;
    }
    FormId& form = graph->nodes[i].form;
    form = passing[form.index];
  }
}

// Where the column has room for what is added: from the back, each operand
// moves behind those that were there before it.
void GrowOperands(const NodeChanges& changes,
                  const std::vector<FormId>& passing, size_t num_operands,
                  Graph* graph) {
  auto from = static_cast<uint32_t>(graph->operands.size());
  graph->operands.resize(num_operands);
  Operand* const operands = graph->operands.data();
  Node* const nodes = graph->nodes.data();
  auto to = static_cast<uint32_t>(num_operands);
  auto next = changes.rbegin();
  std::vector<Operand> old;
  for (auto i = static_cast<uint32_t>(graph->nodes.size()); i-- > 0;) {
    Node& node = nodes[i];
    const uint32_t begin = node.operands_begin;
    if (next != changes.rend() && next->first == i) {
      const NodePlan& plan = *next->second;
      ++next;
      old.assign(operands + begin, operands + from);
      from = begin;
      to -= static_cast<uint32_t>(plan.sources.size());
      for (size_t k = 0; k < plan.sources.size(); ++k) {
        operands[to + k] = FromSource(plan.sources[k], old.data());
      }
      node.form = plan.form;
    } else {
      while (from > begin) operands[--to] = operands[--from];
      node.form = passing[node.form.index];
    }
    node.operands_begin = to;
  }
}

void CopyOperands(const NodeChanges& changes,
                  const std::vector<FormId>& passing,
                  const std::vector<uint32_t>& operands_of_forms,
                  size_t num_operands, Graph* graph) {
  std::vector<Operand> operands;
  ReserveColumn(num_operands, &operands);
  auto next = changes.begin();
  for (uint32_t i = 0; i < graph->nodes.size(); ++i) {
    Node& node = graph->nodes[i];
    const Operand* const old = graph->operands.data() + node.operands_begin;
    node.operands_begin = static_cast<uint32_t>(operands.size());
    if (next == changes.end() || next->first != i) {
      operands.insert(operands.end(), old,
                      old + operands_of_forms[node.form.index]);
      node.form = passing[node.form.index];
      continue;
    }
    const NodePlan& plan = *next->second;
    ++next;
    node.form = plan.form;
    for (const int64_t source : plan.sources) {
      operands.push_back(FromSource(source, old));
    }
  }
  graph->operands = std::move(operands);
}

}  // namespace

void ChangeNodes(const NodeChanges& changes, const std::vector<FormId>& passing,
                 const std::vector<uint32_t>& num_operands, Graph* graph) {
  int64_t growth = 0;
  bool shrinks = false;
  bool keeps_operands = true;
  for (const auto& [n, plan] : changes) {
    keeps_operands &= plan->keeps_operands;
    const int64_t difference =
        static_cast<int64_t>(plan->sources.size()) -
        int64_t{num_operands[graph->nodes[n].form.index]};
    growth += difference;
    shrinks |= difference < 0;
  }
  if (keeps_operands) {
    ChangeForms(changes, passing, graph);
    return;
  }
  const auto size = static_cast<size_t>(
      static_cast<int64_t>(graph->operands.size()) + growth);
  // Too many for ids: the verifier will say so.
  if (!shrinks && size <= graph->operands.capacity()) {
    GrowOperands(changes, passing, size, graph);
  } else {
    CopyOperands(changes, passing, num_operands, size, graph);
  }
}

}  // namespace opcompat
