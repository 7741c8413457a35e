// What the subcommands share: how they come into the command line, and the
// flags that all of them, or all that read modules, have.
//
// A subcommand is one function Add...Command, which declares its flags; its
// work is put into CommandContext::run when the command line names it.
#ifndef OPCOMPAT_TOOLS_COMMAND_H_
#define OPCOMPAT_TOOLS_COMMAND_H_

#include <functional>
#include <string>

#include "CLI/App.hpp"
#include "CLI/Config.hpp"
#include "CLI/Formatter.hpp"
#include "tools/histories.h"
#include "tools/output.h"

namespace opcompat {

struct CommandContext {
  Histories histories;
  // What to run once the whole command line is known to make sense; returns
  // the exit status.
  std::function<int()> run;
};

// --format, -o, --quiet, --color. `output_help` says what goes to -o.
void AddOutputFlags(CLI::App* app, OutputOptions* options,
                    const std::string& output_help);

// The same without --format, for a command that has formats of its own; and
// without --color, for one whose result has no colours.
void AddPlaceFlags(CLI::App* app, OutputOptions* options,
                   const std::string& output_help);
void AddPlaceAndColorFlags(CLI::App* app, OutputOptions* options,
                           const std::string& output_help);

// --history, --version.
void AddHistoryFlags(CLI::App* app, HistoryOptions* options);

// Adds a flag that may be repeated and takes one value each time.
CLI::Option* AddRepeatable(CLI::App* app, const std::string& name,
                           std::vector<std::string>* values,
                           const std::string& help);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_COMMAND_H_
