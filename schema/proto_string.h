// Strings of protobuf's text format, for declarations that are proposed or
// shown as text.
#ifndef OPCOMPAT_SCHEMA_PROTO_STRING_H_
#define OPCOMPAT_SCHEMA_PROTO_STRING_H_

#include <string>

#include "absl/strings/string_view.h"

namespace opcompat {

// In double quotes, escaped; UTF-8 stays readable.
std::string ProtoString(absl::string_view s);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_PROTO_STRING_H_
