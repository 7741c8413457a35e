#include "tools/number_flags.h"

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace opcompat {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 60;

bool BeginsWithDigit(const std::string& text) {
  return !text.empty() && absl::ascii_isdigit(text[0]);
}

}  // namespace

CLI::Validator WholeNumber(uint64_t least, uint64_t most) {
  return CLI::Validator(
      [least, most](const std::string& text) {
        uint64_t number = 0;
        const bool holds = BeginsWithDigit(text) &&
                           absl::SimpleAtoi(text, &number) && least <= number &&
                           number <= most;
        return holds ? std::string()
                     : absl::StrCat(text, " is no whole number from ", least,
                                    " to ", most);
      },
      "");
}

CLI::Validator RealNumber(double least, double most) {
  return CLI::Validator(
      [least, most](const std::string& text) {
        double number = 0;
        // False of no-number.
        const bool holds = absl::SimpleAtod(text, &number) && least <= number &&
                           number <= most;
        return holds ? std::string()
                     : absl::StrCat(text, " is no number from ", least, " to ",
                                    most);
      },
      "");
}

void TakesSize(CLI::Option* option) {
  // The last transform that is added is the first that is done.
  option->transform(CLI::AsSizeValue(false))
      ->transform(CLI::Validator(
          [](const std::string& text) {
            return BeginsWithDigit(text)
                       ? std::string()
                       : absl::StrCat(text, " is no size, such as 512MB");
          },
          ""))
      ->check(WholeNumber(0, kMostBytes));
}

}  // namespace opcompat
