#include "schema/version_id.h"

#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace opcompat {
namespace {

bool MayBeInId(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte != 0x7f &&
         absl::string_view("@\"\\/>#,").find(c) == absl::string_view::npos;
}

// As a message says it.
std::string NameOf(char c) {
  if (c == ' ') return "a space";
  const absl::string_view text(&c, 1);
  return absl::StrCat(
      "the character `",
      c == '"' || c == '\\' ? std::string(text) : absl::CEscape(text), "`");
}

}  // namespace

std::string FaultOfVersionId(absl::string_view id) {
  if (id.empty()) return "the version has no id";
  if (id == "all") {
    return "version id `all` stands for every version of a history; choose "
           "another";
  }
  for (const char c : id) {
    if (MayBeInId(c)) continue;
    return absl::StrCat(
        "version id \"", absl::CEscape(id), "\" has ", NameOf(c),
        "; expected no whitespace, no control characters and none of "
        "@ \" \\ / > # ,");
  }
  return "";
}

}  // namespace opcompat
