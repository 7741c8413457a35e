#include "tools/log_command.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "check/check.h"
#include "check/finding.h"
#include "compat_matrix/reports/json_report.h"
#include "nlohmann/json.hpp"
#include "schema/differences/operator_difference.h"
#include "schema/differences/operator_life.h"
#include "schema/history.h"
#include "schema/operator_entry.h"
#include "schema/text/history_file.h"
#include "tools/declared_text.h"
#include "tools/difference_lines.h"
#include "tools/fault_lines.h"
#include "tools/help_formatter.h"
#include "tools/loaded_history.h"
#include "tools/output.h"

namespace opcompat {
namespace {

using nlohmann::ordered_json;

struct LogOptions {
  OutputOptions output;
  std::vector<std::string> histories;
  std::string op;
};

constexpr char kFooter[] = R"(Examples:
  opcompat log aten::gelu
  opcompat log t::f --history=my/history.textproto --format=json

Tells, for each version that changed the operator: its schema there, what
changed, the neutral and retired values of arguments that came and went, what
the history declares and notes, and in both directions whether every valid call
is read; if not, why and which call is not (see `opcompat check`). Prose is
wrapped to 80 columns; schemas, values and calls stay on their lines.

Exit status: 0 done; 1 no such operator (names like it are suggested, if there
are any: `gelu` finds aten::gelu); 2 usage, or a history that is unreadable or
has faults.
)";

constexpr size_t kMostSuggestions = 5;

// Whether one version reads the other's calls.
struct Direction {
  std::string reader;
  std::string writer;
  std::vector<Finding> findings;  // none: every valid call
};

struct LogEntry {
  const LifeChange* change = nullptr;
  std::string version;
  std::vector<Direction> directions;  // none for the first entry
  std::vector<Finding> source;
};

// Of a loaded history, which must outlive it.
struct Log {
  const OpsetHistory* history = nullptr;
  OperatorLife life;
  std::vector<LogEntry> entries;
};

// What the change between the versions `older` and `newer` breaks for the
// operator.
void AddDirections(const Opset& older, const Opset& newer,
                   const std::vector<std::string>& names, LogEntry* entry) {
  Direction backward{newer.version(), older.version(), {}};
  Direction forward{older.version(), newer.version(), {}};
  for (Finding& finding : CheckPair(older, newer)) {
    if (std::find(names.begin(), names.end(), finding.op) == names.end()) {
      continue;
    }
    switch (finding.category) {
      case FindingCategory::kBackward:
        backward.findings.push_back(std::move(finding));
        break;
      case FindingCategory::kForward:
        forward.findings.push_back(std::move(finding));
        break;
      case FindingCategory::kSource:
        entry->source.push_back(std::move(finding));
        break;
    }
  }
  entry->directions = {std::move(backward), std::move(forward)};
}

// The version that `change` is told against: the one before it; for an operator
// that returns, the last one that had it. Precondition: change.version > 0.
size_t VersionBefore(const OpsetHistory& history, const OperatorLife& life,
                     const LifeChange& change) {
  if (change.event != LifeEvent::kReturned) return change.version - 1;
  const std::vector<Opset>& versions = history.versions();
  for (size_t v = change.version; v > 0; --v) {
    for (const std::string& name : life.names) {
      if (versions[v - 1].Find(name) != nullptr) return v - 1;
    }
  }
  return change.version - 1;
}

// The log of the operator, if the history has it.
absl::optional<Log> MakeLog(const LoadedHistory& loaded,
                            const std::string& op) {
  Log log;
  const OpsetHistory& history = *loaded.history;
  log.history = &history;
  absl::optional<OperatorLife> life = LifeOf(history, loaded.declared, op);
  if (!life.has_value()) return absl::nullopt;
  log.life = *std::move(life);
  for (const LifeChange& change : log.life.changes) {
    LogEntry entry;
    entry.change = &change;
    entry.version = history.versions()[change.version].version();
    if (change.version > 0) {
      AddDirections(
          history.versions()[VersionBefore(history, log.life, change)],
          history.versions()[change.version], log.life.names, &entry);
    }
    log.entries.push_back(std::move(entry));
  }
  return log;
}

std::string TypedText(const absl::optional<TypedValue>& value) {
  return value.has_value() ? value->value.ToString() : "none";
}

// What is known of an argument beyond the schema line.
std::string Knowledge(const Difference& difference,
                      const OperatorEntry& entry) {
  for (const EntryArgument& argument : entry.arguments) {
    if (argument.name() != difference.argument) continue;
    if (difference.kind == DifferenceKind::kArgumentRemoved &&
        !argument.is_exposed()) {
      return absl::StrCat("; retired value: ", TypedText(argument.retired));
    }
    if (difference.kind == DifferenceKind::kArgumentAdded) {
      return absl::StrCat("; neutral value: ", TypedText(argument.neutral),
                          argument.ignorable ? "; ignorable" : "");
    }
  }
  return "";
}

// Prose, indented.
void AppendProse(size_t indentation, absl::string_view prose,
                 std::string* text) {
  constexpr size_t kColumns = 80;
  const std::string margin(indentation, ' ');
  absl::StrAppend(
      text, margin,
      absl::StrReplaceAll(Wrap(OneLine(prose), kColumns - indentation),
                          {{"\n", absl::StrCat("\n", margin)}}),
      "\n");
}

std::string SchemaOf(const OperatorInfo& info) {
  return info.fault.empty() ? info.current()->ToString() : info.fault;
}

void AppendDirection(const Direction& direction, bool color,
                     std::string* text) {
  const bool all = direction.findings.empty();
  const char* paint = !color ? "" : all ? "\x1b[32m" : "\x1b[31m";
  absl::StrAppend(text, "  ", direction.reader, " reads calls of ",
                  direction.writer, ": ", paint, all ? "all" : "not all",
                  color ? "\x1b[0m" : "", "\n");
  for (const Finding& finding : direction.findings) {
    AppendProse(4, finding.message, text);
    if (finding.counterexample.empty()) continue;
    absl::StrAppend(text, "    refused: ", OneLine(finding.counterexample),
                    "\n");
  }
}

void AppendEntry(const LogEntry& entry, bool color, std::string* text) {
  const LifeChange& change = *entry.change;
  absl::StrAppend(text, OneLine(entry.version), ": ", LifeEventId(change.event),
                  "\n");
  if (change.event != LifeEvent::kRemoved) {
    absl::StrAppend(text, "  ", OneLine(SchemaOf(*change.info)), "\n");
  }
  for (const Difference& d : change.differences) {
    std::string kind(DifferenceKindId(d.kind));
    absl::StrReplaceAll({{"_", " "}}, &kind);
    absl::StrAppend(text, "  ", kind,
                    d.argument.empty() ||
                            d.kind == DifferenceKind::kArgumentAdded ||
                            d.kind == DifferenceKind::kArgumentRemoved ||
                            d.kind == DifferenceKind::kArgumentRenamed
                        ? ""
                        : absl::StrCat(" ", d.argument),
                    ": ", BeforeAndAfter(d, color),
                    OneLine(Knowledge(d, *change.info->current())), "\n");
  }
  for (const DeclaredChange* declared : change.declared) {
    absl::StrAppend(text, "  declared ", OneLine(DeclaredText(*declared)),
                    "\n");
    if (declared->note.empty()) continue;
    AppendProse(4, declared->note, text);
  }
  for (const Direction& direction : entry.directions) {
    AppendDirection(direction, color, text);
  }
  for (const Finding& finding : entry.source) {
    AppendProse(2, absl::StrCat("source: ", finding.message), text);
  }
}

std::string LogText(const Log& log, bool color) {
  const std::vector<std::string>& names = log.life.names;
  std::string text =
      absl::StrCat(OneLine(names[0]), " (", OneLine(log.history->name()), ")");
  if (names.size() > 1) {
    absl::StrAppend(
        &text, ", earlier ",
        OneLine(absl::StrJoin(names.begin() + 1, names.end(), ", ")));
  }
  text += "\n";
  for (const LogEntry& entry : log.entries) AppendEntry(entry, color, &text);
  return text;
}

ordered_json FindingsToJson(const std::vector<Finding>& findings) {
  ordered_json json = ordered_json::array();
  for (const Finding& finding : findings) {
    ordered_json one;
    one["rule"] = finding.rule;
    if (!finding.argument.empty()) one["argument"] = finding.argument;
    one["message"] = finding.message;
    if (!finding.counterexample.empty()) {
      one["counterexample"] = finding.counterexample;
    }
    json.push_back(std::move(one));
  }
  return json;
}

// What is known of the arguments that the version knows, beyond the schema.
ordered_json ArgumentsToJson(const OperatorEntry& entry) {
  ordered_json json = ordered_json::array();
  for (const EntryArgument& argument : entry.arguments) {
    ordered_json one;
    one["name"] = argument.name();
    one["state"] = argument.is_exposed() ? "exposed" : "retired";
    if (argument.neutral.has_value())
      one["neutral"] = TypedText(argument.neutral);
    if (argument.retired.has_value())
      one["retired"] = TypedText(argument.retired);
    if (argument.ignorable) one["ignorable"] = true;
    for (const EqualValues& equal : argument.equal_values) {
      one["equal_values"].push_back(
          {{"value", equal.value.value.ToString()},
           {"means", equal.means.value.ToString()}});
    }
    json.push_back(std::move(one));
  }
  return json;
}

ordered_json LogToJson(const Log& log) {
  ordered_json answer;
  answer["operator"] = log.life.names[0];
  answer["history"] = log.history->name();
  answer["names"] = log.life.names;
  answer["versions"] = ordered_json::array();
  for (const LogEntry& entry : log.entries) {
    const LifeChange& change = *entry.change;
    ordered_json one;
    one["version"] = entry.version;
    one["event"] = std::string(LifeEventId(change.event));
    if (change.event != LifeEvent::kRemoved) {
      one["schema"] = SchemaOf(*change.info);
      one["revision"] = change.info->revision();
      one["arguments"] = ArgumentsToJson(*change.info->current());
    }
    one["differences"] = DifferencesToJson(change.differences);
    one["declared"] = ordered_json::array();
    for (const DeclaredChange* declared : change.declared) {
      ordered_json what;
      what["kind"] = DeclaredKind(*declared);
      what["text"] = DeclaredText(*declared);
      if (!declared->note.empty()) what["note"] = declared->note;
      one["declared"].push_back(std::move(what));
    }
    one["directions"] = ordered_json::array();
    for (const Direction& direction : entry.directions) {
      one["directions"].push_back(
          {{"reader", direction.reader},
           {"writer", direction.writer},
           {"reads_all", direction.findings.empty()},
           {"findings", FindingsToJson(direction.findings)}});
    }
    one["source"] = FindingsToJson(entry.source);
    answer["versions"].push_back(std::move(one));
  }
  return answer;
}

int Unknown(const LogOptions& options,
            const std::vector<LoadedHistory>& histories) {
  std::vector<std::string> names;
  std::vector<const OpsetHistory*> all;
  for (const LoadedHistory& loaded : histories) {
    names.push_back(loaded.history->name());
    all.push_back(loaded.history.get());
  }
  const std::vector<std::string> suggested =
      SuggestOperators(all, options.op, kMostSuggestions);
  if (options.output.json) {
    ordered_json answer;
    answer["operator"] = options.op;
    answer["error"] = "unknown operator";
    answer["suggestions"] = suggested;
    return Finish(options.output.path, JsonText(answer), kExitRefused);
  }
  PrintError(absl::StrCat(
      "opcompat: no version of ", absl::StrJoin(names, ", "),
      " has an operator ", OneLine(options.op),
      suggested.empty() ? ""
                        : absl::StrCat("; did you mean ",
                                       absl::StrJoin(suggested, ", "), "?")));
  return kExitRefused;
}

int RunLog(const LogOptions& options, Histories& histories) {
  if (options.op.empty()) {
    PrintError(
        "opcompat log: OPERATOR is empty; expected a full name such as "
        "aten::add.Tensor");
    return kExitBadInput;
  }
  std::vector<std::string> names = options.histories;
  if (names.empty()) names = histories.ShippedNames();
  std::vector<LoadedHistory> all;
  for (const std::string& name : names) {
    absl::StatusOr<LoadedHistory> loaded = LoadDeclaredHistory(name, histories);
    if (!loaded.ok()) {
      PrintError(absl::StrCat("opcompat: ", loaded.status().message()));
      return kExitBadInput;
    }
    if (loaded->history == nullptr) {
      PrintFaults(FaultLinesOf(loaded->faults));
      return kExitBadInput;
    }
    all.push_back(*std::move(loaded));
  }
  for (const LoadedHistory& loaded : all) {
    const absl::optional<Log> log = MakeLog(loaded, options.op);
    if (!log.has_value()) continue;
    if (options.output.json) {
      return Finish(options.output.path, JsonText(LogToJson(*log)), kExitDone);
    }
    const bool to_file =
        !options.output.path.empty() && options.output.path != "-";
    const bool color = !to_file && ColorOnStandardOutput(options.output);
    return Finish(options.output.path, LogText(*log, color), kExitDone);
  }
  return Unknown(options, all);
}

}  // namespace

void AddLogCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command =
      app->add_subcommand("log", "The life of an operator over a history");
  auto options = std::make_shared<LogOptions>();
  command
      ->add_option("OPERATOR", options->op,
                   "Its full name, with the overload, or a name that it had: "
                   "aten::add.Tensor")
      ->required()
      ->type_name("");
  AddRepeatable(command, "--history", &options->histories,
                "A history.textproto, its directory, or a name that ships "
                "(torch, demo); repeatable. Default: all that ship")
      ->type_name("NAME|DIR|FILE")
      ->group("Histories");
  AddOutputFlags(command, &options->output,
                 "Where the log goes. Default: standard output");
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options, context] {
      return RunLog(*options, context->histories);
    };
  });
}

}  // namespace opcompat
