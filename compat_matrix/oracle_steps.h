// From a call as its writer made it to the call that a reader, or a target,
// must see: who the operator is there, and the steps between revisions
// (docs/compatibility.md). Steps that need a graph refuse.
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_STEPS_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_STEPS_H_

#include <map>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "compat_matrix/oracle_bind.h"
#include "compat_matrix/oracle_call.h"
#include "compat_matrix/oracle_identity.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {
namespace oracle {

// Keeps references to what it is given. For one thread.
class Derivation {
 public:
  // `opsets` are the module's versions. `writer` may be null: then nothing is
  // known of the writer's older revisions, calls go out as they are, and no
  // step down can be taken.
  Derivation(const std::vector<OpsetVersion>& opsets, const Runtime& reader,
             const Runtime* writer, bool as_target);

  // The call that the reader (the target) must end up with, or nullopt with
  // the reasons.
  absl::optional<Call> Derive(const Call& call, std::vector<Problem>* problems);

  // How the arguments of two entries of one operator correspond for the reader.
  // Precondition: `at_reader` is what Derive made of a call.
  const Pairing& PairingAtReader(const OperatorEntryPtr& original,
                                 const OperatorEntryPtr& at_reader);

 private:
  // As Pair, remembered for each pair of entries.
  const Pairing& PairingOf(const OperatorEntryPtr& a, const OperatorEntryPtr& b,
                           const Opset& order);
  // The call at the lowest revision that unchanged steps reach: what the file
  // says.
  Call Lowered(Call call);
  absl::optional<Call> Bind(const Call& call, const OperatorEntryPtr& to,
                            const Opset& order, Ignorable ignorable,
                            std::vector<Problem>* problems);
  // One step, if it is unchanged.
  absl::optional<Call> Up(const Call& call, const OperatorInfo& info,
                          const Opset& order);
  absl::optional<Call> Down(const Call& call, const OperatorInfo& info,
                            const Opset& order, Ignorable ignorable);
  // The operator in `runtime` by its history and names; null with a problem.
  const OperatorInfo* Find(const OperatorEntry& entry, const Runtime& runtime,
                           const Opset** opset, std::vector<Problem>* problems);

  const std::vector<OpsetVersion>& opsets_;
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
