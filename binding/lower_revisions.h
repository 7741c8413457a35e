// What a writer does last: each call goes out at the lowest revision that
// unchanged steps reach, so that the most readers can take it.
#ifndef OPCOMPAT_BINDING_LOWER_REVISIONS_H_
#define OPCOMPAT_BINDING_LOWER_REVISIONS_H_

#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {

// Returns `module` with each call at the lowest revision, at that revision's
// last schema in `writer`. Ignorable arguments are never dropped for it. Calls
// of operators that the writer lacks, and all calls at revision 1, stay.
// Precondition: Verify(module) is OK and its entries are the writer's.
Module LowerRevisions(const Module& module, const Runtime& writer);

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_LOWER_REVISIONS_H_
