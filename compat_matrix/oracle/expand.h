// What a call of a module becomes at its reader or target: one call, or the
// nodes of a step graph, whose calls become calls or nodes in turn. By its own
// plain expansion, one call at a time.
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_EXPAND_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_EXPAND_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "compat_matrix/oracle/call.h"
#include "compat_matrix/oracle/expand_instance.h"
#include "compat_matrix/oracle/identity.h"
#include "compat_matrix/oracle/steps.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {
namespace oracle {

struct ExpandedBody;

// One of the two, or none: refused.
struct Expansion {
  absl::optional<Call> call;
  std::shared_ptr<const ExpandedBody> body;
};

struct ExpandedBody {
  Instance instance;
  // By node of the instance; those of intrinsics are empty.
  std::vector<Expansion> nodes;
};

// What may come out of one call: more is refused with `limit`.
struct ExpansionLimits {
  int64_t nodes = 100000;
  int nested_bodies = 200;
};

// Keeps references to what it is given. For one thread.
class Expander {
 public:
  // As Derivation has them.
  Expander(const Runtime& reader, const Runtime* writer, bool as_target,
           const ExpansionLimits& limits = {})
      : derivation_(reader, writer, as_target), limits_(limits) {}

  // What a call of a module becomes, whose opsets and the node's attributes
  // are these. `result_types` receives the types of its results at the reader.
  // If it is refused, the reasons are added to `problems`: the call's own, or
  // those of calls in step graphs, without their arguments.
  Expansion Expand(const Call& call, const std::vector<OpsetVersion>& opsets,
                   const NodeAttributes& attributes,
                   std::vector<Type>* result_types,
                   std::vector<Problem>* problems);

  // As Derivation has it.
  absl::optional<PassedArguments> ArgumentsPassedOn(
      const OperatorEntryPtr& entry) {
    return derivation_.ArgumentsPassedOn(entry);
  }
  bool IsTheSameThere(const OperatorEntryPtr& entry,
                      const std::vector<OpsetVersion>& opsets) {
    return derivation_.IsTheSameThere(entry, opsets);
  }

  // Where the two halves of the model disagree: the table derives a call, and
  // by the definition of meaning that is another one. Empty, or the oracle is
  // wrong.
  const std::vector<std::string>& contradictions() const {
    return contradictions_;
  }

 private:
  // `depth`: in how many bodies the call stands.
  Expansion ExpandCall(const Call& call,
                       const std::vector<OpsetVersion>& opsets,
                       const NodeAttributes& attributes, int depth,
                       std::vector<Type>* result_types,
                       std::vector<Problem>* problems);
  // `result_types`: by result of the call; set where it is used.
  Expansion ExpandBody(const Derived& derived, const NodeAttributes& attributes,
                       int depth, std::vector<Type>* result_types,
                       std::vector<Problem>* problems);
  void FindContradiction(const Call& original, const Call& derived);

  Derivation derivation_;
  const ExpansionLimits limits_;
  std::vector<std::string> contradictions_;
  int64_t num_nodes_ = 0;  // of the call at hand
};

}  // namespace oracle
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_EXPAND_H_
