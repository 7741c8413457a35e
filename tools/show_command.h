// `opcompat show`: a module as it was written, and what its bytes mean.
#ifndef OPCOMPAT_TOOLS_SHOW_COMMAND_H_
#define OPCOMPAT_TOOLS_SHOW_COMMAND_H_

#include "CLI/App.hpp"
#include "tools/command.h"

namespace opcompat {

// Both must outlive the parsing and the run.
void AddShowCommand(CLI::App* app, CommandContext* context);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_SHOW_COMMAND_H_
