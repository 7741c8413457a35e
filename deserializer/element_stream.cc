#include "deserializer/element_stream.h"

#include <algorithm>
#include <cstdint>

#include "deserializer/field_reader.h"

namespace opcompat {
namespace decoding {
namespace {

constexpr size_t kBatch = 1024;

}  // namespace

bool ElementStream::ReadOne(uint64_t* element) {
  const char* const begin = p_;
  if (ReadVarint(&p_, end_, element)) return true;
  // Nothing behind it means anything.
  p_ = end_ = begin;
  return false;
}

bool ElementStream::Refill(size_t count) {
  std::copy(batch_.begin() + static_cast<std::ptrdiff_t>(taken_),
            batch_.begin() + static_cast<std::ptrdiff_t>(decoded_),
            batch_.begin());
  decoded_ -= taken_;
  taken_ = 0;
  // Not more than the column can have: an element takes a byte.
  const size_t most = decoded_ + static_cast<size_t>(end_ - p_);
  if (count > most) return false;
  const size_t target = std::min(most, std::max(count, kBatch));
  if (batch_.size() <= target) batch_.resize(target + 1);
  uint64_t* out = batch_.data() + decoded_;
  uint64_t* const out_end = batch_.data() + target;
  // One or two bytes, which nearly all have, without a branch on which.
  while (out != out_end && end_ - p_ >= 2) {
    const auto low = static_cast<uint8_t>(p_[0]);
    const auto high = static_cast<uint8_t>(p_[1]);
    const uint32_t has_two = low >> 7;
    if ((high >> 7 & has_two) != 0) {
      if (!ReadOne(out)) break;
      ++out;
      continue;
    }
    *out++ = (low & 0x7fu) | ((high & 0x7fu) << 7 & (0u - has_two));
    p_ += 1 + has_two;
  }
  while (out != out_end && p_ != end_ && ReadOne(out)) ++out;
  decoded_ = static_cast<size_t>(out - batch_.data());
  return decoded_ >= count;
}

}  // namespace decoding
}  // namespace opcompat
