// `opcompat history-of`: when a cell of the matrix changed its state, from the
// runs that `opcompat matrix --db` has stored.
#ifndef OPCOMPAT_TOOLS_HISTORY_OF_COMMAND_H_
#define OPCOMPAT_TOOLS_HISTORY_OF_COMMAND_H_

#include "tools/command.h"

namespace opcompat {

void AddHistoryOfCommand(CLI::App* app, CommandContext* context);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_HISTORY_OF_COMMAND_H_
