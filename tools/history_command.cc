#include "tools/history_command.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/Error.hpp"
#include "CLI/Option.hpp"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "compat_matrix/reports/json_report.h"
#include "nlohmann/json.hpp"
#include "schema/declared_history.h"
#include "schema/history.h"
#include "tools/add_version_command.h"
#include "tools/compiled_files.h"
#include "tools/declared_text.h"
#include "tools/fault_lines.h"
#include "tools/histories.h"
#include "tools/history_input.h"
#include "tools/loaded_history.h"
#include "tools/output.h"
#include "tools/paths.h"
#include "tools/propose_renames_command.h"

namespace opcompat {
namespace {

using nlohmann::ordered_json;

struct ShowHistoryOptions {
  OutputOptions output;
  std::string input;
  bool compile = false;
};

constexpr char kFooter[] = R"(Examples:
  opcompat history torch
  opcompat history my/history.textproto --format=json
  opcompat history my --compile -o my.opch
  opcompat history my.opch
  opcompat history add-version my my-2.ops

`opcompat history COMMAND --help` explains the commands. (A directory of that
name is ./COMMAND.)

--compile makes the form that programs load without a text parser, on a device
for example. The commands take such a file where they take a history; only what
speaks of the declarations (check, log, add-version, propose-renames) needs the
text. A file is told by its content, and may be a pipe.

A new revision that has no upgrader (downgrader) and is not declared one-way is
a warning: what needs the graph is refused.

Exit status: 0 the history is sound; 2 it has faults (each on standard error as
FILE:LINE: message, with --format=json in the answer), usage, or an unreadable
file.
)";

// What one version is, beside the one before.
struct VersionFacts {
  std::string id;
  size_t operators = 0;
  size_t added = 0;    // operators that the version before lacks
  size_t removed = 0;  // operators of the version before that it lacks
  bool first = false;
  bool gap = false;
  std::map<std::string, size_t> changes;  // declared ones, by kind
};

// Whether `opset` has the operator, by the name it has in another version.
bool Has(const Opset& opset, const OperatorInfo& info) {
  const std::vector<std::string>& names = info.current()->names;
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return opset.Find(name) != nullptr;
  });
}

// `declared` is null for a compiled history.
std::vector<VersionFacts> FactsOf(const OpsetHistory& history,
                                  const DeclaredHistory* declared_history) {
  std::vector<VersionFacts> facts;
  const std::vector<Opset>& opsets = history.versions();
  for (size_t v = 0; v < opsets.size(); ++v) {
    VersionFacts version;
    version.id = opsets[v].version();
    version.operators = opsets[v].operators().size();
    version.first = v == 0;
    if (v > 0) {
      size_t kept = 0;
      for (const OperatorInfoPtr& info : opsets[v].operators()) {
        kept += Has(opsets[v - 1], *info);
      }
      version.added = version.operators - kept;
      version.removed = opsets[v - 1].operators().size() - kept;
    }
    if (declared_history != nullptr) {
      const DeclaredVersion& declared = declared_history->versions[v];
      version.gap = declared.gap.has_value();
      for (const DeclaredChange& change : declared.changes) {
        ++version.changes[DeclaredKind(change)];
      }
    }
    facts.push_back(std::move(version));
  }
  return facts;
}

std::string Plural(size_t n, const std::string& what) {
  return absl::StrCat(n, " ", what, n == 1 ? "" : "s");
}

std::string FactsText(const OpsetHistory& history,
                      const std::vector<VersionFacts>& facts,
                      bool is_compiled) {
  std::string text = absl::StrCat(
      is_compiled ? "compiled history " : "history ", history.name());
  if (!history.aliases().empty()) {
    absl::StrAppend(&text, " (also ", absl::StrJoin(history.aliases(), ", "),
                    ")");
  }
  absl::StrAppend(&text, ": ", Plural(facts.size(), "version"), "\n");
  size_t width = 0;
  for (const VersionFacts& version : facts) {
    width = std::max(width, version.id.size());
  }
  for (const VersionFacts& version : facts) {
    absl::StrAppend(&text, "  ", version.id,
                    std::string(width - version.id.size(), ' '), "  ",
                    Plural(version.operators, "operator"));
    if (!version.first) {
      absl::StrAppend(&text, ", ", version.added, " added, ", version.removed,
                      " removed");
    }
    if (version.gap) absl::StrAppend(&text, ", after a gap");
    absl::StrAppend(&text, "\n");
    for (const auto& kind : version.changes) {
      absl::StrAppend(&text, "  ", std::string(width + 2, ' '), kind.first,
                      ": ", kind.second, "\n");
    }
  }
  return text;
}

ordered_json FactsToJson(const std::vector<VersionFacts>& facts,
                         bool is_compiled) {
  ordered_json json = ordered_json::array();
  for (const VersionFacts& version : facts) {
    ordered_json item;
    item["version"] = version.id;
    item["operators"] = version.operators;
    item["added"] = version.added;
    item["removed"] = version.removed;
    if (!is_compiled) item["gap"] = version.gap;
    if (!is_compiled) item["changes"] = ordered_json::object();
    for (const auto& kind : version.changes) {
      item["changes"][kind.first] = kind.second;
    }
    json.push_back(std::move(item));
  }
  return json;
}

// `history` is null if there are faults.
ordered_json CompiledToJson(const OpsetHistory* history,
                            const std::vector<VersionFacts>& facts,
                            const std::vector<FaultLine>& faults) {
  ordered_json answer;
  answer["history"] = history == nullptr ? "" : history->name();
  answer["aliases"] =
      history == nullptr ? std::vector<std::string>() : history->aliases();
  answer["compiled"] = true;
  answer["versions"] = FactsToJson(facts, true);
  answer["faults"] = FaultsToJson(faults);
  answer["warnings"] = ordered_json::array();
  return answer;
}

int RefuseToOverwrite(const ShowHistoryOptions& options) {
  PrintError(absl::StrCat("opcompat history: -o ", options.output.path,
                          " would overwrite the history, or a file that it is "
                          "made from; say another one"));
  return kExitBadInput;
}

// What `history` is in the form that devices load, to -o.
int Compile(const ShowHistoryOptions& options, const OpsetHistory& history) {
  const absl::StatusOr<std::string> bytes = CompileAndCheck(history);
  if (!bytes.ok()) {
    PrintError(absl::StrCat("opcompat: ", bytes.status().message()));
    return kExitBadInput;
  }
  const int code = Finish(options.output.path, *bytes, kExitDone);
  if (code == kExitDone && options.output.path != "-") {
    PrintNote(options.output,
              absl::StrCat(options.output.path, ": ", history.name(), ", ",
                           Plural(history.versions().size(), "version"), ", ",
                           bytes->size(), " bytes"));
  }
  return code;
}

// A compiled history says the same as a text, but for what was declared.
int RunCompiled(const ShowHistoryOptions& options, const HistoryInput& input) {
  const absl::StatusOr<HistoryPtr> history = DecodeCompiledHistory(input);
  if (!history.ok()) {
    FaultLine fault;
    fault.file = input.path;
    fault.message = std::string(history.status().message());
    if (options.output.json) {
      return Finish(options.output.path,
                    JsonText(CompiledToJson(nullptr, {}, {fault})),
                    kExitBadInput);
    }
    PrintFaults({fault});
    return kExitBadInput;
  }
  if (options.compile) return Compile(options, **history);
  if (IsSameFile(options.output.path, input.path)) {
    return RefuseToOverwrite(options);
  }
  const std::vector<VersionFacts> facts = FactsOf(**history, nullptr);
  if (options.output.json) {
    return Finish(options.output.path,
                  JsonText(CompiledToJson(history->get(), facts, {})),
                  kExitDone);
  }
  return Finish(options.output.path, FactsText(**history, facts, true),
                kExitDone);
}

int RunHistory(const ShowHistoryOptions& options, Histories& histories) {
  if (options.compile && (options.output.path.empty() || options.output.json)) {
    PrintError(
        options.output.json
            ? "opcompat history: --compile writes a file and has no answer for "
              "--format=json"
            : "opcompat history: --compile needs -o FILE, where the compiled "
              "history goes");
    return kExitBadInput;
  }
  if (options.compile && GoesToTerminal(options.output.path)) {
    PrintError(
        "opcompat history: a compiled history, which is binary, does not go to "
        "a terminal; say -o FILE");
    return kExitBadInput;
  }
  const auto input = [&]() -> absl::StatusOr<HistoryInput> {
    OPCOMPAT_ASSIGN_OR_RETURN(const std::string path,
                              histories.PathOf(options.input));
    return OpenHistory(path);
  }();
  if (!input.ok()) {
    PrintError(absl::StrCat("opcompat: ", input.status().message()));
    return kExitBadInput;
  }
  if (input->is_compiled) return RunCompiled(options, *input);
  const LoadedHistory loaded = LoadDeclaredHistory(*input, histories);
  if (std::any_of(loaded.files.begin(), loaded.files.end(),
                  [&](const std::string& file) {
                    return IsSameFile(options.output.path, file);
                  })) {
    return RefuseToOverwrite(options);
  }
  const bool sound = loaded.history != nullptr && loaded.faults.empty();
  const int code = sound ? kExitDone : kExitBadInput;
  const std::vector<FaultLine> faults = FaultLinesOf(loaded.faults);
  const std::vector<VersionFacts> facts =
      loaded.history == nullptr ? std::vector<VersionFacts>()
                                : FactsOf(*loaded.history, &loaded.declared);
  if (options.output.json) {
    ordered_json answer;
    answer["history"] = loaded.declared.name;
    answer["aliases"] = loaded.declared.aliases;
    answer["versions"] = FactsToJson(facts, false);
    answer["faults"] = FaultsToJson(faults);
    answer["warnings"] = FaultsToJson(FaultLinesOf(loaded.warnings));
    return Finish(options.output.path, JsonText(answer), code);
  }
  PrintFaults(faults);
  for (FaultLine warning : FaultLinesOf(loaded.warnings)) {
    warning.message = absl::StrCat("warning: ", warning.message);
    PrintFaults({warning});
  }
  if (!sound) return code;
  if (options.compile) return Compile(options, *loaded.history);
  return Finish(options.output.path, FactsText(*loaded.history, facts, false),
                code);
}

}  // namespace

void AddHistoryCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "history", "Loads and checks a history, and says what is in it");
  auto options = std::make_shared<ShowHistoryOptions>();
  command
      ->add_option("FILE", options->input,
                   "A history.textproto, its directory, the name of one that "
                   "ships (torch, demo), or a compiled history; `-` is "
                   "standard input (paths in a textproto there are relative to "
                   "the current directory)")
      ->type_name("");
  AddOutputFlags(command, &options->output,
                 "Where the answer (with --compile, the compiled history) "
                 "goes. Default: standard output");
  command->add_flag("--compile", options->compile,
                    "Write the history in the form that devices load to -o");
  command->footer(kFooter);
  AddAddVersionCommand(command, context);
  AddProposeRenamesCommand(command, context);
  command->require_subcommand(0, 1);
  // Runs after that of a subcommand.
  command->callback([command, options, context] {
    const std::vector<CLI::App*> subcommands = command->get_subcommands();
    if (!subcommands.empty()) {
      const std::string& name = subcommands[0]->get_name();
      for (const CLI::Option* option : command->get_options()) {
        if (option->empty()) continue;
        throw CLI::ExtrasError(
            command->get_name(),
            {absl::StrCat(option->get_name(), " stands before ", name)});
      }
      return;
    }
    if (options->input.empty()) throw CLI::RequiredError("FILE");
    context->run = [options, context] {
      return RunHistory(*options, context->histories);
    };
  });
}

}  // namespace opcompat
