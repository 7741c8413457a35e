// Declarations of a history as history.textproto would have them, each on one
// line: to compare two, and to show one in a message.
#ifndef OPCOMPAT_TOOLS_CHECK_DECLARATIONS_H_
#define OPCOMPAT_TOOLS_CHECK_DECLARATIONS_H_

#include <functional>
#include <string>

#include "schema/declared_history.h"

namespace opcompat {

// What stands for a step graph in the text, given its path.
using GraphNamer = std::function<std::string(const std::string& path)>;

// `neutral_value { argument: "border" value: "0" }`: without operator and
// note. Null `name_graph`: the path itself.
std::string DeclarationText(const DeclaredChange& change,
                            const GraphNamer& name_graph = nullptr);

// `gap { added_defaults_are_neutral: true }`; the exceptions in order of their
// names.
std::string GapText(const DeclaredGap& gap);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_CHECK_DECLARATIONS_H_
