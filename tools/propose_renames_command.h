// `opcompat history propose-renames`: likely renames that a history does not
// declare, for a person to confirm.
#ifndef OPCOMPAT_TOOLS_PROPOSE_RENAMES_COMMAND_H_
#define OPCOMPAT_TOOLS_PROPOSE_RENAMES_COMMAND_H_

#include "CLI/App.hpp"
#include "tools/command.h"

namespace opcompat {

// Both must outlive the parsing and the run.
void AddProposeRenamesCommand(CLI::App* history, CommandContext* context);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_PROPOSE_RENAMES_COMMAND_H_
