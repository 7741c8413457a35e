// absl::from_chars by the C++ library's std::from_chars, for small programs.
//
// absl::SimpleAtod and absl::SimpleAtof need absl::from_chars, and they stand
// in one object file with all other numbers of absl/strings: every program that
// prints an integer has the 35 KB that read doubles. The C++ library has the
// same function already. These definitions stand for those of charconv.cc,
// which is then not taken out of its archive.

#include <locale.h>  // NOLINT: newlocale is not in <clocale>.
#include <stdlib.h>  // NOLINT: nor strtod_l in <cstdlib>.

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/charconv.h"

namespace {

double InCLocale(const char* text, double) {
  static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(text, nullptr, locale);
}

float InCLocale(const char* text, float) {
  static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtof_l(text, nullptr, locale);
}

// Whether "0x" and a digit follow the sign: abseil reads that as hexadecimal,
// and SimpleAtod relies on it.
bool HasHexPrefix(const char* first, const char* last,
                  absl::chars_format format) {
  return format == absl::chars_format::general && last - first > 2 &&
         first[0] == '0' && (first[1] == 'x' || first[1] == 'X') &&
         absl::ascii_isxdigit(first[2]);
}

template <typename Number>
absl::from_chars_result FromChars(const char* first, const char* last,
                                  Number& value, absl::chars_format format) {
  static_assert(static_cast<int>(std::chars_format::scientific) ==
                        static_cast<int>(absl::chars_format::scientific) &&
                    static_cast<int>(std::chars_format::fixed) ==
                        static_cast<int>(absl::chars_format::fixed) &&
                    static_cast<int>(std::chars_format::hex) ==
                        static_cast<int>(absl::chars_format::hex),
                "");
  const bool negative = first != last && *first == '-';
  if (HasHexPrefix(first + negative, last, format)) {
    const absl::from_chars_result result =
        FromChars(first + negative + 2, last, value, absl::chars_format::hex);
    if (negative) value = -value;
    return result;
  }
  const std::from_chars_result result = std::from_chars(
      first, last, value, static_cast<std::chars_format>(format));
  if (result.ec == std::errc::result_out_of_range) {
    // The value is to say in which direction; std::from_chars leaves it alone.
    std::string text(first, result.ptr);
    if (format == absl::chars_format::hex) text.insert(negative, "0x");
    constexpr Number kMax = std::numeric_limits<Number>::max();
    value = std::max(-kMax, std::min(kMax, InCLocale(text.c_str(), value)));
  }
  return {result.ptr, result.ec};
}

}  // namespace

absl::from_chars_result absl::from_chars(const char* first, const char* last,
                                         double& value, chars_format format) {
  return FromChars(first, last, value, format);
}

absl::from_chars_result absl::from_chars(const char* first, const char* last,
                                         float& value, chars_format format) {
  return FromChars(first, last, value, format);
}
