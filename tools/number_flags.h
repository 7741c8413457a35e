// Numbers on the command line. As it is, `-1` given for a number without a sign
// is 2^64 - 1, and no-number (`nan`) is in every range; these checks refuse
// both, before anything is computed with them.
#ifndef OPCOMPAT_TOOLS_NUMBER_FLAGS_H_
#define OPCOMPAT_TOOLS_NUMBER_FLAGS_H_

#include <cstdint>

#include "CLI/Option.hpp"
#include "CLI/Validators.hpp"

namespace opcompat {

// Digits alone, a number from `least` to `most`.
CLI::Validator WholeNumber(uint64_t least, uint64_t most);

// A number from `least` to `most`, with a fraction or not.
CLI::Validator RealNumber(double least, double most);

// `512MB`, `8GB` or digits alone, made a number of bytes up to 2^60.
void TakesSize(CLI::Option* option);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_NUMBER_FLAGS_H_
