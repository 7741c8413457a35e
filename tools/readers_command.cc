#include "tools/readers_command.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "binding/report.h"
#include "compat_matrix/reports/json_report.h"
#include "deserializer/decode.h"
#include "deserializer/deserialize.h"
#include "deserializer/tensor_memory.h"
#include "ir/module.h"
#include "nlohmann/json.hpp"
#include "serializer/serialize.h"
#include "tools/edits_text.h"
#include "tools/histories.h"
#include "tools/modules.h"
#include "tools/output.h"
#include "tools/reader_edits.h"
#include "tools/readers_summary.h"

namespace opcompat {
namespace {

using nlohmann::ordered_json;

struct ReadersOptions {
  OutputOptions output;
  HistoryOptions history;
  std::vector<std::string> inputs;
  bool summary = false;
};

constexpr char kFooter[] = R"(Examples:
  opcompat readers net.opc
  opcompat readers models/*.graph --history=torch --summary

A .graph is first written at its own version. Each history that the module uses
varies alone; the others stay at what the module says, or their newest.

A refusal comes with edits of the calls that would let the version read the
module. They change what it means, so they are for its author to consider.
"makes it readable" and "helps" were tried; the others are in words only. JSON
has them in "edits" (kind leave_out, pass, replace, result, other or declare;
calls, first place, message; whether it was checked), "edits_suffice", and
"target" if `convert --target` would write the module for that version as it is.
Exit status: 0 every file is well formed (whoever can read it); 1 a file is of a
later format; 2 a file is unreadable or malformed, or usage.
)";

// A module as a file, with what its readers may be.
struct Subject {
  std::vector<OpsetVersion> written;
  RuntimeChoice own;
  absl::string_view bytes;
  // How they are read, again and again; keeps them.
  DeserializeOptions options;
  // What `bytes` are; nothing if they are of a later format.
  Module module;
  // Not of a format that we can decode; all that readers do is refuse it.
  bool is_later_format = false;
};

absl::StatusOr<Subject> Prepare(const ModuleFile& file, Histories& histories,
                                const HistoryOptions& options,
                                std::vector<Reason>* reasons) {
  Subject subject;
  absl::StatusOr<WrittenModule> written =
      ReadAsWritten(file, histories, options, reasons);
  if (!written.ok()) {
    if (file.form == ModuleForm::kText ||
        FailureExitCode(*reasons) != kExitRefused) {
      return written.status();
    }
    reasons->clear();
    subject.is_later_format = true;
  } else {
    subject.written = written->module.opsets;
  }
  if (file.form == ModuleForm::kText) {
    subject.own = std::move(written->choice);
    OPCOMPAT_ASSIGN_OR_RETURN(std::string bytes,
                              Serialize(written->module, subject.own.runtime));
    const auto owner = std::make_shared<const std::string>(std::move(bytes));
    subject.bytes = *owner;
    subject.options.tensors = TensorMemory::KeptBy(owner);
    OPCOMPAT_ASSIGN_OR_RETURN(subject.module,
                              Decode(subject.bytes, subject.options));
    return subject;
  }
  if (written.ok()) subject.module = std::move(written->module);
  subject.bytes = file.content;
  subject.options = file.Options();
  subject.options.check_tensor_hashes = false;  // ReadAsWritten has
  subject.options.progress = nullptr;
  OPCOMPAT_ASSIGN_OR_RETURN(subject.own,
                            ChooseReaders(histories, options, subject.written));
  return subject;
}

// Which of the histories the module uses: those that it names; all if none.
std::vector<size_t> VaryingHistories(const Subject& subject) {
  std::vector<size_t> varying;
  for (size_t i = 0; i < subject.own.histories.size(); ++i) {
    const OpsetHistory& history = *subject.own.histories[i];
    if (std::any_of(subject.written.begin(), subject.written.end(),
                    [&](const OpsetVersion& opset) {
                      return history.HasName(opset.name);
                    })) {
      varying.push_back(i);
    }
  }
  if (varying.empty()) {
    for (size_t i = 0; i < subject.own.histories.size(); ++i) {
      varying.push_back(i);
    }
  }
  return varying;
}

// `with_advice`: whether refusals come with edits.
absl::StatusOr<std::vector<VersionAnswer>> AskAll(const Subject& subject,
                                                  bool with_advice) {
  std::vector<VersionAnswer> answers;
  const Runtime* writer =
      subject.own.HasVersions(subject.written) ? &subject.own.runtime : nullptr;
  for (const size_t i : VaryingHistories(subject)) {
    for (const Opset& version : subject.own.histories[i]->versions()) {
      OPCOMPAT_ASSIGN_OR_RETURN(const RuntimeChoice reader,
                                WithOpset(subject.own, i, version));
      VersionAnswer answer;
      answer.history = version.name();
      answer.version = version.version();
      const absl::Status status = Deserialize(subject.bytes, reader.runtime,
                                              subject.options, &answer.reasons)
                                      .status();
      if (!status.ok() && answer.reasons.empty()) return status;
      answer.accepted = status.ok();
      if (with_advice && !answer.accepted && !subject.is_later_format) {
        answer.advice =
            AdviseEdits(subject.module, writer, reader.runtime, answer.reasons);
      }
      answers.push_back(std::move(answer));
    }
  }
  return answers;
}

std::string WrittenText(const std::vector<OpsetVersion>& written) {
  if (written.empty()) return "names no opset";
  return absl::StrCat(
      "written by ",
      absl::StrJoin(written, ", ",
                    [](std::string* out, const OpsetVersion& opset) {
                      absl::StrAppend(out, opset.name, " ", opset.version);
                    }));
}

// As --target takes it.
std::string TargetOf(const VersionAnswer& answer) {
  return absl::StrCat(answer.history, "@", answer.version);
}

std::string AnswersText(const ModuleAnswer& module, bool color) {
  std::string text =
      absl::StrCat(module.path, ": ", WrittenText(module.written), "\n");
  for (const VersionAnswer& answer : module.versions) {
    const absl::string_view begin = !color            ? ""
                                    : answer.accepted ? "\x1b[32m"
                                                      : "\x1b[31m";
    absl::StrAppend(&text, "  ", answer.history, " ", answer.version, ": ",
                    begin, answer.accepted ? "accepted" : "refused",
                    color ? "\x1b[0m" : "", "\n");
    for (const Reason& reason : answer.reasons) {
      absl::StrAppend(&text, "    ", OneLine(reason.message), "\n");
    }
    absl::StrAppend(&text, AdviceText(answer.advice, TargetOf(answer)));
  }
  return text;
}

ordered_json AnswersToJson(const ModuleAnswer& module) {
  ordered_json json;
  json["module"] = module.path;
  if (module.error_code != kExitDone) {
    json["error"] = module.error;
    json["reasons"] = ReasonsToJson(module.reasons);
    return json;
  }
  json["written"] = ordered_json::object();
  for (const OpsetVersion& opset : module.written) {
    json["written"][opset.name] = opset.version;
  }
  json["versions"] = ordered_json::array();
  for (const VersionAnswer& answer : module.versions) {
    ordered_json version = {
        {"history", answer.history},
        {"version", answer.version},
        {"outcome", answer.accepted ? "accepted" : "refused"},
        {"reasons", ReasonsToJson(answer.reasons)}};
    if (!answer.accepted) {
      AddAdviceToJson(answer.advice, TargetOf(answer), &version);
    }
    json["versions"].push_back(std::move(version));
  }
  return json;
}

// What all versions say of one file. A failure is printed, unless the answer
// is JSON. Raises `code` to kExitRefused if the file is of a later format.
ModuleAnswer Ask(const std::string& path, const ReadersOptions& options,
                 Histories& histories, int& code) {
  ModuleAnswer answer;
  answer.path = path;
  const absl::Status status = [&]() -> absl::Status {
    OPCOMPAT_ASSIGN_OR_RETURN(const ModuleFile file,
                              ReadModuleFile(path, options.output));
    OPCOMPAT_ASSIGN_OR_RETURN(
        const Subject subject,
        Prepare(file, histories, options.history, &answer.reasons));
    answer.written = subject.written;
    if (subject.is_later_format) code = std::max<int>(code, kExitRefused);
    OPCOMPAT_ASSIGN_OR_RETURN(answer.versions,
                              AskAll(subject, !options.summary));
    return absl::OkStatus();
  }();
  if (!status.ok()) {
    answer.error_code = FailureExitCode(answer.reasons);
    answer.error = answer.reasons.empty() ? std::string(status.message())
                                          : answer.reasons[0].message;
    if (!options.output.json || answer.reasons.empty()) {
      PrintFailure(status, answer.reasons);
    }
  }
  return answer;
}

int RunReaders(const ReadersOptions& options, Histories& histories) {
  const bool color =
      options.output.path.empty() && ColorOnStandardOutput(options.output);
  std::string text;
  ordered_json answers = ordered_json::array();
  ReadersSummary summary;
  int code = kExitDone;
  for (const std::string& path : options.inputs) {
    const ModuleAnswer answer = Ask(path, options, histories, code);
    code = std::max(code, answer.error_code);
    if (options.summary) {
      summary.Add(answer);
    } else if (options.output.json) {
      answers.push_back(AnswersToJson(answer));
    } else if (answer.error_code == kExitDone) {
      absl::StrAppend(&text, AnswersText(answer, color));
    }
  }
  if (options.summary) {
    text = options.output.json ? JsonText(summary.ToJson()) : summary.ToText();
  } else if (options.output.json) {
    text = JsonText(answers.size() == 1 ? answers[0] : answers);
  }
  return Finish(options.output.path, text, code);
}

}  // namespace

void AddReadersCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "readers", "Which versions can read a module, and why the others cannot");
  auto options = std::make_shared<ReadersOptions>();
  command
      ->add_option("FILE", options->inputs,
                   "Modules, text or bytes; `-` is standard input")
      ->required()
      ->type_name("");
  command->add_flag(
      "--summary", options->summary,
      "Counts over all files: per version, and what refuses most");
  AddHistoryFlags(command, &options->history);
  AddOutputFlags(command, &options->output,
                 "Where the answer goes. Default: standard output");
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options, context] {
      return RunReaders(*options, context->histories);
    };
  });
}

}  // namespace opcompat
