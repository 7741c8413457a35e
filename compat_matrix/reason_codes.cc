#include "compat_matrix/reason_codes.h"

namespace opcompat {

absl::optional<ReasonCode> ReasonCodeOfName(absl::string_view name) {
  for (int i = 0; i <= static_cast<int>(ReasonCode::kMalformed); ++i) {
    const auto code = static_cast<ReasonCode>(i);
    if (ReasonCodeName(code) == name) return code;
  }
  return absl::nullopt;
}

}  // namespace opcompat
