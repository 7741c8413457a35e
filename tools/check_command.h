// `opcompat check`: whether the changes of a history keep the meaning of every
// call.
#ifndef OPCOMPAT_TOOLS_CHECK_COMMAND_H_
#define OPCOMPAT_TOOLS_CHECK_COMMAND_H_

#include "CLI/App.hpp"
#include "tools/command.h"

namespace opcompat {

void AddCheckCommand(CLI::App* app, CommandContext* context);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_CHECK_COMMAND_H_
