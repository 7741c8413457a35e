// Varints of the wire, one or many at once.
#ifndef OPCOMPAT_DESERIALIZER_VARINTS_H_
#define OPCOMPAT_DESERIALIZER_VARINTS_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace opcompat {
namespace decoding {

constexpr int64_t UnZigZag(uint64_t v) {
  return static_cast<int64_t>((v >> 1) ^ (~(v & 1) + 1));
}

// ReadVarint for those of more than one byte.
inline bool ReadLongVarint(const char** p, const char* end, uint64_t* value) {
  uint64_t result = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (*p == end) return false;
    const uint8_t byte = static_cast<uint8_t>(*(*p)++);
    if (shift == 63 && byte > 1) return false;
    result |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      *value = result;
      return true;
    }
  }
  return false;
}

// Reads a varint at `*p`, before `end`, and moves `*p` behind it. False if it
// is cut off, longer than ten bytes or over 64 bits.
inline bool ReadVarint(const char** p, const char* end, uint64_t* value) {
  if (*p != end && static_cast<uint8_t>(**p) < 0x80) {
    *value = static_cast<uint8_t>(*(*p)++);
    return true;
  }
  return ReadLongVarint(p, end, value);
}

// How many varints end in `bytes`.
size_t CountVarints(absl::string_view bytes);

// Decodes the varints that end in `bytes` into `out`, which must have room for
// CountVarints of them. Returns how many were decoded before the first that is
// no varint of 64 bits, or has a number that T cannot hold; all, if none is.
// T is uint32_t or uint64_t.
template <typename T>
size_t DecodeVarints(absl::string_view bytes, T* out);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_VARINTS_H_
