// `opcompat diff`: what differs between two versions, or two .ops files.
#ifndef OPCOMPAT_TOOLS_DIFF_COMMAND_H_
#define OPCOMPAT_TOOLS_DIFF_COMMAND_H_

#include "CLI/App.hpp"
#include "tools/command.h"

namespace opcompat {

// Both must outlive the parsing and the run.
void AddDiffCommand(CLI::App* app, CommandContext* context);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_DIFF_COMMAND_H_
