#include "compat_matrix/oracle_expand.h"

#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "compat_matrix/oracle_meaning.h"
#include "schema/typing.h"

namespace opcompat {
namespace oracle {
namespace {

// Whether what the body returns can be the results of the call.
bool ResultsFit(const Instance& instance, const Call& call) {
  const Module& module = instance.module;
  const Graph& graph = instance.graph();
  const absl::Span<const Operand> returned =
      module.operands(graph, instance.returned());
  for (size_t i = 0; i < returned.size(); ++i) {
    const CallResult& result = call.results[instance.results[i]];
    if (returned[i].is_constant()) {
      if (!CoerceLiteral(module.constant(returned[i].constant()), result.type)
               .ok()) {
        return false;
      }
      continue;
    }
    const Type& type =
        module.type(graph.value_types[returned[i].value().index]);
    bool covariant = false;
    if (!IsSubtype(type, result.type, nullptr, &covariant) ||
        (covariant && result.is_written)) {
      return false;
    }
  }
  return true;
}

}  // namespace

Expansion Expander::Expand(const Module& module, const Graph& graph,
                           const GraphFacts& facts, const Node& node,
                           std::vector<Problem>* problems) {
  num_nodes_ = 0;
  return ExpandNode(module, graph, facts, node, 0, problems);
}

Expansion Expander::ExpandNode(const Module& module, const Graph& graph,
                               const GraphFacts& facts, const Node& node,
                               int depth, std::vector<Problem>* problems) {
  Expansion expansion;
  const Call call = CallOf(module, graph, facts, node);
  Derived derived =
      derivation_.Derive(call, module.opsets,
                         depth == 0 ? Derivation::Where::kInModule
                                    : Derivation::Where::kInStepGraph,
                         problems);
  if (!derived.call.has_value()) return expansion;
  if (derived.graph != nullptr) {
    return ExpandBody(derived, AttributesOf(module, graph, node), depth + 1,
                      problems);
  }
  FindContradiction(call, *derived.call);
  expansion.call = std::move(derived.call);
  return expansion;
}

Expansion Expander::ExpandBody(const Derived& derived,
                               const NodeAttributes& attributes, int depth,
                               std::vector<Problem>* problems) {
  Expansion refused;
  if (depth > limits_.nested_bodies) {
    problems->push_back({"limit", ""});
    return refused;
  }
  auto body = std::make_shared<ExpandedBody>();
  absl::optional<Instance> instance =
      Instantiate(*derived.graph->body, *derived.call, attributes);
  if (!instance.has_value()) {
    problems->push_back({derived.code, ""});
    return refused;
  }
  body->instance = *std::move(instance);
  if (!ResultsFit(body->instance, *derived.call)) {
    problems->push_back({"type_mismatch", ""});
    return refused;
  }

  const Module& module = body->instance.module;
  const Graph& graph = body->instance.graph();
  num_nodes_ += static_cast<int64_t>(graph.num_nodes());
  std::vector<Problem> inside;
  for (const Node& node : graph.nodes) {
    body->nodes.emplace_back();
    if (module.op(node).entry == nullptr) continue;
    if (num_nodes_ > limits_.nodes) {
      inside.push_back({"limit", ""});
      break;
    }
    body->nodes.back() = ExpandNode(module, graph, body->instance.facts, node,
                                    depth, &inside);
  }
  std::set<std::string> codes;
  for (const Problem& problem : inside) {
    if (codes.insert(problem.code).second) {
      problems->push_back({problem.code, ""});
    }
  }
  if (!inside.empty()) return refused;
  Expansion expansion;
  expansion.body = std::move(body);
  return expansion;
}

// Between revisions a person says what is the same, and what may be ignored has
// no meaning.
void Expander::FindContradiction(const Call& original, const Call& derived) {
  if (original.entry->revision != derived.entry->revision) return;
  for (const Call* call : {&original, &derived}) {
    for (const EntryArgument& argument : call->entry->arguments) {
      if (argument.ignorable) return;
    }
  }
  const absl::optional<std::string> difference = MeaningsDiffer(
      original, derived,
      derivation_.PairingAtReader(original.entry, derived.entry),
      [](const Given& a, const Type&, const Given& b, const Type&) {
        return a.kind == b.kind && (a.kind == Given::Kind::kGraphValue
                                        ? a.value == b.value
                                        : a.constant == b.constant);
      });
  if (difference.has_value()) {
    contradictions_.push_back(
        absl::StrCat(original.entry->name(), ": ", *difference));
  }
}

}  // namespace oracle
}  // namespace opcompat
