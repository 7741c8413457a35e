// `opcompat equal`: same bytes, equal modules, same meaning, or different.
#ifndef OPCOMPAT_TOOLS_EQUAL_COMMAND_H_
#define OPCOMPAT_TOOLS_EQUAL_COMMAND_H_

#include "CLI/App.hpp"
#include "tools/command.h"

namespace opcompat {

// Both must outlive the parsing and the run.
void AddEqualCommand(CLI::App* app, CommandContext* context);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_EQUAL_COMMAND_H_
