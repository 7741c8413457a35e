#include "ir/text/names.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "schema/value.h"

namespace opcompat {

bool IsValueName(absl::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return IsNameCharacter(c);
  });
}

bool IsPlainName(absl::string_view name) {
  return IsValueName(name) && name[0] != '.' &&
         !absl::ascii_isdigit(static_cast<unsigned char>(name[0]));
}

std::string NameToString(absl::string_view name) {
  return IsPlainName(name) ? std::string(name) : QuoteString(name);
}

}  // namespace opcompat
