#include "tools/later.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace opcompat {
namespace {

constexpr const char* kCommands[] = {"merge", "reduce"};

struct LaterFlag {
  const char* command;
  const char* flag;  // or a first operand
};
constexpr LaterFlag kFlags[] = {
    {"matrix", "--simulate"}, {"matrix", "--seed"},
    {"matrix", "--testee"},   {"matrix", "--shard"},
    {"matrix", "--update"},
};

}  // namespace

std::string NotAvailableYet(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return "";
  const std::string& command = arguments[0];
  for (const char* later : kCommands) {
    if (command == later) return command;
  }
  for (size_t i = 1; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") break;
    for (const LaterFlag& later : kFlags) {
      if (command == later.command &&
          (argument == later.flag ||
           absl::StartsWith(argument, absl::StrCat(later.flag, "=")))) {
        return absl::StrCat(command, " ", later.flag);
      }
    }
  }
  return "";
}

}  // namespace opcompat
