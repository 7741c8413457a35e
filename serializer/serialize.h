// Module -> bytes (docs/wire_format.md). Leaves out every argument whose
// effective value is, bit for bit, the default of the schema that travels in
// the same file. Knows nothing of decoding.
#ifndef OPCOMPAT_SERIALIZER_SERIALIZE_H_
#define OPCOMPAT_SERIALIZER_SERIALIZE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/module.h"
#include "schema/opset.h"
#include "serializer/byte_sink.h"
#include "serializer/options.h"
#include "serializer/target_refusal.h"

namespace opcompat {

// Returns the file, the same for equal modules on every machine. `module` must
// verify, and its entries must be `writer`'s (or opaque ones: operators that
// the writer lacks, which go out as they came).
//   * InvalidArgument: the module does not verify, or it has an entry or an
//     opset version that is not `writer`'s;
//   * the code of RefusalStatus (binding/report.h): a target refuses; the
//     message has every reason, one a line, and `refusals`, if not null,
//     receives them;
//   * Internal: the file for a target, read again, is not what was to be
//     written. Our bug; nothing is handed out.
absl::StatusOr<std::string> Serialize(
    const Module& module, const Runtime& writer,
    const SerializeOptions& options = {},
    std::vector<TargetRefusal>* refusals = nullptr);

// The same file to `sink`, piece by piece: the bytes of large tensors are
// never copied. Nothing is appended unless the module can be written; an error
// of the sink is returned as it is. For a file that appears whole or not at
// all see serializer/output_file.h.
absl::Status SerializeTo(const Module& module, const Runtime& writer,
                         const SerializeOptions& options, ByteSink* sink,
                         std::vector<TargetRefusal>* refusals = nullptr);

}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_SERIALIZE_H_
