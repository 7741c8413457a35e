// `opcompat convert`: modules between text and bytes, and between versions.
#ifndef OPCOMPAT_TOOLS_CONVERT_COMMAND_H_
#define OPCOMPAT_TOOLS_CONVERT_COMMAND_H_

#include "CLI/App.hpp"
#include "tools/command.h"

namespace opcompat {

// Both must outlive the parsing and the run.
void AddConvertCommand(CLI::App* app, CommandContext* context);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_CONVERT_COMMAND_H_
