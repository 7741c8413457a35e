// What the command line is to have and does not have yet: said so, rather than
// reported as unknown.
#ifndef OPCOMPAT_TOOLS_LATER_H_
#define OPCOMPAT_TOOLS_LATER_H_

#include <string>
#include <vector>

namespace opcompat {

// `arguments` is a command line without the program's name. Returns what it
// asks for that is not available yet (`reduce`), or an empty string.
std::string NotAvailableYet(const std::vector<std::string>& arguments);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_LATER_H_
