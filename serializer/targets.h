// Writing for versions that must be able to read the file.
//
// For one target: the module is bound to it, steps down included, and becomes
// what that version itself would write. For several, that is done for each of
// them, and the file for one of them (or, last, the one that the writer writes
// for itself) that all others can read is taken. None can misread it: each
// reads by the rules of docs/compatibility.md, which refuse rather than guess.
#ifndef OPCOMPAT_SERIALIZER_TARGETS_H_
#define OPCOMPAT_SERIALIZER_TARGETS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "ir/module.h"
#include "schema/opset.h"
#include "serializer/target_refusal.h"

namespace opcompat {

// Returns what is to be encoded: canonical, at the lowest revisions, with the
// entries of one target (or of `writer`). Every target has read it, plainly,
// before this returns, and the one whose entries it has has found in it what
// the module says.
//
// Of several files that all can read, one from which each reads exactly what
// the module becomes when it is bound to that version alone comes first (no
// hint dropped on the way, no call taken down and up again); then the one for
// the oldest target. The order of `targets` does not matter.
//   * the code of RefusalStatus: there is none, and `refusals`, if not null,
//     receives why: for each target that the module cannot be bound to, every
//     reason; and if there is no file for the others either, for each of them
//     the first of the others that refuses its file, with every reason;
//   * Internal: our bug.
// Precondition: `module` verifies, is canonical, and its entries are
// `writer`'s or opaque; `targets` is not empty.
absl::StatusOr<Module> WriteForTargets(
    const Module& module, const Runtime& writer,
    const std::vector<const Runtime*>& targets,
    std::vector<TargetRefusal>* refusals);

}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_TARGETS_H_
