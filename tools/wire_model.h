// What the bytes of a module file are, as JSON: where each part lies, the
// tables, and for each call form what is written and what was left out.
#ifndef OPCOMPAT_TOOLS_WIRE_MODEL_H_
#define OPCOMPAT_TOOLS_WIRE_MODEL_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"

namespace opcompat {

// Returns an object with: size, wire_version, checksum, required_features,
// written, metadata, layout, strings, types, constants, tensors, operators,
// forms, attributes, named_tensors, functions, debug. `offset` and `size`
// count bytes of the file.
// Returns what Decode does if the file is not one that it accepts.
absl::StatusOr<nlohmann::ordered_json> WireModel(absl::string_view bytes);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_WIRE_MODEL_H_
