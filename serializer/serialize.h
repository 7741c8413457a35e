// Module -> bytes (docs/wire_format.md). Leaves out every argument whose
// effective value is, bit for bit, the default of the schema that travels in
// the same file. Knows nothing of decoding.
#ifndef OPCOMPAT_SERIALIZER_SERIALIZE_H_
#define OPCOMPAT_SERIALIZER_SERIALIZE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "binding/report.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {

enum class Elision {
  // Left out iff equal to the default, whoever wrote it.
  kEqualToDefault,
  // Left out iff the module leaves it out.
  kUnspecifiedOnly,
  // Nothing is left out: for readers that cannot fill in defaults.
  kNone,
};

struct SerializeOptions {
  Elision elision = Elision::kEqualToDefault;
  // Names of values and source locations.
  bool debug_information = true;
  // Versions of the writer's histories, at most one each, that must be able to
  // read the file (a Runtime of those versions; null: none). The module is
  // bound to it and then written as that version would write it.
  const Runtime* target = nullptr;
};

// Returns the file, the same for equal modules on every machine. `module` must
// verify, and its entries must be `writer`'s (or opaque ones: operators that
// the writer lacks, which go out as they came).
//   * InvalidArgument: the module does not verify;
//   * FailedPrecondition (or NotFound): the target refuses; the message has
//     every reason, and `reasons`, if not null, receives them.
absl::StatusOr<std::string> Serialize(const Module& module,
                                      const Runtime& writer,
                                      const SerializeOptions& options = {},
                                      std::vector<Reason>* reasons = nullptr);

}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_SERIALIZE_H_
