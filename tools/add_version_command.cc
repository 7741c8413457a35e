#include "tools/add_version_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "check/finding.h"
#include "compat_matrix/reports/json_report.h"
#include "nlohmann/json.hpp"
#include "tools/add_version_plan.h"
#include "tools/difference_lines.h"
#include "tools/fault_lines.h"
#include "tools/loaded_history.h"
#include "tools/output.h"

namespace opcompat {
namespace {

struct AddVersionOptions {
  OutputOptions output;
  AddVersionRequest request;
  bool dry_run = false;
};

constexpr char kFooter[] = R"(Examples:
  opcompat history add-version my torch-2.7.0.ops --dry-run
  opcompat history add-version my torch-2.7.0.ops --gap --write-proposals
  opcompat history add-version my new.ops > todo
  opcompat history add-version my new.ops --changes=todo
  opcompat history add-version . first.ops --name=my

Copies FILE.ops into the history's directory and adds a `versions` block at the
end of history.textproto; nothing else of it is touched. The history is loaded
and checked with the new version before anything is written. If it has faults,
nothing is: they are printed, and on standard output proposals of what to
declare, as comments. Take the mark `# ` away before what is true (reasons keep
their `## `), and give the file with --changes. Otherwise tells what the new
version changed, and what may want a declaration although the history is sound.

If DIR has no history.textproto, or one without versions, the history starts
with this version, under the name that FILE.ops or --name says.

Exit status: 0 added; 1 faults, nothing was changed; 2 usage, or unreadable or
malformed input, nothing was changed.
)";

std::string ProposalsText(const AddVersionPlan& plan) {
  std::string text;
  for (const DeclarationProposal& proposal : plan.proposals) {
    text += CommentOf(proposal);
  }
  return text;
}

std::string FindingsText(const AddVersionPlan& plan) {
  if (plan.findings.empty()) return "no findings\n";
  std::string text = absl::StrCat("findings: ", plan.findings.size(),
                                  " (`opcompat check` tells more)\n");
  for (const Finding& finding : plan.findings) {
    absl::StrAppend(&text, "  ", OneLine(FindingText(finding)), "\n");
  }
  return text;
}

nlohmann::ordered_json PlanToJson(const AddVersionPlan& plan, bool added) {
  nlohmann::ordered_json answer;
  answer["history"] = plan.history;
  answer["version"] = plan.id;
  if (!plan.before.empty()) answer["before"] = plan.before;
  answer["added"] = added;
  answer["counts"] = DifferenceCountsToJson(plan.differences);
  answer["findings"] = nlohmann::ordered_json::array();
  for (const Finding& finding : plan.findings) {
    answer["findings"].push_back(FindingText(finding));
  }
  answer["proposals"] = nlohmann::ordered_json::array();
  for (const DeclarationProposal& proposal : plan.proposals) {
    answer["proposals"].push_back({{"operator", proposal.op},
                                   {"needed", proposal.needed},
                                   {"reason", proposal.reason},
                                   {"declaration", proposal.declaration}});
  }
  answer["faults"] = FaultsToJson(FaultLinesOf(plan.loaded.faults));
  return answer;
}

int Fail(const absl::Status& status) {
  const bool placed = status.GetPayload(kHistoryFaultsPayload).has_value();
  PrintError(absl::StrCat(placed ? "" : "opcompat: ", status.message()));
  return kExitBadInput;
}

int RunAddVersion(const AddVersionOptions& options, Histories& histories) {
  const absl::StatusOr<AddVersionPlan> plan =
      PlanAddVersion(options.request, histories);
  if (!plan.ok()) return Fail(plan.status());
  const bool sound = plan->loaded.history != nullptr;
  const int code = sound ? kExitDone : kExitRefused;
  const bool added = sound && !options.dry_run;
  if (added) {
    const absl::Status status = WriteAddedVersion(*plan);
    if (!status.ok()) return Fail(status);
  }
  if (options.output.json) {
    return Finish(options.output.path, JsonText(PlanToJson(*plan, added)),
                  code);
  }
  PrintFaults(FaultLinesOf(plan->loaded.faults));
  if (!sound) {
    PrintNote(
        options.output,
        absl::StrCat("opcompat: nothing was changed; ", plan->proposals.size(),
                     plan->proposals.size() == 1 ? " proposal" : " proposals"));
    return Finish(options.output.path, ProposalsText(*plan), code);
  }
  std::string text =
      absl::StrCat(OneLine(plan->history), " ", OneLine(plan->id),
                   added ? " was added" : " can be added",
                   plan->before.empty() ? " as the first version"
                                        : absl::StrCat(" after ",
                                                       OneLine(plan->before)),
                   "\n");
  const std::string counts = DifferenceCountsText(plan->differences);
  absl::StrAppend(&text, counts.empty() ? "no differences\n" : counts,
                  FindingsText(*plan));
  if (!options.request.write_proposals) {
    absl::StrAppend(&text, ProposalsText(*plan));
  }
  return Finish(options.output.path, text, code);
}

}  // namespace

void AddAddVersionCommand(CLI::App* history, CommandContext* context) {
  CLI::App* command = history->add_subcommand(
      "add-version", "Adds a version to a history, if that is sound");
  auto options = std::make_shared<AddVersionOptions>();
  command
      ->add_option("DIR", options->request.history,
                   "The directory of the history, or its history.textproto")
      ->required()
      ->type_name("");
  command
      ->add_option("FILE.ops", options->request.operators,
                   "The schemas of the version; `-` is standard input")
      ->required()
      ->type_name("");
  command
      ->add_option("--id", options->request.id,
                   "The version. Default: as the header of FILE.ops says")
      ->type_name("ID");
  command
      ->add_option("--name", options->request.name,
                   "The name of a history that starts with this version. "
                   "Default: as the header of FILE.ops says")
      ->type_name("NAME");
  command->add_flag("--gap", options->request.gap,
                    "Released versions before this one are missing");
  command
      ->add_option("--changes", options->request.changes,
                   "Declarations to put into the version's block, as they "
                   "stand in history.textproto")
      ->type_name("FILE");
  command->add_flag("--write-proposals", options->request.write_proposals,
                    "Put the proposals into the version's block, as comments");
  command->add_flag("--dry-run", options->dry_run,
                    "Say what would come of it, and change nothing");
  AddOutputFlags(command, &options->output,
                 "Where the answer goes. Default: standard output");
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options, context] {
      return RunAddVersion(*options, context->histories);
    };
  });
}

}  // namespace opcompat
