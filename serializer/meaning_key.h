// Whether two modules of one version say the same: how the serializer checks
// what it is about to hand out.
#ifndef OPCOMPAT_SERIALIZER_MEANING_KEY_H_
#define OPCOMPAT_SERIALIZER_MEANING_KEY_H_

#include "absl/status/statusor.h"
#include "ir/module.h"
#include "serializer/encode.h"

namespace opcompat {

// Returns what is the same for two modules iff they are equal modules up
// to
//   * whether an argument at its default is written or left out;
//   * which constant stands at an argument that has equal values (`None` means
//     `0`): how those relate is for binding to say;
//   * names of values and source locations.
// Precondition: `module` verifies.
absl::StatusOr<EncodedModule> MeaningKey(const Module& module);

}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_MEANING_KEY_H_
