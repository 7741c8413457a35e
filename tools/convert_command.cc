#include "tools/convert_command.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "binding/report.h"
#include "compat_matrix/reports/json_report.h"
#include "deserializer/decode.h"
#include "deserializer/decode_options.h"
#include "deserializer/deserialize.h"
#include "deserializer/tensor_memory.h"
#include "ir/text/module_printer.h"
#include "nlohmann/json.hpp"
#include "schema/opset.h"
#include "serializer/byte_sink.h"
#include "serializer/serialize.h"
#include "serializer/target_refusal.h"
#include "tools/histories.h"
#include "tools/inputs.h"
#include "tools/modules.h"
#include "tools/output.h"
#include "tools/progress.h"

namespace opcompat {
namespace {

struct ConvertOptions {
  OutputOptions output;
  HistoryOptions history;
  std::string input;
  std::string to;  // empty: the other form
  std::string as;
  std::vector<std::string> targets;
  std::string elide;
  bool no_debug = false;
};

constexpr char kFooter[] = R"(Examples:
  opcompat convert net.graph -o net.opc
  opcompat convert net.opc -o - --to=text --version=torch@2.6.0
  opcompat convert net.graph -o old.opc --to=opc --target=torch@1.7.1
  opcompat convert net.graph -o any.opc --target=torch@all

With several targets the file is written as the first of them would, oldest
first, whose file all others can read; versions of several histories are
combined. In JSON each reason names its `target`; `written_for` (in text `as
written for`) says that the target refuses only the file for that other one,
whose calls the reason names.
Exit status: 0 done; 1 refused, with every reason on standard error (with
--format=json in the JSON on standard output); 2 usage, or input that is
unreadable, malformed or not valid at its own version.
)";

class Conversion {
 public:
  Conversion(const ConvertOptions& options, Histories& histories)
      : options_(options), histories_(histories) {}

  // Reads and writes. If a reading or a target was refused, or the input is
  // malformed, `reasons()` has why.
  absl::Status Run() {
    OPCOMPAT_ASSIGN_OR_RETURN(const ModuleFile file,
                              ReadModuleFile(options_.input, options_.output));
    to_text_ = options_.to.empty() ? file.form == ModuleForm::kBytes
                                   : options_.to == "text";
    OPCOMPAT_RETURN_IF_ERROR(CheckTerminal());
    OPCOMPAT_ASSIGN_OR_RETURN(
        ReadModule read,
        ReadForVersion(file, histories_, options_.history, &reasons_));
    report_ = std::move(read.report);
    module_ = std::move(read.module);
    runtime_ = std::move(read.choice);
    if (!options_.as.empty()) {
      OPCOMPAT_ASSIGN_OR_RETURN(RuntimeChoice as,
                                WithVersions(runtime_, {options_.as}, "--as"));
      OPCOMPAT_ASSIGN_OR_RETURN(std::string bytes, Write({}));
      OPCOMPAT_RETURN_IF_ERROR(ReadBack(std::move(bytes), std::move(as)));
    }
    return to_text_ ? WriteText() : WriteBytes();
  }

  const std::vector<Reason>& reasons() const { return reasons_; }
  // ReasonsToJson, with the targets that give them.
  nlohmann::ordered_json ReasonsJson() const {
    nlohmann::ordered_json json = ReasonsToJson(reasons_);
    size_t i = 0;
    for (const TargetRefusal& refusal : refusals_) {
      for (size_t j = 0; j < refusal.reasons.size(); ++j, ++i) {
        json[i]["target"] = refusal.target;
        if (!refusal.written_for.empty()) {
          json[i]["written_for"] = refusal.written_for;
        }
      }
    }
    return json;
  }
  // The reasons, of which each says if it is about the file for another target:
  // that one's calls are not all the module's.
  std::vector<Reason> ReasonsForText() const {
    std::vector<Reason> reasons = reasons_;
    size_t i = 0;
    for (const TargetRefusal& refusal : refusals_) {
      for (size_t j = 0; j < refusal.reasons.size(); ++j, ++i) {
        if (refusal.written_for.empty()) continue;
        absl::string_view message = reasons[i].message;
        absl::ConsumePrefix(&message,
                            absl::StrCat("target ", refusal.target, ": "));
        reasons[i].message =
            absl::StrCat("target ", refusal.target, ", as written for ",
                         refusal.written_for, ": ", message);
      }
    }
    return reasons;
  }
  const LoadReport& report() const { return report_; }

 private:
  absl::Status CheckTerminal() const {
    if (!to_text_ && HasOutput() && GoesToTerminal(options_.output.path)) {
      return absl::InvalidArgumentError(
          "a binary module does not go to a terminal; say -o FILE");
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> Write(const SerializeOptions& options) {
    std::string bytes;
    StringSink sink(&bytes);
    OPCOMPAT_RETURN_IF_ERROR(Write(options, &sink));
    return bytes;
  }

  absl::Status Write(const SerializeOptions& options, ByteSink* sink) {
    const absl::Status status =
        SerializeTo(module_, runtime_.runtime, options, sink, &refusals_);
    for (const TargetRefusal& refusal : refusals_) {
      reasons_.insert(reasons_.end(), refusal.reasons.begin(),
                      refusal.reasons.end());
    }
    return status;
  }

  // Takes the module through a file that `reader` reads.
  absl::Status ReadBack(std::string bytes, RuntimeChoice reader) {
    const auto file = std::make_shared<const std::string>(std::move(bytes));
    DeserializeOptions options;
    options.tensors = TensorMemory::KeptBy(file);
    OPCOMPAT_ASSIGN_OR_RETURN(
        Loaded loaded, Deserialize(*file, reader.runtime, options, &reasons_));
    module_ = std::move(loaded.module);
    report_ = std::move(loaded.report);
    runtime_ = std::move(reader);
    return absl::OkStatus();
  }

  // What the flags say of writing. Its targets are in `targets_`.
  absl::StatusOr<SerializeOptions> Options() {
    SerializeOptions options;
    options.elision = options_.elide == "unspecified"
                          ? Elision::kUnspecifiedOnly
                      : options_.elide == "none" ? Elision::kNone
                                                 : Elision::kEqualToDefault;
    options.debug_information = !options_.no_debug;
    if (!options_.targets.empty()) {
      OPCOMPAT_ASSIGN_OR_RETURN(
          targets_, WithVersionSets(runtime_, options_.targets, "--target"));
    }
    for (const RuntimeChoice& target : targets_) {
      options.targets.push_back(&target.runtime);
    }
    return options;
  }

  // In JSON the answer goes to standard output, so a module goes to a file or
  // nowhere.
  bool HasOutput() const {
    return !options_.output.json || !options_.output.path.empty();
  }

  absl::Status WriteBytes() {
    OPCOMPAT_ASSIGN_OR_RETURN(SerializeOptions options, Options());
    if (!HasOutput()) return Write(options).status();
    const std::string& path = options_.output.path;
    options.progress = ByteProgress(
        options_.output,
        absl::StrCat("writing ",
                     path.empty() || path == "-" ? "standard output" : path));
    Output output(path);
    OPCOMPAT_RETURN_IF_ERROR(Write(options, &output));
    return output.Commit();
  }

  // Text shows what a file made with the same flags would be read as by the
  // version that it is written as; without such flags, the module as it is.
  absl::Status WriteText() {
    if (!options_.elide.empty() || !options_.targets.empty()) {
      OPCOMPAT_ASSIGN_OR_RETURN(const SerializeOptions options, Options());
      OPCOMPAT_ASSIGN_OR_RETURN(std::string bytes, Write(options));
      DecodeOptions decode_options;
      decode_options.tensors = TensorMemory::Borrowed();
      OPCOMPAT_ASSIGN_OR_RETURN(const Module written,
                                Decode(bytes, decode_options));
      RuntimeChoice writer = WriterOf(written);
      OPCOMPAT_RETURN_IF_ERROR(ReadBack(std::move(bytes), std::move(writer)));
    }
    PrintOptions print_options;
    print_options.ignore_names = options_.no_debug;
    const std::string text = PrintModule(module_, print_options);
    return HasOutput() ? WriteOutput(options_.output.path, text)
                       : absl::OkStatus();
  }

  // The target that `written` names, or the version at which the module is.
  RuntimeChoice WriterOf(const Module& written) const {
    for (const RuntimeChoice& target : targets_) {
      if (target.HasVersions(written.opsets)) return target;
    }
    return runtime_;
  }

  const ConvertOptions& options_;
  Histories& histories_;
  bool to_text_ = false;
  Module module_;
  RuntimeChoice runtime_;  // at which module_ is
  LoadReport report_;
  std::vector<RuntimeChoice> targets_;
  std::vector<Reason> reasons_;
  std::vector<TargetRefusal> refusals_;  // reasons_ are theirs, in order
};

int RunConvert(const ConvertOptions& options, Histories& histories) {
  const bool json = options.output.json;
  if (json && options.output.path == "-") {
    PrintError(
        "opcompat convert: --format=json prints the answer to standard "
        "output, so -o must name a file (without -o, no module is written)");
    return kExitBadInput;
  }
  Conversion conversion(options, histories);
  const absl::Status status = conversion.Run();
  const std::vector<Reason>& reasons = conversion.reasons();
  if (!status.ok() && (!json || reasons.empty())) {
    PrintFailure(status, conversion.ReasonsForText());
    return FailureExitCode(reasons);
  }
  if (status.ok()) {
    for (const std::string& warning : conversion.report().warnings) {
      PrintNote(options.output, OneLine(warning));
    }
    if (!json) return kExitDone;
  }
  nlohmann::ordered_json answer;
  answer["outcome"] = status.ok() ? "accepted" : "refused";
  answer["reasons"] = conversion.ReasonsJson();
  answer["report"] =
      LoadReportToJson(status.ok() ? conversion.report() : LoadReport());
  answer["warnings"] = conversion.report().warnings;
  return Finish("-", JsonText(answer),
                status.ok() ? kExitDone : FailureExitCode(reasons));
}

}  // namespace

void AddConvertCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "convert",
      "Modules between text (.graph) and bytes (.opc), and between versions");
  auto options = std::make_shared<ConvertOptions>();
  command
      ->add_option("IN", options->input,
                   "The module, text or bytes; `-` is standard input")
      ->required()
      ->type_name("");
  command
      ->add_option("--to", options->to,
                   "The form written. Default: the other one")
      ->type_name("text|opc")
      ->check(CLI::IsMember({"text", "opc"}).description(""));
  command
      ->add_option("--as", options->as,
                   "Write as this version would, after reading there")
      ->type_name("[HISTORY@]ID");
  AddRepeatable(command, "--target", &options->targets,
                "Write for this version: it can read the result, or there is "
                "none. `all`: every one; repeatable: all of them")
      ->type_name("[HISTORY@]ID");
  command
      ->add_option("--elide", options->elide,
                   "Arguments left out: those equal to their default (the "
                   "default), those that nobody wrote, or none")
      ->type_name("equal|unspecified|none")
      ->check(CLI::IsMember({"equal", "unspecified", "none"}).description(""));
  command->add_flag("--no-debug", options->no_debug,
                    "Without names of values and source locations");
  AddHistoryFlags(command, &options->history);
  AddOutputFlags(command, &options->output,
                 "Where the module goes. Default: `-`, standard output (with "
                 "--format=json: nowhere)");
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options, context] {
      return RunConvert(*options, context->histories);
    };
  });
}

}  // namespace opcompat
