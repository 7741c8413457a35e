// `opcompat readers`: which versions can read a module, and why not.
#ifndef OPCOMPAT_TOOLS_READERS_COMMAND_H_
#define OPCOMPAT_TOOLS_READERS_COMMAND_H_

#include "CLI/App.hpp"
#include "tools/command.h"

namespace opcompat {

// Both must outlive the parsing and the run.
void AddReadersCommand(CLI::App* app, CommandContext* context);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_READERS_COMMAND_H_
