// Bytes -> module that a reader can run: decode, then bind. The outcome is
// "accepted with the writer's meaning" or "refused with every reason".
#ifndef OPCOMPAT_DESERIALIZER_DESERIALIZE_H_
#define OPCOMPAT_DESERIALIZER_DESERIALIZE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "binding/report.h"
#include "deserializer/decode.h"
#include "deserializer/decode_options.h"
#include "ir/module.h"
#include "schema/opset.h"

namespace opcompat {

struct DeserializeOptions : DecodeOptions {
  // Keep calls of operators that the reader lacks, opaque, instead of
  // refusing. For tools, not for running.
  bool keep_unknown_operators = false;
};

struct Loaded {
  Module module;
  LoadReport report;
};

// Returns the module as the reader's version would have written it, or all
// reasons at once in the status message, one a line; `reasons`, if not null,
// receives them. Codes: see RefusalStatus (binding/report.h).
// The module does not refer to `bytes`, unless `options.tensors` says so.
absl::StatusOr<Loaded> Deserialize(absl::string_view bytes,
                                   const Runtime& reader,
                                   const DeserializeOptions& options = {},
                                   std::vector<Reason>* reasons = nullptr);

}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_DESERIALIZE_H_
