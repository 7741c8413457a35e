#include "compat_matrix/oracle.h"

#include <set>
#include <tuple>
#include <utility>

#include "compat_matrix/oracle_call.h"
#include "compat_matrix/oracle_identity.h"
#include "compat_matrix/oracle_steps.h"

namespace opcompat {

Prediction Predict(const Module& module, const Runtime& writer,
                   const Runtime& reader, bool as_target) {
  Prediction prediction;
  oracle::Derivation derivation(module.opsets, reader, &writer, as_target);
  std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
  for (const Function& function : module.functions) {
    const oracle::GraphFacts facts = oracle::FactsOf(module, function.graph);
    for (const Node& node : function.graph.nodes) {
      if (module.op(node).entry == nullptr) continue;
      std::vector<oracle::Problem> problems;
      derivation.Derive(oracle::CallOf(module, function.graph, facts, node),
                        &problems);
      for (oracle::Problem& problem : problems) {
        const std::string op(module.op(node).name());
        if (seen.emplace(problem.code, function.name, op, problem.argument)
                .second) {
          prediction.refusals.push_back({std::move(problem.code), function.name,
                                         op, std::move(problem.argument)});
        }
      }
    }
  }
  prediction.accepted = prediction.refusals.empty();
  return prediction;
}

}  // namespace opcompat
