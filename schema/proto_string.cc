#include "schema/proto_string.h"

#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace opcompat {

std::string ProtoString(absl::string_view s) {
  return absl::StrCat("\"", absl::Utf8SafeCEscape(s), "\"");
}

}  // namespace opcompat
