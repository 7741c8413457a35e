#include "tools/history_command.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/variant.h"
#include "base/status_macros.h"
#include "compat_matrix/json_report.h"
#include "ir/text/history_loader.h"
#include "nlohmann/json.hpp"
#include "schema/declared_history.h"
#include "schema/history.h"
#include "tools/fault_lines.h"
#include "tools/inputs.h"
#include "tools/output.h"

namespace opcompat {
namespace {

using nlohmann::ordered_json;

struct ShowHistoryOptions {
  OutputOptions output;
  std::string input;
};

constexpr char kFooter[] = R"(Examples:
  opcompat history torch
  opcompat history my/history.textproto --format=json

Exit status: 0 the history is sound; 2 it has faults (each on standard error as
FILE:LINE: message, with --format=json in the answer), usage, or an unreadable
file.
)";

// The field of history.proto that a change sets.
std::string KindOf(const DeclaredChange& change) {
  struct Visitor {
    std::string operator()(absl::monostate) const { return "nothing"; }
    std::string operator()(const DeclaredChange::OperatorRenamed&) const {
      return "renamed_from";
    }
    std::string operator()(const DeclaredRename&) const {
      return "renamed_argument";
    }
    std::string operator()(const DeclaredChange::NeutralValue&) const {
      return "neutral_value";
    }
    std::string operator()(const DeclaredChange::RetiredValue&) const {
      return "retired_value";
    }
    std::string operator()(const DeclaredEqualValue&) const {
      return "equal_value";
    }
    std::string operator()(const DeclaredChange::Ignorable&) const {
      return "ignorable_argument";
    }
    std::string operator()(const DeclaredSemanticChange&) const {
      return "semantic_change";
    }
    std::string operator()(const DeclaredChange::AnnotationFixed&) const {
      return "annotation_fixed";
    }
    std::string operator()(const DeclaredChange::Removed&) const {
      return "removed";
    }
    std::string operator()(const DeclaredChange::Added&) const {
      return "added";
    }
  };
  return absl::visit(Visitor(), change.what);
}

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

std::vector<VersionFacts> FactsOf(const LoadedHistory& loaded) {
  std::vector<VersionFacts> facts;
  const std::vector<Opset>& opsets = loaded.history->versions();
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
    const DeclaredVersion& declared = loaded.declared.versions[v];
    version.gap = declared.gap.has_value();
    for (const DeclaredChange& change : declared.changes) {
      ++version.changes[KindOf(change)];
    }
    facts.push_back(std::move(version));
  }
  return facts;
}

std::string Plural(size_t n, const std::string& what) {
  return absl::StrCat(n, " ", what, n == 1 ? "" : "s");
}

std::string FactsText(const OpsetHistory& history,
                      const std::vector<VersionFacts>& facts) {
  std::string text = absl::StrCat("history ", history.name());
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

ordered_json FactsToJson(const std::vector<VersionFacts>& facts) {
  ordered_json json = ordered_json::array();
  for (const VersionFacts& version : facts) {
    ordered_json item;
    item["version"] = version.id;
    item["operators"] = version.operators;
    item["added"] = version.added;
    item["removed"] = version.removed;
    item["gap"] = version.gap;
    item["changes"] = ordered_json::object();
    for (const auto& kind : version.changes) {
      item["changes"][kind.first] = kind.second;
    }
    json.push_back(std::move(item));
  }
  return json;
}

// As the library takes it that reads the textproto from standard input: in the
// current directory.
constexpr char kStandardInput[] = "-.textproto";

absl::StatusOr<LoadedHistory> Load(const std::string& input,
                                   Histories& histories) {
  LoadOptions options;
  options.find_other = [&histories](absl::string_view name) {
    return histories.FindOther(name);
  };
  if (input != "-") {
    OPCOMPAT_ASSIGN_OR_RETURN(const std::string path, histories.PathOf(input));
    return LoadHistory(path, options);
  }
  options.read_file = [](const std::string& path) {
    return ReadInput(path == kStandardInput ? "-" : path);
  };
  LoadedHistory loaded = LoadHistory(kStandardInput, options);
  for (HistoryFault& fault : loaded.faults) {
    if (fault.place.file == kStandardInput) fault.place.file = "-";
  }
  return loaded;
}

int RunHistory(const ShowHistoryOptions& options, Histories& histories) {
  const absl::StatusOr<LoadedHistory> read = Load(options.input, histories);
  if (!read.ok()) {
    PrintError(absl::StrCat("opcompat: ", read.status().message()));
    return kExitBadInput;
  }
  const LoadedHistory& loaded = *read;
  const bool sound = loaded.history != nullptr && loaded.faults.empty();
  const int code = sound ? kExitDone : kExitBadInput;
  std::vector<FaultLine> faults;
  for (const HistoryFault& fault : loaded.faults) {
    faults.push_back({fault.place.file, fault.place.line, fault.place.column,
                      fault.message});
  }
  const std::vector<VersionFacts> facts =
      loaded.history == nullptr ? std::vector<VersionFacts>() : FactsOf(loaded);
  if (options.output.json) {
    ordered_json answer;
    answer["history"] = loaded.declared.name;
    answer["aliases"] = loaded.declared.aliases;
    answer["versions"] = FactsToJson(facts);
    answer["faults"] = FaultsToJson(faults);
    return Finish(options.output.path, JsonText(answer), code);
  }
  PrintFaults(faults);
  if (!sound) return code;
  return Finish(options.output.path, FactsText(*loaded.history, facts), code);
}

}  // namespace

void AddHistoryCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "history", "Loads and checks a history, and says what is in it");
  auto options = std::make_shared<ShowHistoryOptions>();
  command
      ->add_option("FILE", options->input,
                   "A history.textproto, its directory, or the name of one "
                   "that ships (torch, demo); `-` is a textproto on standard "
                   "input, its paths relative to the current directory")
      ->required()
      ->type_name("");
  AddOutputFlags(command, &options->output,
                 "Where the answer goes. Default: standard output");
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options, context] {
      return RunHistory(*options, context->histories);
    };
  });
}

}  // namespace opcompat
