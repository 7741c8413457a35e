// `opcompat schema`: a list of schemas, each printed canonically.
#ifndef OPCOMPAT_TOOLS_SCHEMA_COMMAND_H_
#define OPCOMPAT_TOOLS_SCHEMA_COMMAND_H_

#include "CLI/App.hpp"
#include "tools/command.h"

namespace opcompat {

// Both must outlive the parsing and the run.
void AddSchemaCommand(CLI::App* app, CommandContext* context);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_SCHEMA_COMMAND_H_
