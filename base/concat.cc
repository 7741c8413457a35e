#include "base/concat.h"

#include <algorithm>
#include <cstdarg>
#include <cstddef>

namespace opcompat {
namespace concat_internal {
namespace {

// What a 64-bit number needs at most, with its sign.
constexpr size_t kNumberSize = 20;

// Writes `value` so that it ends at `end`; returns where it begins.
char* WriteDecimal(uint64_t value, char* end) {
  do {
    *--end = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  return end;
}

char* WriteHex16(uint64_t value, char* end) {
  for (int i = 0; i < 16; ++i) {
    *--end = "0123456789abcdef"[value & 15];
    value >>= 4;
  }
  return end;
}

void Append(std::string* out, const char* kinds, va_list words) {
  absl::string_view pieces[kMaxPieces];
  char numbers[kMaxPieces * kNumberSize];
  char* number_end = numbers;
  size_t size = out->size();
  size_t count = 0;
  for (; kinds[count] != '\0'; ++count) {
    absl::string_view& piece = pieces[count];
    number_end += kNumberSize;
    char* begin = number_end;
    switch (static_cast<Kind>(kinds[count])) {
      case kLiteral:
        piece = va_arg(words, const char*);
        break;
      case kView:
        piece = *va_arg(words, const absl::string_view*);
        break;
      case kString:
        piece = *va_arg(words, const std::string*);
        break;
      case kSigned: {
        const int64_t value = va_arg(words, int64_t);
        const auto bits = static_cast<uint64_t>(value);
        begin = WriteDecimal(value < 0 ? 0 - bits : bits, begin);
        if (value < 0) *--begin = '-';
        break;
      }
      case kUnsigned:
        begin = WriteDecimal(va_arg(words, uint64_t), begin);
        break;
      case kHex16:
        begin = WriteHex16(va_arg(words, uint64_t), begin);
        break;
    }
    if (begin != number_end) {
      piece = absl::string_view(begin, static_cast<size_t>(number_end - begin));
    }
    size += piece.size();
  }
  // Several appends are to take linear time together.
  if (size > out->capacity()) out->reserve(std::max(size, 2 * out->size()));
  for (size_t i = 0; i < count; ++i) {
    out->append(pieces[i].data(), pieces[i].size());
  }
}

}  // namespace

std::string Concat(const char* kinds, ...) {
  std::string out;
  va_list words;
  va_start(words, kinds);
  Append(&out, kinds, words);
  va_end(words);
  return out;
}

void ConcatTo(std::string* out, const char* kinds, ...) {
  va_list words;
  va_start(words, kinds);
  Append(out, kinds, words);
  va_end(words);
}

}  // namespace concat_internal
}  // namespace opcompat
