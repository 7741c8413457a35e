// `opcompat reduce`: a failing case, made as small as it can be.
#ifndef OPCOMPAT_TOOLS_REDUCE_COMMAND_H_
#define OPCOMPAT_TOOLS_REDUCE_COMMAND_H_

#include "CLI/App.hpp"
#include "CLI/Config.hpp"
#include "CLI/Formatter.hpp"
#include "tools/command.h"

namespace opcompat {

void AddReduceCommand(CLI::App* app, CommandContext* context);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_REDUCE_COMMAND_H_
