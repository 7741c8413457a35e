// Declarations of a history, in words.
#ifndef OPCOMPAT_TOOLS_DECLARED_TEXT_H_
#define OPCOMPAT_TOOLS_DECLARED_TEXT_H_

#include <string>

#include "schema/declared_history.h"

namespace opcompat {

// The field of history.proto that a change sets: `neutral_value`.
std::string DeclaredKind(const DeclaredChange& change);

// What it says, on one line, without operator and note:
// `neutral_value of border: 0`.
std::string DeclaredText(const DeclaredChange& change);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_DECLARED_TEXT_H_
