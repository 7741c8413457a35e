#include "tools/command.h"

#include <map>
#include <string>
#include <vector>

#include "CLI/Validators.hpp"

namespace opcompat {

CLI::Option* AddRepeatable(CLI::App* app, const std::string& name,
                           std::vector<std::string>* values,
                           const std::string& help) {
  return app->add_option(name, *values, help)
      ->allow_extra_args(false)
      ->check(CLI::Validator(
          [](const std::string& value) {
            return value.empty() ? std::string("its value is empty")
                                 : std::string();
          },
          ""));
}

void AddOutputFlags(CLI::App* app, OutputOptions* options,
                    const std::string& output_help) {
  app->add_option_function<std::string>(
         "--format",
         [options](const std::string& format) {
           options->json = format == "json";
         },
         "How the answer is printed")
      ->type_name("text|json")
      ->check(CLI::IsMember({"text", "json"}).description(""))
      ->group("Output");
  AddPlaceAndColorFlags(app, options, output_help);
}

void AddPlaceFlags(CLI::App* app, OutputOptions* options,
                   const std::string& output_help) {
  app->add_option("-o,--output", options->path, output_help)
      ->type_name("FILE")
      ->group("Output");
  app->add_flag("--quiet", options->quiet,
                "No notes, warnings or progress on standard error")
      ->group("Output");
}

void AddPlaceAndColorFlags(CLI::App* app, OutputOptions* options,
                           const std::string& output_help) {
  AddPlaceFlags(app, options, output_help);
  // A flag, not an option: its value never is the next argument.
  app->add_flag("--color{always}",
                "Colours on standard output: always if no "
                "value is given. Default: auto")
      ->type_name("auto|always|never")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->each([options](const std::string& color) {
        options->color = color == "always"  ? ColorChoice::kAlways
                         : color == "never" ? ColorChoice::kNever
                                            : ColorChoice::kAuto;
      })
      ->group("Output");
}

void AddHistoryFlags(CLI::App* app, HistoryOptions* options) {
  AddRepeatable(app, "--history", &options->histories,
                "A history.textproto, its directory, a compiled history, or a "
                "name that ships (torch, demo); repeatable. Default: those "
                "that the module "
                "names, of those that ship")
      ->type_name("NAME|DIR|FILE")
      ->group("Histories");
  AddRepeatable(app, "--version", &options->versions,
                "The version at which the module is read; repeatable, one per "
                "history. Default: what the module says, or the newest")
      ->type_name("[HISTORY@]ID")
      ->group("Histories");
}

}  // namespace opcompat
