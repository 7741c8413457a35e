#include "ir/verifier.h"

#include <vector>

#include "absl/status/status.h"
#include "base/status_macros.h"
#include "ir/ids.h"
#include "ir/verify_structure.h"
#include "ir/verify_types.h"

namespace opcompat {

absl::Status Verify(const Module& module, const VerifyOptions& options,
                    FaultPlace* place) {
  FaultPlace nobody_asked;
  if (place == nullptr) place = &nobody_asked;
  *place = FaultPlace();
  // Who says himself what is doubtful has looked already.
  std::vector<std::vector<NodeId>> doubtful;
  const bool finds_doubtful =
      options.check_types && options.doubtful == nullptr;
  OPCOMPAT_RETURN_IF_ERROR(VerifyStructure(module, options.columns_are_sound,
                                           finds_doubtful ? &doubtful : nullptr,
                                           place));
  if (!options.check_types) return absl::OkStatus();
  return VerifyTypes(module, options.max_steps,
                     finds_doubtful ? &doubtful : options.doubtful, place);
}

}  // namespace opcompat
