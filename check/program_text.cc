#include "check/program_text.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace opcompat {
namespace {

// Empty `by_name`: no argument is by keyword that need not be.
std::string Call(const OperatorEntry& entry, bool defaults,
                 absl::string_view by_name, absl::string_view operand) {
  std::vector<std::string> operands;
  bool keyword = false;
  for (size_t i = 0; i < entry.num_exposed(); ++i) {
    const EntryArgument& argument = entry.arguments[i];
    const std::string& name = argument.name();
    const bool chosen = !by_name.empty() && name == by_name;
    // What comes behind a gap cannot go by position.
    keyword = keyword || chosen || argument.keyword_only;
    if (chosen) {
      operands.push_back(absl::StrCat(name, "=", operand));
    } else if (argument.default_value.has_value() && !defaults) {
      keyword = true;
    } else {
      operands.push_back(keyword ? absl::StrCat(name, "=", name) : name);
    }
  }
  return absl::StrCat(entry.name(), "(", absl::StrJoin(operands, ", "), ")");
}

}  // namespace

std::string FullProgramCall(const OperatorEntry& entry) {
  return Call(entry, true, "", "");
}

std::string ShortProgramCall(const OperatorEntry& entry) {
  return Call(entry, false, "", "");
}

std::string ProgramCallByName(const OperatorEntry& entry,
                              absl::string_view argument,
                              absl::string_view operand) {
  return Call(entry, false, argument, operand);
}

}  // namespace opcompat
