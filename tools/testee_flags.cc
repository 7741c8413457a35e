#include "tools/testee_flags.h"

#include <chrono>
#include <memory>
#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "compat_matrix/testees/command_line.h"
#include "compat_matrix/testees/pipe_author.h"
#include "compat_matrix/testees/pipe_process.h"
#include "compat_matrix/testees/pipe_testee.h"
#include "compat_matrix/testees/testee_program.h"
#include "schema/history.h"
#include "tools/command.h"
#include "tools/number_flags.h"

namespace opcompat {
namespace {

absl::StatusOr<std::vector<TesteeProgramOptions>> MakePrograms(
    const std::vector<std::string>& commands, absl::string_view flag,
    absl::string_view ability, const TesteeFlags& flags,
    const Histories& histories) {
  std::vector<TesteeProgramOptions> programs;
  // What runs in this process is always there.
  std::set<std::string> names = {"in-process"};
  for (const std::string& text : commands) {
    absl::StatusOr<NamedCommand> named = ParseNamedCommand(text);
    if (!named.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(flag, ": ", named.status().message()));
    }
    if (!names.insert(named->name).second) {
      return absl::InvalidArgumentError(
          absl::StrCat(flag, ": two are called ", named->name,
                       "; give them names: NAME=PROGRAM"));
    }
    TesteeProgramOptions options;
    options.name = std::move(named->name);
    options.process.command = std::move(named->command);
    options.ability = std::string(ability);
    options.process.memory_limit = flags.memory;
    options.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::duration<double>(flags.timeout_seconds));
    options.history_path = [&histories](const OpsetHistory& history) {
      return histories.FileOf(history);
    };
    const absl::Status started = TesteeProgram(options).Start();
    if (!started.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(flag, "=", options.name, ": ", started.message()));
    }
    programs.push_back(std::move(options));
  }
  return programs;
}

}  // namespace

void AddTesteeFlags(CLI::App* app, TesteeFlags* flags) {
  constexpr char kGroup[] = "Programs";
  AddRepeatable(app, "--testee", &flags->testees,
                "A program that reads, a column of its own beside in-process: "
                "docs/testee_protocol.md. Split at spaces, with quotes as in a "
                "shell; NAME is what reports call it. Repeatable")
      ->type_name("[NAME=]PROGRAM")
      ->group(kGroup);
  AddRepeatable(app, "--writer-program", &flags->writer_programs,
                "A program that writes the files once more, for cells of its "
                "own; as --testee. Repeatable")
      ->type_name("[NAME=]PROGRAM")
      ->group(kGroup);
  app->add_option("--testee-timeout", flags->timeout_seconds,
                  "Time for an answer of a program; then it is killed, and the "
                  "cell has hung. Default: 10")
      ->type_name("SECONDS")
      ->check(RealNumber(0.001, 1e6))
      ->group(kGroup);
  TakesSize(app->add_option("--testee-memory", flags->memory,
                            "Address space that a program may have, as 512MB "
                            "or 8GB; 0: no limit. Default: 4GB")
                ->type_name("SIZE")
                ->group(kGroup));
}

absl::Status AddPrograms(const TesteeFlags& flags, const Histories& histories,
                         RunOptions* run) {
  // A program that hangs does not stay when the user gives up.
  if (!flags.testees.empty() || !flags.writer_programs.empty()) {
    EndProgramsOnSignals();
  }
  OPCOMPAT_ASSIGN_OR_RETURN(
      std::vector<TesteeProgramOptions> programs,
      MakePrograms(flags.testees, "--testee", "read", flags, histories));
  for (TesteeProgramOptions& options : programs) {
    run->testees.push_back({options.name, [options] {
                              return std::make_unique<PipeTestee>(options);
                            }});
  }
  OPCOMPAT_ASSIGN_OR_RETURN(
      programs, MakePrograms(flags.writer_programs, "--writer-program", "write",
                             flags, histories));
  for (TesteeProgramOptions& options : programs) {
    run->authors.push_back({options.name, [options] {
                              return std::make_unique<PipeAuthor>(options);
                            }});
  }
  return absl::OkStatus();
}

std::vector<std::string> FilesOfPrograms(const TesteeFlags& flags) {
  std::vector<std::string> files;
  for (const auto* commands : {&flags.testees, &flags.writer_programs}) {
    for (const std::string& text : *commands) {
      const absl::StatusOr<NamedCommand> named = ParseNamedCommand(text);
      if (!named.ok()) continue;
      files.insert(files.end(), named->command.begin(), named->command.end());
    }
  }
  return files;
}

}  // namespace opcompat
