// `opcompat history add-version`: adds a version to a history.
#ifndef OPCOMPAT_TOOLS_ADD_VERSION_COMMAND_H_
#define OPCOMPAT_TOOLS_ADD_VERSION_COMMAND_H_

#include "CLI/App.hpp"
#include "tools/command.h"

namespace opcompat {

// Both must outlive the parsing and the run.
void AddAddVersionCommand(CLI::App* history, CommandContext* context);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_ADD_VERSION_COMMAND_H_
