#include "wire/testing/seal.h"

#include <xxhash.h>

#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace opcompat {
namespace {

constexpr absl::string_view kChecksumTag = "\xa1\x06";
constexpr size_t kChecksumSize = 10;

}  // namespace

std::string Reseal(absl::string_view file) {
  if (file.size() >= kChecksumSize &&
      absl::StartsWith(file.substr(file.size() - kChecksumSize),
                       kChecksumTag)) {
    file.remove_suffix(kChecksumSize);
  }
  const uint64_t checksum = XXH3_64bits(file.data(), file.size());
  std::string sealed = absl::StrCat(file, kChecksumTag);
  for (int shift = 0; shift < 64; shift += 8) {
    sealed.push_back(static_cast<char>(checksum >> shift));
  }
  return sealed;
}

std::string Seal(wire::Module message) {
  message.clear_checksum();
  return Reseal(message.SerializeAsString());
}

}  // namespace opcompat
