// From a call as its writer made it to the call that a reader, or a target,
// must see: who the operator is there, and the steps between revisions and
// around versions that lack the operator (docs/compatibility.md). Says which
// graph takes the place of a call; what comes of that is in oracle_expand.h.
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_STEPS_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_STEPS_H_

#include <map>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "compat_matrix/oracle/bind.h"
#include "compat_matrix/oracle/call.h"
#include "compat_matrix/oracle/identity.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {
namespace oracle {

// What a call becomes.
struct Derived {
  // As the reader (the target) must have it; or, if there is a graph, as the
  // graph takes it. Nullopt: refused.
  absl::optional<Call> call;
  // Stands in the place of `call`; has a body. Null: none is needed. (Without a
  // call: the graph that should, and cannot.)
  const StepGraph* graph = nullptr;
  // The code of a refusal that is the step's own: no_upgrader, no_downgrader.
  const char* code = "";
};

// By exposed argument of an entry: the reader's argument that a constant at it
// becomes, whatever its value. Nullopt: that depends on the value.
using PassedArguments = std::vector<absl::optional<size_t>>;

// Keeps references to what it is given. For one thread.
class Derivation {
 public:
  // `writer` may be null: then nothing is known of the writer's older
  // revisions, calls go out as they are, and no step down can be taken.
  Derivation(const Runtime& reader, const Runtime* writer, bool as_target);

  // A call of a module goes out at the lowest revision that unchanged steps
  // reach; one of a step graph is nowhere written, and stays as it is.
  enum class Where { kInModule, kInStepGraph };

  // `opsets` are the versions of the module (or the step graph) of the call.
  // If it is refused, the reasons are added to `problems`.
  Derived Derive(const Call& call, const std::vector<OpsetVersion>& opsets,
                 Where where, std::vector<Problem>* problems);

  // What can be said of all calls of a module at `entry`, whatever they give;
  // nullopt: nothing, because there are revisions, or steps around versions.
  absl::optional<PassedArguments> ArgumentsPassedOn(
      const OperatorEntryPtr& entry);
  // Whether a call of a module at `entry` is the same call at the reader,
  // whatever it gives, because their entries are equal and there is no step
  // that could be taken.
  bool IsTheSameThere(const OperatorEntryPtr& entry,
                      const std::vector<OpsetVersion>& opsets);

  // How the arguments of two entries of one operator correspond for the reader.
  // Precondition: `at_reader` is what Derive made of a call.
  const Pairing& PairingAtReader(const OperatorEntryPtr& original,
                                 const OperatorEntryPtr& at_reader);

 private:
  // An operator in some runtime.
  struct Known {
    const OperatorInfo* info = nullptr;  // null: unknown, or see below
    const Opset* opset = nullptr;
    bool is_removed = false;
    // Its names lead to several operators.
    bool contradicts = false;
    // Its schema cannot be used.
    bool is_faulty = false;
  };
  // The only revision of an operator that the reader has; null: there are
  // more, or it has none.
  static OperatorEntryPtr OnlyEntry(const OperatorEntry& entry,
                                    const Known& reader);
  // Whether an operator of these names is another one at the reader.
  static bool IsOther(const OperatorEntry& entry, const Known& reader,
                      const std::vector<OpsetVersion>& opsets);
  // By its history and all its names: among what the runtime has, else among
  // what it had.
  static Known Find(const OperatorEntry& entry, const Runtime& runtime);

  // As Pair, remembered for each pair of entries.
  const Pairing& PairingOf(const OperatorEntryPtr& a, const OperatorEntryPtr& b,
                           const Opset& order);
  absl::optional<Call> Bind(const Call& call, const OperatorEntryPtr& to,
                            const Opset& order, Ignorable ignorable,
                            std::vector<Problem>* problems);

  // The call at the lowest revision that unchanged steps reach: what the file
  // says.
  Call Lowered(Call call);
  // `first` is at the first schema of its revision. The call at the revision
  // before, if nothing changed.
  absl::optional<Call> UnchangedDown(const Call& first, const Known& known,
                                     Ignorable ignorable);

  // Each takes the call some steps further: true if it is a call still; else
  // `derived` says what it became (nothing: refused).
  bool StepUp(Call* call, const Known& reader, Derived* derived,
              std::vector<Problem>* problems);
  bool StepDown(Call* call, uint32_t to_revision, const Known& writer,
                Derived* derived, std::vector<Problem>* problems);
  // For a reader that lost the operator: by its own steps.
  Derived DeriveRemoved(Call call, const Known& reader,
                        std::vector<Problem>* problems);
  // For a target that lacks the operator: by the writer's steps.
  Derived DeriveAdded(Call call, std::vector<Problem>* problems);

  const Runtime& reader_;
  const Runtime* const writer_;
  const bool as_target_;
  std::map<std::pair<const OperatorEntry*, const OperatorEntry*>, Pairing>
      pairings_;
  std::vector<OperatorEntryPtr> kept_;  // owners of the keys
};

}  // namespace oracle
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_STEPS_H_
