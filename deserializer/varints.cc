#include "deserializer/varints.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "absl/base/attributes.h"

namespace opcompat {
namespace decoding {
namespace {

// Where the next varint begins is known only when the length of this one is,
// which is most of what a varint costs. So a long run is decoded at four places
// at a time, each of which waits for itself alone.
constexpr size_t kLanes = 4;
// Below this, finding where lanes begin costs more than they save.
constexpr size_t kFewBytes = 64;

bool Ends(char c) { return static_cast<uint8_t>(c) < 0x80; }

template <typename T>
ABSL_ATTRIBUTE_NOINLINE bool DecodeOne(const char** p, const char* end,
                                       T* out) {
  uint64_t number;
  if (!ReadVarint(p, end, &number)) return false;
  *out = static_cast<T>(number);
  return number <= std::numeric_limits<T>::max();
}

// As DecodeVarints, one after the other.
template <typename T>
size_t DecodeInTurn(const char* p, const char* end, T* out) {
  size_t count = 0;
  while (p != end && DecodeOne(&p, end, out + count)) ++count;
  return count;
}

// Of one or two bytes, which nearly all have, without a branch on which.
// Precondition: p[1] can be read.
template <typename T>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool DecodeShort(const char** p,
                                                     const char* end, T* out) {
  const auto low = static_cast<uint8_t>((*p)[0]);
  const auto high = static_cast<uint8_t>((*p)[1]);
  const uint32_t has_two = low >> 7;
  if ((high >> 7 & has_two) != 0) return DecodeOne(p, end, out);
  *out = (low & 0x7fu) | ((high & 0x7fu) << 7 & (0u - has_two));
  *p += 1 + has_two;
  return true;
}

struct Lane {
  const char* p;
  const char* end;
};

}  // namespace

size_t CountVarints(absl::string_view bytes) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  // A byte of `ends` counts up to 255.
  constexpr size_t kMostWords = 255;
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  size_t count = 0;
  while (end - p >= 8) {
    const size_t words = std::min(kMostWords, static_cast<size_t>(end - p) / 8);
    uint64_t ends = 0;
    for (size_t i = 0; i < words; ++i, p += 8) {
      uint64_t word;
      std::memcpy(&word, p, sizeof word);
      ends += ~word >> 7 & kOnes;
    }
    constexpr uint64_t kEvenBytes = 0x00ff00ff00ff00ff;
    const uint64_t pairs = (ends & kEvenBytes) + (ends >> 8 & kEvenBytes);
    count += pairs * 0x0001000100010001 >> 48;
  }
  for (; p != end; ++p) count += static_cast<size_t>(Ends(*p));
  return count;
}

template <typename T>
size_t DecodeVarints(absl::string_view bytes, T* out) {
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  if (bytes.size() < kFewBytes) return DecodeInTurn(begin, end, out);
  Lane lanes[kLanes];
  T* outs[kLanes];
  // Elements that each lane has, but the last of the column, behind which there
  // is nothing to read.
  size_t steps = bytes.size();
  T* next = out;
  for (size_t i = 0; i < kLanes; ++i) {
    lanes[i].p = i == 0 ? begin : lanes[i - 1].end;
    lanes[i].end =
        i + 1 == kLanes ? end : begin + bytes.size() / kLanes * (i + 1);
    lanes[i].end = std::max(lanes[i].end, lanes[i].p);
    while (lanes[i].end != end && lanes[i].end != begin &&
           !Ends(lanes[i].end[-1])) {
      ++lanes[i].end;
    }
    const size_t count = CountVarints(absl::string_view(
        lanes[i].p, static_cast<size_t>(lanes[i].end - lanes[i].p)));
    outs[i] = next;
    next += count;
    const bool is_last = lanes[i].end == end;
    steps = std::min(steps, is_last && count > 0 ? count - 1 : count);
  }
  Lane a = lanes[0];
  Lane b = lanes[1];
  Lane c = lanes[2];
  Lane d = lanes[3];
  bool is_good = true;
  for (size_t i = 0; i < steps && is_good; ++i) {
    is_good = DecodeShort(&a.p, a.end, outs[0] + i) &&
              DecodeShort(&b.p, b.end, outs[1] + i) &&
              DecodeShort(&c.p, c.end, outs[2] + i) &&
              DecodeShort(&d.p, d.end, outs[3] + i);
  }
  // Which one is the first that is none.
  if (!is_good) return DecodeInTurn(begin, end, out);
  const Lane left[kLanes] = {a, b, c, d};
  for (size_t i = 0; i < kLanes; ++i) {
    T* const first = outs[i] + steps;
    const size_t count = DecodeInTurn(left[i].p, left[i].end, first);
    T* const lane_end = i + 1 == kLanes ? next : outs[i + 1];
    if (first + count != lane_end) {
      return static_cast<size_t>(first + count - out);
    }
  }
  return static_cast<size_t>(next - out);
}

template size_t DecodeVarints<uint32_t>(absl::string_view, uint32_t*);
template size_t DecodeVarints<uint64_t>(absl::string_view, uint64_t*);

}  // namespace decoding
}  // namespace opcompat
