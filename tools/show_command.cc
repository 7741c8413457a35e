#include "tools/show_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "binding/report.h"
#include "compat_matrix/reports/json_report.h"
#include "ir/module.h"
#include "ir/text/module_printer.h"
#include "nlohmann/json.hpp"
#include "serializer/serialize.h"
#include "tools/histories.h"
#include "tools/modules.h"
#include "tools/output.h"
#include "tools/wire_model.h"
#include "tools/wire_text.h"

namespace opcompat {
namespace {

using nlohmann::ordered_json;

struct ShowOptions {
  OutputOptions output;
  HistoryOptions history;
  std::string input;
  bool wire = false;
};

constexpr char kFooter[] = R"(Examples:
  opcompat show net.opc
  opcompat show net.opc --wire

Nothing is bound to a version: what is shown is what the writer wrote. Text is
read at its own version; with --wire it is shown what it would be written as.
Exit status: 0 done; 1 the file is of a later format; 2 usage, or input that is
unreadable or malformed.
)";

ordered_json ModuleToJson(const ModuleFile& file, const Module& module) {
  ordered_json json;
  json["module"] = file.path;
  json["form"] = std::string(ModuleFormName(file.form));
  json["written"] = ordered_json::object();
  for (const OpsetVersion& opset : module.opsets) {
    json["written"][opset.name] = opset.version;
  }
  json["operators"] = ordered_json::array();
  for (const ModuleOperator& op : module.operators) {
    if (op.entry == nullptr) continue;
    json["operators"].push_back({{"operator", op.entry->name()},
                                 {"history", op.entry->history},
                                 {"revision", op.entry->revision},
                                 {"schema", op.entry->ToString()}});
  }
  json["functions"] = ordered_json::array();
  for (const Function& function : module.functions) {
    json["functions"].push_back({{"name", function.name},
                                 {"nodes", function.graph.num_nodes()},
                                 {"values", function.graph.num_values()}});
  }
  PrintOptions print_options;
  print_options.show_revisions = true;
  json["text"] = PrintModule(module, print_options);
  return json;
}

class Showing {
 public:
  Showing(const ShowOptions& options, Histories& histories)
      : options_(options), histories_(histories) {}

  absl::StatusOr<std::string> Run() {
    OPCOMPAT_ASSIGN_OR_RETURN(const ModuleFile file,
                              ReadModuleFile(options_.input, options_.output));
    OPCOMPAT_ASSIGN_OR_RETURN(
        const WrittenModule written,
        ReadAsWritten(file, histories_, options_.history, &reasons_));
    if (options_.wire) return Wire(file, written);
    if (options_.output.json) {
      return JsonText(ModuleToJson(file, written.module));
    }
    PrintOptions print_options;
    print_options.show_revisions = true;
    return PrintModule(written.module, print_options);
  }

  const std::vector<Reason>& reasons() const { return reasons_; }

 private:
  absl::StatusOr<std::string> Wire(const ModuleFile& file,
                                   const WrittenModule& written) const {
    absl::string_view bytes = file.content;
    std::string serialized;
    if (file.form == ModuleForm::kText) {
      OPCOMPAT_ASSIGN_OR_RETURN(
          serialized, Serialize(written.module, written.choice.runtime));
      bytes = serialized;
    }
    OPCOMPAT_ASSIGN_OR_RETURN(ordered_json model, WireModel(bytes));
    ordered_json answer;
    answer["module"] = file.path;
    answer.update(model);
    return options_.output.json ? JsonText(answer) : WireText(answer);
  }

  const ShowOptions& options_;
  Histories& histories_;
  std::vector<Reason> reasons_;
};

int RunShow(const ShowOptions& options, Histories& histories) {
  Showing showing(options, histories);
  const absl::StatusOr<std::string> text = showing.Run();
  if (text.ok()) return Finish(options.output.path, *text, kExitDone);
  const int code = FailureExitCode(showing.reasons());
  if (!options.output.json || showing.reasons().empty()) {
    PrintFailure(text.status(), showing.reasons());
    return code;
  }
  ordered_json answer;
  answer["module"] = options.input;
  answer["reasons"] = ReasonsToJson(showing.reasons());
  return Finish(options.output.path, JsonText(answer), code);
}

}  // namespace

void AddShowCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "show", "A module as it was written, or what its bytes mean");
  auto options = std::make_shared<ShowOptions>();
  command
      ->add_option("FILE", options->input,
                   "The module, text or bytes; `-` is standard input")
      ->required()
      ->type_name("");
  command->add_flag("--wire", options->wire,
                    "Explain the bytes: tables, call forms, what was left out");
  AddHistoryFlags(command, &options->history);
  AddOutputFlags(command, &options->output,
                 "Where the answer goes. Default: standard output");
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options, context] {
      return RunShow(*options, context->histories);
    };
  });
}

}  // namespace opcompat
