// What may be the id of a version, such as `2.6.0`.
#ifndef OPCOMPAT_SCHEMA_VERSION_ID_H_
#define OPCOMPAT_SCHEMA_VERSION_ID_H_

#include <string>

#include "absl/strings/string_view.h"

namespace opcompat {

// What is wrong with it, naming the character; empty if nothing is. Ids stand
// in command lines (`torch@2.6.0`), headers of .ops files, quoted text and
// names of files, so none has what would end or divide it there: whitespace,
// control characters, @ " \ / > # and the comma. `all` stands for every
// version.
std::string FaultOfVersionId(absl::string_view id);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_VERSION_ID_H_
