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
#include "serializer/options.h"

namespace opcompat {

// Returns the file, the same for equal modules on every machine. `module` must
// verify, and its entries must be `writer`'s (or opaque ones: operators that
// the writer lacks, which go out as they came).
//   * InvalidArgument: the module does not verify, or it has an entry or an
//     opset version that is not `writer`'s;
//   * FailedPrecondition (or NotFound): the target refuses; the message has
//     every reason, and `reasons`, if not null, receives them.
absl::StatusOr<std::string> Serialize(const Module& module,
                                      const Runtime& writer,
                                      const SerializeOptions& options = {},
                                      std::vector<Reason>* reasons = nullptr);

}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_SERIALIZE_H_
