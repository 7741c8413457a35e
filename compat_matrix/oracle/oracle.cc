#include "compat_matrix/oracle/oracle.h"

#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "compat_matrix/oracle/expand.h"
#include "compat_matrix/oracle/expand_module.h"

namespace opcompat {

Prediction Predict(const Module& module, const Runtime& writer,
                   const Runtime& reader, bool as_target) {
  Prediction prediction;
  oracle::Expander expander(reader, &writer, as_target);
  std::vector<oracle::RefusedCall> refused;
  oracle::ExpectedModule(module, &expander, &refused);
  std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
  for (oracle::RefusedCall& call : refused) {
    if (seen.emplace(call.problem.code, call.function, call.op,
                     call.problem.argument)
            .second) {
      prediction.refusals.push_back(
          {std::move(call.problem.code), std::move(call.function),
           std::move(call.op), std::move(call.problem.argument)});
    }
  }
  prediction.accepted = prediction.refusals.empty();
  return prediction;
}

}  // namespace opcompat
