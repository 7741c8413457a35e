// For tests and fuzz targets: the two ways in which the deserializer reads for a
// version other than the writer's, held against each other.
#ifndef OPCOMPAT_WIRE_TESTING_BOUND_READING_H_
#define OPCOMPAT_WIRE_TESTING_BOUND_READING_H_

#include <string>

#include "absl/strings/string_view.h"
#include "schema/opset.h"

namespace opcompat {

// Empty if Deserialize(file, reader), which may bind calls as it reads them,
// gives what BindModule gives for the decoded module: the same module, which
// verifies, and the same report, or the same refusal. Else the difference.
// Empty for a file that cannot be decoded and is refused.
std::string BoundReadingProblem(absl::string_view file, const Runtime& reader);

}  // namespace opcompat

#endif  // OPCOMPAT_WIRE_TESTING_BOUND_READING_H_
