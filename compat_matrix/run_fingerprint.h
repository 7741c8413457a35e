// What a run is made of, as a hash: the shards of one run have the same one.
#ifndef OPCOMPAT_COMPAT_MATRIX_RUN_FINGERPRINT_H_
#define OPCOMPAT_COMPAT_MATRIX_RUN_FINGERPRINT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace opcompat {

// Against mistakes, not against attackers.
class RunFingerprint {
 public:
  void Add(absl::string_view text);
  void Add(const std::vector<std::string>& texts);
  // 16 digits. The same on every machine.
  std::string Hex() const;

 private:
  uint64_t hash_ = 0;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_RUN_FINGERPRINT_H_
