#include "compat_matrix/oracle/expand.h"

#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "compat_matrix/oracle/meaning.h"
#include "schema/typing.h"

namespace opcompat {
namespace oracle {
namespace {

// Whether what the body returns can be the results of the call, whose types are
// set. A constant has the type that the body declares. Whether those who use a
// result that was declared narrower can take it shows on the whole module.
bool ResultsFit(const Instance& instance, const ValueTypes& types,
                const Call& call, std::vector<Type>* result_types) {
  const Module& module = instance.module;
  const absl::Span<const Operand> returned =
      module.operands(instance.graph(), instance.returned());
  for (size_t i = 0; i < returned.size(); ++i) {
    const Type& type = returned[i].is_value()
                           ? types[returned[i].value().index]
                           : module.type(module.functions[0].result_types[i]);
    const CallResult& result = call.results[instance.results[i]];
    const Type& in_schema = call.entry->results[instance.results[i]].type;
    if (!IsSubtype(type, result.type) && !IsSubtype(type, in_schema)) {
      return false;
    }
    (*result_types)[instance.results[i]] = type;
  }
  return true;
}

}  // namespace

Expansion Expander::Expand(const Call& call,
                           const std::vector<OpsetVersion>& opsets,
                           const NodeAttributes& attributes,
                           std::vector<Type>* result_types,
                           std::vector<Problem>* problems) {
  num_nodes_ = 0;
  return ExpandCall(call, opsets, attributes, 0, result_types, problems);
}

Expansion Expander::ExpandCall(const Call& call,
                               const std::vector<OpsetVersion>& opsets,
                               const NodeAttributes& attributes, int depth,
                               std::vector<Type>* result_types,
                               std::vector<Problem>* problems) {
  Expansion expansion;
  Derived derived =
      derivation_.Derive(call, opsets,
                         depth == 0 ? Derivation::Where::kInModule
                                    : Derivation::Where::kInStepGraph,
                         problems);
  if (!derived.call.has_value()) return expansion;
  for (const CallResult& result : derived.call->results) {
    result_types->push_back(result.type);
  }
  if (derived.graph != nullptr) {
    return ExpandBody(derived, attributes, depth + 1, result_types, problems);
  }
  FindContradiction(call, *derived.call);
  expansion.call = std::move(derived.call);
  return expansion;
}

Expansion Expander::ExpandBody(const Derived& derived,
                               const NodeAttributes& attributes, int depth,
                               std::vector<Type>* result_types,
                               std::vector<Problem>* problems) {
  const Expansion refused;
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

  const Module& module = body->instance.module;
  const Graph& graph = body->instance.graph();
  ValueTypes types = DeclaredTypes(module, graph);
  num_nodes_ += static_cast<int64_t>(graph.num_nodes());
  std::vector<Problem> inside;
  for (const Node& node : graph.nodes) {
    body->nodes.emplace_back();
    if (module.op(node).entry == nullptr) continue;
    if (num_nodes_ > limits_.nodes) {
      inside.push_back({"limit", ""});
      break;
    }
    std::vector<Type> of_node;
    body->nodes.back() = ExpandCall(
        CallOf(module, graph, body->instance.facts, types, node), module.opsets,
        AttributesOf(module, graph, node), depth, &of_node, &inside);
    for (uint32_t i = 0; i < module.num_results(node) && i < of_node.size();
         ++i) {
      types[node.results_begin + i] = of_node[i];
    }
  }
  if (inside.empty() &&
      !ResultsFit(body->instance, types, *derived.call, result_types)) {
    inside.push_back({"type_mismatch", ""});
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
        return a.kind == b.kind &&
               (a.kind == Given::Kind::kGraphValue ? a.value == b.value
                                                   : a.constant == b.constant);
      });
  if (difference.has_value()) {
    contradictions_.push_back(
        absl::StrCat(original.entry->name(), ": ", *difference));
  }
}

}  // namespace oracle
}  // namespace opcompat
