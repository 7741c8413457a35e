#include "tools/matrix_command.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "compat_matrix/matrix.h"
#include "compat_matrix/result.h"
#include "compat_matrix/run_fingerprint.h"
#include "compat_matrix/run_units.h"
#include "compat_matrix/simulated_units.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "tools/expected_refusals.h"
#include "tools/matrix_inputs.h"
#include "tools/matrix_outcome.h"
#include "tools/matrix_progress.h"
#include "tools/modules.h"
#include "tools/number_flags.h"
#include "tools/output.h"
#include "tools/save_simulated.h"
#include "tools/testee_flags.h"

namespace opcompat {
namespace {

struct MatrixCommandOptions {
  OutcomeFlags outcome;
  MatrixInputFlags inputs;
  int threads = 0;
  std::string shard;
  TesteeFlags programs;
  size_t simulate = 0;
  uint64_t seed = 1;
  bool careless = false;
  std::string save_simulated;  // a directory; empty: nowhere
};

constexpr char kFooter[] = R"(Examples:
  opcompat matrix
  opcompat matrix --history=my/history.textproto --modules='my/**/*.graph'
  opcompat matrix --history=torch --readers=1.7.1,1.13.1 --format=json
  opcompat matrix --html=matrix.html --junit=matrix.xml --db=matrix.sqlite
  opcompat matrix --expect=expected_refusals.txt --update
  opcompat matrix --shard=1/4 -o shard1.json
  opcompat matrix --simulate=1000 --seed=7
  opcompat matrix --simulate=1 --seed=482 --save-simulated=found
  opcompat matrix --testee=old=/opt/reader-1.0 --testee-timeout=2

Without --modules, each history has the modules beside its history.textproto:
modules/**/*.graph and models/**/*.graph. A module with opset lines is written
at those versions only, one without at every version where it verifies. With
several histories each varies alone, the others at their newest.
A field of the grid says how many modules were accepted of how many; M: misread,
C: crashed, H: hung, U: unexpected. Many versions have a letter in each field.
Exit status: 0 nothing is misread, crashed or unexpected, and what is expected
holds; 1 a cell is unexpected, or an expectation does not hold; 2 usage, or
input that is unreadable or malformed; 3 a reader crashed or gave no answer; 4
something is misread. The worst counts: 4, then 3, then 1.
)";

// That `opcompat merge` takes.
constexpr uint32_t kMostShards = 1000000;
constexpr uint64_t kMostSimulated = 1000000000000;
constexpr uint64_t kMostSeed = uint64_t{1} << 62;

// `2/4`: the second of four.
absl::StatusOr<Shard> ParseShard(const std::string& text) {
  Shard shard;
  if (text.empty()) return shard;
  const std::vector<std::string> parts = absl::StrSplit(text, '/');
  if (parts.size() != 2 || !absl::SimpleAtoi(parts[0], &shard.index) ||
      !absl::SimpleAtoi(parts[1], &shard.count) || shard.index < 1 ||
      shard.index > shard.count || shard.count > kMostShards) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--shard=", text, ": expected I/N with 1 <= I <= N <= ", kMostShards,
        ", such as 2/4"));
  }
  --shard.index;
  return shard;
}

bool NamesInputs(const MatrixInputFlags& flags) {
  return !flags.histories.empty() || !flags.modules.empty();
}

bool IsLimited(const MatrixInputFlags& flags) {
  return !flags.writers.empty() || !flags.readers.empty();
}

simulation::SimulationOptions SimulationOf(
    const MatrixCommandOptions& options) {
  simulation::SimulationOptions simulated;
  simulated.careless = options.careless;
  return simulated;
}

// All units of a run, and which of them are here.
class MatrixRun {
 public:
  static absl::StatusOr<std::unique_ptr<MatrixRun>> Create(
      const MatrixCommandOptions& options, Histories& histories) {
    auto run = std::make_unique<MatrixRun>();
    OPCOMPAT_ASSIGN_OR_RETURN(run->options_.shard, ParseShard(options.shard));
    if (run->options_.shard.count > 1 && !options.outcome.reports.db.empty()) {
      return absl::InvalidArgumentError(
          "--db takes whole runs: give it to `opcompat merge`, which puts the "
          "shards together");
    }
    run->options_.threads = options.threads;
    OPCOMPAT_RETURN_IF_ERROR(
        AddPrograms(options.programs, histories, &run->options_));
    run->is_limited_ = IsLimited(options.inputs);
    if (run->is_limited_ && options.simulate > 0 &&
        !NamesInputs(options.inputs)) {
      return absl::InvalidArgumentError(
          "--writers and --readers limit the versions of --history and "
          "--modules, of which there is none; simulated histories are run with "
          "all of theirs");
    }
    if (!options.outcome.expect.empty() && options.simulate > 0 &&
        !NamesInputs(options.inputs)) {
      return absl::InvalidArgumentError(
          "--expect is about the modules of --history and --modules, of which "
          "there is none; simulated histories are held against the prediction");
    }
    std::vector<MatrixOptions> inputs;
    if (options.simulate == 0 || NamesInputs(options.inputs)) {
      OPCOMPAT_ASSIGN_OR_RETURN(inputs,
                                MatrixInputs(options.inputs, histories));
    }
    run->input_files_ = FilesOfPrograms(options.programs);
    for (MatrixOptions& input : inputs) {
      AddInputFiles(input, histories, &run->input_files_);
      OPCOMPAT_ASSIGN_OR_RETURN(std::unique_ptr<ModuleUnits> units,
                                ModuleUnits::Create(std::move(input)));
      run->of_modules_.push_back(units.get());
      run->sources_.push_back(std::move(units));
    }
    if (options.simulate > 0) {
      const simulation::SimulationOptions simulated = SimulationOf(options);
      if (!options.save_simulated.empty()) {
        OPCOMPAT_RETURN_IF_ERROR(SaveSimulated(
            options.save_simulated, options.seed, options.simulate, simulated));
      }
      auto units = std::make_unique<SimulatedUnits>(options.simulate,
                                                    options.seed, simulated);
      run->simulated_ = units.get();
      run->sources_.push_back(std::move(units));
    }
    return run;
  }

  // What is read: nothing may be written there.
  const std::vector<std::string>& input_files() const { return input_files_; }

  RunNames Names() const {
    RunFingerprint fingerprint;
    for (const ModuleUnits* units : of_modules_) units->AddTo(&fingerprint);
    if (simulated_ != nullptr) simulated_->AddTo(&fingerprint);
    RunNames names = NamesOf(options_, fingerprint.Hex());
    names.part.limited = is_limited_;
    return names;
  }

  absl::StatusOr<MatrixSummary> ToSink(ResultSink* sink,
                                       const OutputOptions& output) {
    MatrixProgress progress(output);
    options_.progress = [&](const RunProgress& now) { progress.Show(now); };
    std::vector<const UnitSource*> sources;
    for (const auto& source : sources_) sources.push_back(source.get());
    OPCOMPAT_ASSIGN_OR_RETURN(MatrixSummary summary,
                              RunUnits(sources, options_, sink));
    // Another shard may have some.
    if (summary.cells == 0 && options_.shard.count == 1) {
      return absl::InvalidArgumentError(
          "no cell: no module is left for these versions");
    }
    return summary;
  }

  // A line of expected refusals without cells is stale if all its modules are
  // here, and all their versions. What no shard has is the first one's.
  StaleScope Scope() const {
    return [this](const RefusalPattern& pattern) {
      if (is_limited_) return false;
      bool is_here = false;
      bool is_elsewhere = false;
      uint64_t place = 0;
      for (const ModuleUnits* units : of_modules_) {
        for (size_t i = 0; i < units->size(); ++i, ++place) {
          if (!pattern.MatchesModule(units->module_of(i),
                                     units->history_of(i))) {
            continue;
          }
          const bool here =
              place % options_.shard.count == options_.shard.index;
          (here ? is_here : is_elsewhere) = true;
        }
      }
      if (!is_here && !is_elsewhere) return options_.shard.index == 0;
      return !is_elsewhere;
    };
  }

 private:
  RunOptions options_;
  std::vector<std::string> input_files_;
  bool is_limited_ = false;  // to some versions
  // What modules have comes first.
  std::vector<std::unique_ptr<UnitSource>> sources_;
  std::vector<const ModuleUnits*> of_modules_;
  const SimulatedUnits* simulated_ = nullptr;
};

absl::StatusOr<int> RunMatrixCommand(const MatrixCommandOptions& options,
                                     Histories& histories) {
  OPCOMPAT_ASSIGN_OR_RETURN(const std::unique_ptr<MatrixRun> run,
                            MatrixRun::Create(options, histories));
  OPCOMPAT_ASSIGN_OR_RETURN(
      const std::unique_ptr<MatrixOutcome> outcome,
      MatrixOutcome::Create(options.outcome, run->Names(), run->input_files(),
                            run->Scope()));
  OPCOMPAT_ASSIGN_OR_RETURN(const MatrixSummary summary,
                            run->ToSink(outcome.get(), options.outcome.output));
  return outcome->Finish(summary);
}

void AddSimulationFlags(CLI::App* command, MatrixCommandOptions* options) {
  constexpr char kGroup[] = "Simulation";
  CLI::Option* simulate =
      command
          ->add_option("--simulate", options->simulate,
                       "So many simulated histories, with modules that are "
                       "executed at both ends; beside those that --history and "
                       "--modules name, or alone")
          ->type_name("N")
          ->check(WholeNumber(1, kMostSimulated))
          ->group(kGroup);
  command
      ->add_option("--seed", options->seed,
                   "The first one's seed; the others have the next. Default: 1")
      ->type_name("S")
      ->check(WholeNumber(0, kMostSeed))
      ->needs(simulate)
      ->group(kGroup);
  command
      ->add_flag("--careless", options->careless,
                 "Each with a change that nobody declares: shows what is found "
                 "then")
      ->needs(simulate)
      ->group(kGroup);
  command
      ->add_option("--save-simulated", options->save_simulated,
                   "Writes each simulated history with its steps and modules "
                   "to DIR/sim-SEED, which --history takes; before the run")
      ->type_name("DIR")
      ->needs(simulate)
      ->group(kGroup);
}

}  // namespace

void AddMatrixCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "matrix", "Every module x writer x reader: predicted, run and judged");
  auto options = std::make_shared<MatrixCommandOptions>();
  AddRepeatable(command, "--modules", &options->inputs.modules,
                "Module texts; `**` is any number of directories; repeatable")
      ->type_name("GLOB");
  AddRepeatable(command, "--writers", &options->inputs.writers,
                "Only these versions write; repeatable. Simulated histories "
                "are run with all of theirs")
      ->type_name("ID,ID")
      ->delimiter(',');
  AddRepeatable(command, "--readers", &options->inputs.readers,
                "Only these versions read, or are targets; repeatable. "
                "Simulated histories are run with all of theirs")
      ->type_name("ID,ID")
      ->delimiter(',');
  AddSimulationFlags(command, options.get());
  command
      ->add_option("--threads", options->threads,
                   "How many threads. Default: one for each core")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command
      ->add_option("--shard", options->shard,
                   "Only part I of N; `opcompat merge` puts the parts together")
      ->type_name("I/N");
  AddRepeatable(command, "--history", &options->inputs.histories,
                "A history.textproto, its directory, a compiled history, or a "
                "name that ships (torch, demo); repeatable. Default: those "
                "that the modules "
                "name, or all that ship")
      ->type_name("NAME|DIR|FILE")
      ->group("Histories");
  AddTesteeFlags(command, &options->programs);
  AddOutcomeFlags(command, &options->outcome);
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options, context] {
      const absl::StatusOr<int> code =
          RunMatrixCommand(*options, context->histories);
      if (code.ok()) return *code;
      PrintFailure(code.status(), {});
      return static_cast<int>(kExitBadInput);
    };
  });
}

}  // namespace opcompat
