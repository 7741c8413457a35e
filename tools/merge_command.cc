#include "tools/merge_command.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "compat_matrix/merge_shards.h"
#include "compat_matrix/reports/json_results.h"
#include "compat_matrix/result.h"
#include "tools/inputs.h"
#include "tools/matrix_outcome.h"
#include "tools/modules.h"
#include "tools/output.h"

namespace opcompat {
namespace {

struct MergeCommandOptions {
  OutcomeFlags outcome;
  std::vector<std::string> shards;
};

constexpr char kFooter[] = R"(Examples:
  opcompat merge shard*.json -o matrix.json
  opcompat merge shard*.json --html=matrix.html --expect=expected_refusals.txt

Takes the JSON reports of all shards of one run (opcompat matrix --shard=I/N),
in any order, and says what the whole run would say: the same reports,
expectations and exit status. Only the HTML page has less: where a cell is
identical, it does not tell what was read.
Exit status: as that of opcompat matrix; 2 if these are not all the shards of
one run, or one lacks cells.
)";

absl::StatusOr<int> RunMergeCommand(const MergeCommandOptions& options) {
  std::vector<ShardResult> shards;
  for (const std::string& path : options.shards) {
    OPCOMPAT_ASSIGN_OR_RETURN(const std::string text, ReadInput(path));
    absl::StatusOr<MatrixResult> result = ReadMatrixJson(text);
    if (!result.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": ", result.status().message()));
    }
    shards.push_back({path, *std::move(result)});
  }
  OPCOMPAT_ASSIGN_OR_RETURN(const MatrixResult merged,
                            MergeShards(std::move(shards)));
  if (merged.summary.cells == 0) {
    return absl::InvalidArgumentError("no cell: no shard has any");
  }
  OPCOMPAT_ASSIGN_OR_RETURN(
      const std::unique_ptr<MatrixOutcome> outcome,
      MatrixOutcome::Create(options.outcome, merged.names, options.shards));
  for (const ModuleCells& module : merged.modules) {
    OPCOMPAT_RETURN_IF_ERROR(outcome->Add(module));
  }
  return outcome->Finish(merged.summary);
}

}  // namespace

void AddMergeCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "merge", "The shards of a matrix, put together from their JSON reports");
  auto options = std::make_shared<MergeCommandOptions>();
  command->add_option("SHARD", options->shards, "JSON reports of the shards")
      ->required()
      ->type_name("FILE");
  AddOutcomeFlags(command, &options->outcome);
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options] {
      const absl::StatusOr<int> code = RunMergeCommand(*options);
      if (code.ok()) return *code;
      PrintFailure(code.status(), {});
      return static_cast<int>(kExitBadInput);
    };
  });
}

}  // namespace opcompat
