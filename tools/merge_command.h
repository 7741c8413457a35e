// `opcompat merge`: every module x writer x reader, judged.
#ifndef OPCOMPAT_TOOLS_MERGE_COMMAND_H_
#define OPCOMPAT_TOOLS_MERGE_COMMAND_H_

#include "CLI/App.hpp"
#include "tools/command.h"

namespace opcompat {

// Both must outlive the parsing and the run.
void AddMergeCommand(CLI::App* app, CommandContext* context);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_MERGE_COMMAND_H_
