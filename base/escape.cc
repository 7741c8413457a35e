#include "base/escape.h"

#include <cstddef>

#include "absl/strings/ascii.h"

namespace opcompat {
namespace {

constexpr absl::string_view kSpecial = "\n\r\t\"'\\";
constexpr absl::string_view kLetters = "nrt\"'\\";

void AppendByte(char c, std::string* out) {
  const auto byte = static_cast<unsigned char>(c);
  *out += "0123456789abcdef"[byte >> 4];
  *out += "0123456789abcdef"[byte & 15];
}

}  // namespace

std::string HexEscape(absl::string_view bytes) {
  std::string out;
  bool after_hex = false;
  for (const char c : bytes) {
    const size_t special = kSpecial.find(c);
    bool hex = false;
    if (special != absl::string_view::npos) {
      out += '\\';
      out += kLetters[special];
    } else if (!absl::ascii_isprint(static_cast<unsigned char>(c)) ||
               (after_hex &&
                absl::ascii_isxdigit(static_cast<unsigned char>(c)))) {
      // A digit after \x12 would belong to it.
      hex = true;
      out += "\\x";
      AppendByte(c, &out);
    } else {
      out += c;
    }
    after_hex = hex;
  }
  return out;
}

std::string HexDigits(absl::string_view bytes) {
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char c : bytes) AppendByte(c, &out);
  return out;
}

}  // namespace opcompat
