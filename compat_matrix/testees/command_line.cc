#include "compat_matrix/testees/command_line.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace opcompat {
namespace {

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' ||
         c == '_' || c == '-';
}

}  // namespace

absl::StatusOr<std::vector<std::string>> SplitCommandLine(
    absl::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && absl::ascii_isspace(static_cast<unsigned char>(c))) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    const bool escapes =
        c == '\\' && i + 1 < text.size() &&
        (quote == 0 ||
         (quote == '"' && (text[i + 1] == '"' || text[i + 1] == '\\')));
    if (escapes) {
      words.back() += text[++i];
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("a ", std::string(1, quote), " is not closed: ", text));
  }
  if (words.empty()) return absl::InvalidArgumentError("no program is named");
  return words;
}

absl::StatusOr<NamedCommand> ParseNamedCommand(absl::string_view text) {
  NamedCommand named;
  named.name = std::string(text);
  const size_t equals = text.find('=');
  if (equals != absl::string_view::npos && equals > 0 &&
      std::all_of(text.begin(), text.begin() + equals, IsNameCharacter)) {
    named.name = std::string(text.substr(0, equals));
    text.remove_prefix(equals + 1);
  }
  OPCOMPAT_ASSIGN_OR_RETURN(named.command, SplitCommandLine(text));
  return named;
}

}  // namespace opcompat
