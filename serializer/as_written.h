// A module in the form in which a version writes it down.
#ifndef OPCOMPAT_SERIALIZER_AS_WRITTEN_H_
#define OPCOMPAT_SERIALIZER_AS_WRITTEN_H_

#include "absl/status/statusor.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {

// Whether AsWritten would return the module as it is, for any writer.
bool IsAsWritten(const Module& module);

// Returns `module` with each call at the lowest revision that `writer`'s
// unchanged steps reach, in canonical form.
// Precondition: `module` verifies, is canonical, and its entries are
// `writer`'s or opaque.
absl::StatusOr<Module> AsWritten(const Module& module, const Runtime& writer);

}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_AS_WRITTEN_H_
