// Reasons by the words of the interface, for those who read what another
// program said: the inverse of ReasonCodeName (binding/report.h).
#ifndef OPCOMPAT_COMPAT_MATRIX_REASON_CODES_H_
#define OPCOMPAT_COMPAT_MATRIX_REASON_CODES_H_

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "binding/report.h"

namespace opcompat {

// nullopt: no code has that name.
absl::optional<ReasonCode> ReasonCodeOfName(absl::string_view name);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REASON_CODES_H_
