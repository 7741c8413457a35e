// `opcompat log`: the life of an operator over a history.
#ifndef OPCOMPAT_TOOLS_LOG_COMMAND_H_
#define OPCOMPAT_TOOLS_LOG_COMMAND_H_

#include "CLI/App.hpp"
#include "tools/command.h"

namespace opcompat {

// Both must outlive the parsing and the run.
void AddLogCommand(CLI::App* app, CommandContext* context);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_LOG_COMMAND_H_
