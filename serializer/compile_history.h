// History -> the form that a device loads (wire/compiled_history.proto): no
// text parser is needed to read it, and step graphs are inside as module files.
// Knows nothing of loading (deserializer/compiled_history.h).
#ifndef OPCOMPAT_SERIALIZER_COMPILE_HISTORY_H_
#define OPCOMPAT_SERIALIZER_COMPILE_HISTORY_H_

#include <string>

#include "absl/status/statusor.h"
#include "schema/history.h"

namespace opcompat {

// Returns the file, the same for equal histories on every machine. It has every
// version; what versions have in common is stored once.
// Returns InvalidArgument if a type, a constant or a step graph is larger than
// readers take.
absl::StatusOr<std::string> CompileHistory(const OpsetHistory& history);

}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_COMPILE_HISTORY_H_
