#include "tools/help_formatter.h"

#include <memory>
#include <sstream>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace opcompat {
namespace {

constexpr size_t kWidth = 80;
// Where the descriptions begin.
constexpr size_t kColumn = 34;

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(kColumn);
    label("OPTIONS", "[FLAGS]");
    label("SUBCOMMAND", "COMMAND");
    label("Positionals", "Arguments");
    label("REQUIRED", "");
  }

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string help =
        absl::StrReplaceAll(CLI::Formatter::make_help(app, name, mode),
                            // One empty line between groups, not two.
                            {{"\n\n\n", "\n\n"},
                             {"\nOptions:", "\nFlags:"},
                             {"\nSubcommands:", "\nCommands:"},
                             {"[[FLAGS]]", "[FLAGS]"}});
    absl::StripTrailingAsciiWhitespace(&help);
    return help + "\n";
  }
  // A flag that may have a value, `--color{always}` to the library.
  std::string make_option_name(const CLI::Option* option,
                               bool is_positional) const override {
    const std::string name =
        CLI::Formatter::make_option_name(option, is_positional);
    const size_t brace = name.find('{');
    if (brace == std::string::npos) return name;
    return absl::StrCat(name.substr(0, brace), "[=", option->get_type_name(),
                        "]");
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const bool has_own =
        CLI::Formatter::make_option_name(option, false).find('{') !=
        std::string::npos;
    return has_own ? "" : CLI::Formatter::make_option_opts(option);
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return Wrap(option->get_description(), kWidth - kColumn);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::stringstream out;
    CLI::detail::format_help(out, command->get_name(),
                             Wrap(command->get_description(), kWidth - kColumn),
                             kColumn);
    return out.str();
  }
};

}  // namespace

std::string Wrap(absl::string_view text, size_t width) {
  std::string wrapped;
  size_t used = 0;  // of the last line
  for (const absl::string_view word : absl::StrSplit(text, ' ')) {
    if (used > 0 && used + 1 + word.size() > width) {
      wrapped += '\n';
      used = 0;
    } else if (used > 0) {
      wrapped += ' ';
      ++used;
    }
    absl::StrAppend(&wrapped, word);
    used += word.size();
  }
  return wrapped;
}

std::shared_ptr<CLI::Formatter> MakeHelpFormatter() {
  return std::make_shared<HelpFormatter>();
}

}  // namespace opcompat
