#include "tools/propose_renames_command.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compat_matrix/reports/json_report.h"
#include "nlohmann/json.hpp"
#include "schema/declared_history.h"
#include "schema/differences/rename_proposals.h"
#include "tools/fault_lines.h"
#include "tools/loaded_history.h"
#include "tools/output.h"

namespace opcompat {
namespace {

struct ProposeRenamesOptions {
  OutputOptions output;
  std::string input;
  std::string version;
};

constexpr char kFooter[] = R"(Examples:
  opcompat history propose-renames torch --version=2.6.0
  opcompat history propose-renames my/history.textproto

For each version: arguments that went and came at one operator, and operators
that went and came, which look as if only the name had changed. Each is printed
as it would stand in history.textproto, the likeliest first. A person has to
confirm it: no rename is ever taken for granted, and a wrong one would misread
files. Works on a history with faults, too, which such a rename may repair.

Exit status: 0 done; 2 usage, or a history that is unreadable or has faults.
)";

std::string ProposalsText(const std::string& version,
                          const std::vector<RenameProposal>& proposals) {
  std::string text =
      absl::StrCat("# ", version, ": ", proposals.size(),
                   proposals.size() == 1 ? " proposal" : " proposals", "\n");
  for (const RenameProposal& proposal : proposals) {
    absl::StrAppend(&text, "  # ", RenameConfidenceName(proposal.confidence),
                    ": ", OneLine(proposal.reason), "\n",
                    DeclarationOf(proposal));
  }
  return text;
}

nlohmann::ordered_json ProposalsToJson(
    const std::vector<RenameProposal>& proposals) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const RenameProposal& proposal : proposals) {
    json.push_back(
        {{"kind", proposal.of_operator ? "operator" : "argument"},
         {"operator", proposal.op},
         {"from", proposal.from},
         {"to", proposal.to},
         {"confidence", std::string(RenameConfidenceName(proposal.confidence))},
         {"reason", proposal.reason},
         {"declaration", DeclarationOf(proposal)}});
  }
  return json;
}

std::string IdsOf(const DeclaredHistory& declared) {
  return absl::StrJoin(declared.versions, ", ",
                       [](std::string* out, const DeclaredVersion& version) {
                         absl::StrAppend(out, version.id);
                       });
}

int RunProposeRenames(const ProposeRenamesOptions& options,
                      Histories& histories) {
  const absl::StatusOr<LoadedHistory> loaded =
      LoadDeclaredHistory(options.input, histories);
  if (!loaded.ok()) {
    PrintError(absl::StrCat("opcompat: ", loaded.status().message()));
    return kExitBadInput;
  }
  const DeclaredHistory& declared = loaded->declared;
  const std::vector<FaultLine> faults = FaultLinesOf(loaded->faults);
  const int code = faults.empty() ? kExitDone : kExitBadInput;
  std::string text;
  nlohmann::ordered_json versions = nlohmann::ordered_json::array();
  bool known = options.version.empty();
  for (size_t v = 0; v < declared.versions.size(); ++v) {
    const std::string& id = declared.versions[v].id;
    if (!options.version.empty() && id != options.version) continue;
    known = true;
    if (v == 0) continue;  // the first has nothing to rename
    const std::vector<RenameProposal> proposals = ProposeRenames(declared, v);
    absl::StrAppend(&text, ProposalsText(id, proposals));
    versions.push_back(
        {{"version", id}, {"proposals", ProposalsToJson(proposals)}});
  }
  if (!known && faults.empty()) {
    PrintError(absl::StrCat("opcompat: --version=", options.version,
                            ": history ", declared.name,
                            " has no such version, only ", IdsOf(declared)));
    return kExitBadInput;
  }
  if (options.output.json) {
    nlohmann::ordered_json answer;
    answer["history"] = declared.name;
    answer["versions"] = versions;
    answer["faults"] = FaultsToJson(faults);
    return Finish(options.output.path, JsonText(answer), code);
  }
  PrintFaults(faults);
  return Finish(options.output.path, text, code);
}

}  // namespace

void AddProposeRenamesCommand(CLI::App* history, CommandContext* context) {
  CLI::App* command = history->add_subcommand(
      "propose-renames", "Likely renames that a history does not declare");
  auto options = std::make_shared<ProposeRenamesOptions>();
  command
      ->add_option("HISTORY", options->input,
                   "A history.textproto, its directory, or the name of one "
                   "that ships")
      ->required()
      ->type_name("");
  command
      ->add_option("--version", options->version,
                   "Only what this version renamed. Default: every version")
      ->type_name("ID");
  AddOutputFlags(command, &options->output,
                 "Where the proposals go. Default: standard output");
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options, context] {
      return RunProposeRenames(*options, context->histories);
    };
  });
}

}  // namespace opcompat
