#include "tools/reduce_command.h"

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_macros.h"
#include "compat_matrix/simulation/case_check.h"
#include "compat_matrix/simulation/case_file.h"
#include "compat_matrix/simulation/law_case.h"
#include "compat_matrix/simulation/laws.h"
#include "compat_matrix/simulation/reduce.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "tools/case_command.h"
#include "tools/inputs.h"
#include "tools/number_flags.h"
#include "tools/output.h"
#include "tools/progress.h"

namespace opcompat {
namespace {

using simulation::CaseFile;
using simulation::CaseProblem;
using simulation::Law;
using simulation::LawOptions;
using simulation::ReducibleCase;
using simulation::StillFails;

struct ReduceCommandOptions {
  OutputOptions output;
  std::string input;
  std::string law;
  std::string command;
  uint64_t max_tries = 20000;
};

constexpr char kFooter[] = R"(Examples:
  opcompat reduce found.case -o smallest.case
  opcompat reduce found.case --law=no-misread
  opcompat reduce found.case --run='./my_check --case={} --strict'

Takes versions, operators, arguments, declarations and nodes away for as long as
the case still fails, and prints the smallest one. By default it fails as it does
now: it breaks the first law that it breaks, or is refused for the reasons that the
file does not expect. With --run it fails where COMMAND ends with another status than
0 (126 and 127 are errors: a shell could not run something); what COMMAND is
given loads and parses. One that may hang: --run='timeout 10 my_check'.
docs/fuzzing.md says what is in a case; fuzz/crashers/ has some.
Exit status: 0 printed; 2 the case does not fail, or is none, or usage; 130
interrupted (the smallest one until then is printed).
)";

volatile std::sig_atomic_t interrupted = 0;

void Interrupt(int /*signal*/) { interrupted = 1; }

// While it lives, the first SIGINT or SIGTERM sets `interrupted` and nothing
// else; the second one ends the process.
class FirstSignal {
 public:
  FirstSignal() {
    struct sigaction action = {};
    action.sa_handler = Interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigaction(SIGINT, &action, &old_interrupt_);
    sigaction(SIGTERM, &action, &old_terminate_);
  }
  ~FirstSignal() {
    sigaction(SIGINT, &old_interrupt_, nullptr);
    sigaction(SIGTERM, &old_terminate_, nullptr);
  }
  FirstSignal(const FirstSignal&) = delete;
  FirstSignal& operator=(const FirstSignal&) = delete;

 private:
  struct sigaction old_interrupt_;
  struct sigaction old_terminate_;
};

std::string LawNames() {
  std::string names;
  for (size_t i = 0; i < simulation::kNumLaws; ++i) {
    const Law law = static_cast<Law>(i);
    if (law == Law::kPromise) continue;  // no text says what was promised
    absl::StrAppend(&names, names.empty() ? "" : "|", simulation::LawName(law));
  }
  return names;
}

CLI::Validator IsLaw() {
  return CLI::Validator(
      [](const std::string& text) {
        const absl::optional<Law> law = simulation::LawOfName(text);
        return law.has_value() && *law != Law::kPromise
                   ? std::string()
                   : absl::StrCat(text, " is none of ", LawNames());
      },
      "");
}

// One reading alone breaks it, or all laws have to be looked at.
StillFails BreaksThatLaw(const ReducibleCase& failing, Law law) {
  LawOptions options;
  options.every_way = false;
  if (!BreaksLaw(failing, law, options)) options.every_way = true;
  return [law, options](const ReducibleCase& smaller) {
    return BreaksLaw(smaller, law, options);
  };
}

StillFails HasOutcome(std::set<std::string> codes) {
  return [codes = std::move(codes)](const ReducibleCase& smaller) {
    const absl::StatusOr<std::set<std::string>> now =
        simulation::ReasonCodesOf(smaller);
    return now.ok() && *now == codes;
  };
}

// What is wrong with the case, or what breaks `law` in it. Turns the case to
// the version where that shows. `problem` says it in a few words.
absl::StatusOr<StillFails> AsItFailsNow(const absl::optional<Law>& law,
                                        CaseFile* file, std::string* problem) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::vector<CaseProblem> problems,
                            simulation::ProblemsOf(*file));
  ReducibleCase& the_case = file->the_case;
  for (const CaseProblem& found : problems) {
    if (law.has_value() && found.law != law) continue;
    // What the file expects is about another reading then.
    if (the_case.reader != found.reader ||
        the_case.for_target != found.for_target) {
      file->expected.reset();
    }
    the_case.reader = found.reader;
    the_case.for_target = found.for_target;
    if (found.law.has_value()) {
      *problem = std::string(simulation::LawName(*found.law));
      StillFails still_fails = BreaksThatLaw(the_case, *found.law);
      if (!still_fails(the_case)) continue;
      return still_fails;
    }
    *problem = found.what;
    OPCOMPAT_ASSIGN_OR_RETURN(std::set<std::string> codes,
                              simulation::ReasonCodesOf(the_case));
    if (codes.empty()) {
      return absl::FailedPreconditionError(absl::StrCat(
          "every law holds, but ", found.what,
          ": what nothing is left of is "
          "accepted as well; say with --run=COMMAND when a case fails"));
    }
    return HasOutcome(std::move(codes));
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "the case does not fail: ",
      law.has_value()
          ? absl::StrCat("the law ", simulation::LawName(*law), " holds")
          : absl::StrCat("every law holds",
                         file->expected.has_value()
                             ? ", and its outcome is the expected one"
                             : "")));
}

// `*broken` is set if the command cannot be run any more: then nothing fails.
absl::StatusOr<StillFails> ByCommand(const ReduceCommandOptions& options,
                                     const CaseFile& file,
                                     std::shared_ptr<absl::Status> broken) {
  OPCOMPAT_ASSIGN_OR_RETURN(CaseCommand made,
                            CaseCommand::Create(options.command));
  const auto command = std::make_shared<const CaseCommand>(std::move(made));
  // (So that a program which is not there is an error, and no failure.)
  OPCOMPAT_ASSIGN_OR_RETURN(const bool fails,
                            command->Fails(CaseFileText(file)));
  if (!fails) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the case does not fail: `", options.command, "` ends with status 0"));
  }
  return [command, file, broken](const ReducibleCase& smaller) {
    if (!broken->ok() || !simulation::ReasonCodesOf(smaller).ok()) return false;
    CaseFile smaller_file = file;
    smaller_file.the_case = smaller;
    const absl::StatusOr<bool> fails =
        command->Fails(CaseFileText(smaller_file));
    broken->Update(fails.status());
    return fails.ok() && *fails;
  };
}

absl::StatusOr<StillFails> WhatFails(
    const ReduceCommandOptions& options,
    const std::shared_ptr<absl::Status>& broken, CaseFile* file,
    std::string* problem) {
  if (!options.command.empty()) {
    *problem = absl::StrCat("`", options.command, "`");
    return ByCommand(options, *file, broken);
  }
  absl::optional<Law> law;
  if (!options.law.empty()) law = simulation::LawOfName(options.law);
  return AsItFailsNow(law, file, problem);
}

std::string SizeOf(const ReducibleCase& the_case) {
  size_t num_nodes = 0;
  for (const absl::string_view line : absl::StrSplit(the_case.module, '\n')) {
    num_nodes += absl::StartsWith(line, " ") && absl::StrContains(line, " = ");
  }
  size_t num_versions = 0;
  for (const auto& [path, text] : the_case.files) {
    num_versions += absl::EndsWith(path, ".ops");
  }
  return absl::StrCat(num_nodes, num_nodes == 1 ? " node, " : " nodes, ",
                      num_versions,
                      num_versions == 1 ? " version" : " versions");
}

absl::StatusOr<int> RunReduceCommand(const ReduceCommandOptions& options) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::string text, ReadInput(options.input));
  absl::StatusOr<CaseFile> parsed = simulation::ParseCaseFile(text);
  if (!parsed.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.input, ":", parsed.status().message()));
  }
  CaseFile file = *std::move(parsed);
  std::string problem;
  const auto broken = std::make_shared<absl::Status>();
  const absl::StatusOr<StillFails> still_fails =
      WhatFails(options, broken, &file, &problem);
  if (!still_fails.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.input, ": ", still_fails.status().message()));
  }
  const std::string before = SizeOf(file.the_case);
  size_t num_tries = 0;
  {
    ProgressLine progress(options.output);
    simulation::ReduceOptions reduce;
    reduce.max_tries = static_cast<size_t>(options.max_tries);
    reduce.on_try = [&](size_t tries, const ReducibleCase& smallest) {
      num_tries = tries;
      progress.Show("reducing", tries, reduce.max_tries, SizeOf(smallest));
    };
    // What is not tried any more does not fail; nor does what was being tried,
    // as a command dies of the same signal.
    const StillFails until_interrupted = [&](const ReducibleCase& smaller) {
      return interrupted == 0 && (*still_fails)(smaller) && interrupted == 0;
    };
    const FirstSignal first_signal;
    file.the_case =
        ReduceCase(std::move(file.the_case), until_interrupted, reduce);
  }
  if (!broken->ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.input, ": after ", num_tries,
                     " tries: ", broken->message(), "; nothing is printed"));
  }
  PrintNote(options.output,
            absl::StrCat(problem, ": ", before, " -> ", SizeOf(file.the_case),
                         " in ", num_tries, " tries",
                         interrupted != 0
                             ? "; interrupted: there may be a smaller one"
                         : num_tries >= options.max_tries
                             ? "; there may be a smaller one (--max-tries)"
                             : ""));
  return Finish(options.output.path, CaseFileText(file),
                interrupted != 0 ? kExitInterrupted : kExitDone);
}

}  // namespace

void AddReduceCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "reduce", "A failing case, as small as it can be made");
  auto options = std::make_shared<ReduceCommandOptions>();
  command
      ->add_option("CASE", options->input,
                   "A case: a file as fuzzers print it, or `-`")
      ->required()
      ->type_name("FILE");
  CLI::Option* law =
      command
          ->add_option("--law", options->law,
                       absl::StrCat("It fails if it breaks this law: ",
                                    LawNames(), " (docs/simulation.md)"))
          ->type_name("LAW")
          ->check(IsLaw());
  command
      ->add_option("--run", options->command,
                   "It fails if this command ends with another status than 0. "
                   "The file with the case stands for {}, or is the last "
                   "argument; the command is split at spaces, with quotes as "
                   "in a shell")
      ->type_name("COMMAND")
      ->excludes(law);
  command
      ->add_option("--max-tries", options->max_tries,
                   "At most so many smaller cases are tried. Default: 20000")
      ->type_name("N")
      ->check(WholeNumber(1, 1000000000));
  AddPlaceFlags(command, &options->output,
                "Where the smallest case goes. Default: standard output");
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options] {
      const absl::StatusOr<int> code = RunReduceCommand(*options);
      if (code.ok()) return *code;
      PrintError(code.status().message());
      return static_cast<int>(kExitBadInput);
    };
  });
}

}  // namespace opcompat
