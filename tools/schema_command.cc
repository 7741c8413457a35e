#include "tools/schema_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "compat_matrix/reports/json_report.h"
#include "nlohmann/json.hpp"
#include "schema/operator_schema.h"
#include "schema/text/schema_parser.h"
#include "tools/fault_lines.h"
#include "tools/inputs.h"
#include "tools/output.h"

namespace opcompat {
namespace {

struct SchemaOptions {
  OutputOptions output;
  std::string input;
};

constexpr char kFooter[] = R"(Example:
  echo 'aten::gelu(Tensor self, *, str approximate="none") -> Tensor' |
    opcompat schema -

Faults go to standard error as FILE:LINE:COLUMN: message (with --format=json
they are in the answer). Exit status: 0 no fault; 1 the only faults are
repeated argument names (such a schema is printed); 2 other faults, usage, or
an unreadable file.
)";

// What became of a file of schemas.
struct Checked {
  std::string text;
  nlohmann::ordered_json schemas = nlohmann::ordered_json::array();
  std::vector<FaultLine> faults;
  int code = kExitDone;

  void AddFault(FaultLine fault, int exit_code) {
    faults.push_back(std::move(fault));
    if (exit_code > code) code = exit_code;
  }
};

Checked Check(const SchemaFile& file, const std::string& path,
              absl::string_view content) {
  Checked checked;
  const std::vector<absl::string_view> lines = absl::StrSplit(content, '\n');
  for (const SchemaLine& line : file.lines) {
    if (!line.schema.ok()) {
      checked.AddFault(FaultOf(path, line.schema.status().message()),
                       kExitBadInput);
      continue;
    }
    const OperatorSchema& schema = *line.schema;
    const std::string text = schema.ToString();
    absl::StrAppend(&checked.text, text, "\n");
    checked.schemas.push_back({{"line", line.line},
                               {"name", schema.name()},
                               {"overload", schema.overload()},
                               {"schema", text}});
    if (schema.has_repeated_name()) {
      // The strict parser finds the place.
      const size_t index = static_cast<size_t>(line.line) - 1;
      const absl::Status status = ParseSchema(lines[index], line.line).status();
      checked.AddFault(FaultOf(path, status.message()), kExitRefused);
    }
  }
  for (const absl::Status& fault : file.faults) {
    checked.AddFault(FaultOf(path, fault.message()), kExitBadInput);
  }
  SortFaults(&checked.faults);
  return checked;
}

int RunSchema(const SchemaOptions& options) {
  const absl::StatusOr<std::string> text = ReadInput(options.input);
  if (!text.ok()) {
    PrintError(absl::StrCat("opcompat: ", text.status().message()));
    return kExitBadInput;
  }
  const SchemaFile file = ParseSchemaFile(*text);
  const Checked checked = Check(file, options.input, *text);
  if (!options.output.json) {
    PrintFaults(checked.faults);
    return Finish(options.output.path, checked.text, checked.code);
  }
  nlohmann::ordered_json answer;
  answer["file"] = options.input;
  if (!file.opset.empty()) answer["opset"] = file.opset;
  if (!file.version.empty()) answer["version"] = file.version;
  answer["schemas"] = checked.schemas;
  answer["faults"] = FaultsToJson(checked.faults);
  return Finish(options.output.path, JsonText(answer), checked.code);
}

}  // namespace

void AddSchemaCommand(CLI::App* app, CommandContext* context) {
  CLI::App* command = app->add_subcommand(
      "schema", "Checks a list of schemas and prints each canonically");
  auto options = std::make_shared<SchemaOptions>();
  command
      ->add_option("FILE", options->input,
                   "A .ops file or bare lines; `-` is standard input")
      ->required()
      ->type_name("");
  AddOutputFlags(command, &options->output,
                 "Where the schemas go. Default: standard output");
  command->footer(kFooter);
  command->callback([options, context] {
    context->run = [options] { return RunSchema(*options); };
  });
}

}  // namespace opcompat
