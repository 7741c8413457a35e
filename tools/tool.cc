#include "tools/tool.h"

#include <string>
#include <vector>

#include "CLI/App.hpp"
#include "CLI/Config.hpp"
#include "CLI/Error.hpp"
#include "CLI/Option.hpp"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tools/check_command.h"
#include "tools/command.h"
#include "tools/convert_command.h"
#include "tools/diff_command.h"
#include "tools/equal_command.h"
#include "tools/help_formatter.h"
#include "tools/histories.h"
#include "tools/history_command.h"
#include "tools/history_of_command.h"
#include "tools/log_command.h"
#include "tools/matrix_command.h"
#include "tools/merge_command.h"
#include "tools/out_of_memory.h"
#include "tools/output.h"
#include "tools/readers_command.h"
#include "tools/reduce_command.h"
#include "tools/schema_command.h"
#include "tools/show_command.h"

namespace opcompat {
namespace {

constexpr char kFooter[] =
    R"(`opcompat COMMAND --help` explains each, with examples.
Exit status: 0 done, accepted, compatible; 1 refused, findings; 2 usage, or
input that is unreadable or malformed. Of a matrix also: 3 a reader crashed or
gave no answer; 4 something is misread.
)";

// The command that the user meant, as far as it was recognized.
std::string Recognized(const CLI::App& app) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  if (commands.empty()) return "opcompat";
  const std::vector<CLI::App*> below = commands[0]->get_subcommands();
  return absl::StrCat("opcompat ", commands[0]->get_name(),
                      below.empty() ? "" : " ",
                      below.empty() ? "" : below[0]->get_name());
}

// The files that the command line gives to the command.
std::vector<std::string> InputsOf(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands()[0];
  }
  std::vector<std::string> inputs;
  for (const CLI::Option* option : command->get_options()) {
    if (!option->get_positional()) continue;
    const std::vector<std::string> values = option->results();
    inputs.insert(inputs.end(), values.begin(), values.end());
  }
  return inputs;
}

int UsageError(const std::string& command, const std::string& what) {
  PrintError(absl::StrCat(command, ": ", what, "\nRun `", command,
                          " --help` for what is expected."));
  return kExitBadInput;
}

// CLI11 takes `--html=` for `--html`, and what comes next for its value.
// Returns the flag; empty: there is none.
std::string FlagWithoutValue(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const absl::string_view argument = argv[i];
    if (argument == "--") break;
    if (absl::StartsWith(argument, "--") &&
        argument.find('=') == argument.size() - 1) {
      return std::string(argument);
    }
  }
  return "";
}

}  // namespace

int RunTool(int argc, char** argv) {
  CommandContext context{Histories(FindShippedHistories()), nullptr};
  CLI::App app(
      "Keeps serialized operator graphs loadable while the operators "
      "change.",
      "opcompat");
  app.formatter(MakeHelpFormatter());
  app.require_subcommand(1);
  app.footer(kFooter);
  AddMatrixCommand(&app, &context);
  AddMergeCommand(&app, &context);
  AddHistoryOfCommand(&app, &context);
  AddReadersCommand(&app, &context);
  AddConvertCommand(&app, &context);
  AddShowCommand(&app, &context);
  AddEqualCommand(&app, &context);
  AddSchemaCommand(&app, &context);
  AddHistoryCommand(&app, &context);
  AddCheckCommand(&app, &context);
  AddDiffCommand(&app, &context);
  AddLogCommand(&app, &context);
  AddReduceCommand(&app, &context);
  // The library below reports with exceptions; they end here.
  try {
    if (const std::string flag = FlagWithoutValue(argc, argv); !flag.empty()) {
      std::string name = "opcompat";
      for (const CLI::App* command : app.get_subcommands(nullptr)) {
        if (command->get_name() == argv[1])
          absl::StrAppend(&name, " ", argv[1]);
      }
      return UsageError(
          name,
          absl::StrCat(OneLine(flag), ": expected a value behind the `=`"));
    }
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help) == 0 ? kExitDone : kExitBadInput;
  } catch (const CLI::ParseError& error) {
    const std::string command = Recognized(app);
    const std::vector<std::string> rest = app.remaining();
    const bool unknown = app.get_subcommands().empty() && !rest.empty();
    return UsageError(command,
                      unknown ? absl::StrCat("no command or flag is called `",
                                             OneLine(rest[0]), "`")
                              : OneLine(error.what()));
  }
  return RunWithinMemory(OutOfMemoryMessage(Recognized(app), InputsOf(app)),
                         context.run);
}

}  // namespace opcompat
