#include "compat_matrix/run_fingerprint.h"

#include "absl/strings/str_cat.h"
#include "xxhash.h"

namespace opcompat {

void RunFingerprint::Add(absl::string_view text) {
  // The seed is what came before; the length tells texts apart.
  hash_ = XXH3_64bits_withSeed(text.data(), text.size(), hash_ + text.size());
}

void RunFingerprint::Add(const std::vector<std::string>& texts) {
  Add(absl::StrCat(texts.size()));
  for (const std::string& text : texts) Add(text);
}

std::string RunFingerprint::Hex() const {
  return absl::StrCat(absl::Hex(hash_, absl::kZeroPad16));
}

}  // namespace opcompat
