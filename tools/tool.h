// The command line of opcompat as a whole: its subcommands, its help, and what
// is said of a command line that makes no sense.
#ifndef OPCOMPAT_TOOLS_TOOL_H_
#define OPCOMPAT_TOOLS_TOOL_H_

namespace opcompat {

// Runs the tool; returns its exit status (output.h).
int RunTool(int argc, char** argv);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_TOOL_H_
