// What the operators of a history really do, as far as a history can say it:
// which argument of one version is which of another, what it does where it is
// not known, and how revisions relate. Kernels (kernels.h) compute from it.
//
// Worked out from what people declared, schema by schema, with no line of the
// code that works out what a version knows (schema/evolution), nor of binding
// or the oracle: a third reading of docs/compatibility.md. What a careless
// history does not declare (Secret) is added on top, so that kernels do what
// the operators do, and not what the history says of them.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_TRUTH_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_TRUTH_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "ir/module.h"
#include "schema/operator_schema.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace simulation {

// An operator at one version. Ids are the same over all versions.
struct TrueOperator {
  struct Exposed {
    int id = 0;
    Argument argument;
  };
  // An argument that is gone: what it stands at; nullopt: nobody knows.
  struct Hidden {
    int id = 0;
    absl::optional<Value> value;
  };
  int id = 0;
  uint32_t revision = 1;
  // Grows with each change of meaning that nobody declared.
  uint32_t secret_revision = 0;
  std::vector<Exposed> exposed;  // in schema order
  std::vector<Hidden> hidden;
  std::vector<Result> results;
};

// An argument over all its versions.
struct TrueArgument {
  absl::optional<Value> neutral;
  // Its types have been both int and float: 1 and 1.0 are one value.
  bool is_float = false;
  // Its types have been both T and `T[n]`: a lone value is n copies.
  int64_t num_copies = 0;
  // By revision: values that mean others, and hints, which mean nothing.
  std::map<uint32_t, std::vector<std::pair<Value, Value>>> equal_values;
  std::map<uint32_t, bool> is_hint;
};

// What one revision of an operator means in terms of other operators.
struct TrueStep {
  struct Condition {
    int argument = 0;
    std::vector<Value> one_of;
    std::vector<Type> types;
  };
  struct Case {
    std::vector<Condition> when;  // all of them
    // Null: the same as the operator's next revision.
    std::shared_ptr<const Module> graph;
  };
  // The operator on this side of the step: its arguments are the parameters.
  TrueOperator side;
  std::vector<Case> cases;   // the first whose conditions hold
  size_t graph_version = 0;  // whose operators the graphs call
};

class Truth {
 public:
  // Of the history that `loaded` is of; `files` has its step graphs. Returns an
  // error if the history has faults.
  // Where a revision has graphs both ways, those upwards count: the others must
  // agree with them (those of simulated histories do).
  static absl::StatusOr<Truth> Create(const LoadedHistory& loaded,
                                      const HistoryFiles& files,
                                      const std::vector<Secret>& secrets = {});

  // Place of a version; nullopt: there is none.
  absl::optional<size_t> VersionIndex(absl::string_view id) const;
  // Null: the version has no operator of that name.
  const TrueOperator* Find(size_t version, absl::string_view op) const;
  const TrueArgument& argument(int id) const {
    return arguments_[static_cast<size_t>(id)];
  }
  // Null: the revision means nothing but itself.
  const TrueStep* FindStep(int op, uint32_t revision) const;

 private:
  friend class TruthReader;
  std::vector<std::string> ids_;
  std::vector<std::map<std::string, TrueOperator, std::less<>>> versions_;
  std::vector<TrueArgument> arguments_;
  std::map<std::pair<int, uint32_t>, TrueStep> steps_;
};

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_TRUTH_H_
