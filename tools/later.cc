#include "tools/later.h"

#include <string>
#include <vector>

namespace opcompat {
namespace {

constexpr const char* kCommands[] = {"reduce"};

}  // namespace

std::string NotAvailableYet(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return "";
  const std::string& command = arguments[0];
  for (const char* later : kCommands) {
    if (command == later) return command;
  }
  return "";
}

}  // namespace opcompat
