// `opcompat history`: loads and checks a history, and says what is in it.
#ifndef OPCOMPAT_TOOLS_HISTORY_COMMAND_H_
#define OPCOMPAT_TOOLS_HISTORY_COMMAND_H_

#include "CLI/App.hpp"
#include "tools/command.h"

namespace opcompat {

// Both must outlive the parsing and the run.
void AddHistoryCommand(CLI::App* app, CommandContext* context);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_HISTORY_COMMAND_H_
