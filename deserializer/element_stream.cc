#include "deserializer/element_stream.h"

#include <algorithm>
#include <cstdint>

#include "deserializer/varints.h"

namespace opcompat {
namespace decoding {
namespace {

constexpr size_t kBatchBytes = 1024;

// The front of `bytes` up to the last varint that ends there.
absl::string_view WholeVarints(absl::string_view bytes) {
  size_t size = bytes.size();
  while (size > 0 && static_cast<uint8_t>(bytes[size - 1]) >= 0x80) --size;
  return bytes.substr(0, size);
}

}  // namespace

bool ElementStream::Refill(size_t count) {
  std::copy(batch_.begin() + static_cast<std::ptrdiff_t>(taken_),
            batch_.begin() + static_cast<std::ptrdiff_t>(decoded_),
            batch_.begin());
  decoded_ -= taken_;
  taken_ = 0;
  while (decoded_ < count) {
    // An element takes a byte at least, so what is not there is not asked for.
    if (count - decoded_ > left_.size()) return false;
    const absl::string_view bytes =
        WholeVarints(left_.substr(0, std::max(count - decoded_, kBatchBytes)));
    const size_t most = decoded_ + CountVarints(bytes);
    if (batch_.size() < most + kSpare) batch_.resize(most + kSpare);
    decoded_ += DecodeVarints(bytes, batch_.data() + decoded_);
    left_.remove_prefix(bytes.size());
    // Nothing behind what is no varint means anything.
    if (decoded_ < most || bytes.empty()) left_ = absl::string_view();
  }
  return true;
}

}  // namespace decoding
}  // namespace opcompat
