#include "ir/verifier.h"

#include "absl/status/status.h"
#include "base/status_macros.h"
#include "ir/verify_structure.h"
#include "ir/verify_types.h"

namespace opcompat {

absl::Status Verify(const Module& module, const VerifyOptions& options,
                    FaultPlace* place) {
  FaultPlace nobody_asked;
  if (place == nullptr) place = &nobody_asked;
  *place = FaultPlace();
  OPCOMPAT_RETURN_IF_ERROR(VerifyStructure(module, options.columns_are_sound, place));
  if (!options.check_types) return absl::OkStatus();
  return VerifyTypes(module, options.max_steps, options.doubtful, place);
}

}  // namespace opcompat
