// The dice of simulations: the same on every machine. (The standard
// distributions differ between libraries; the engine does not.)
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_RANDOM_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "absl/types/optional.h"

namespace opcompat {
namespace simulation {

class Random {
 public:
  explicit Random(uint64_t seed) { engine_.emplace(seed); }

  // Dice that somebody else has thrown, a fuzzer for one: they show `choices`,
  // one after the other, and then what follows from `seed` alone.
  Random(std::vector<uint32_t> choices, uint64_t seed)
      : choices_(std::move(choices)), state_(seed) {}

  // 0 ... n - 1. Precondition: n > 0.
  size_t Below(size_t n) { return static_cast<size_t>(Bits() % n); }
  bool OneIn(size_t n) { return Below(n) == 0; }
  uint64_t Bits() {
    if (engine_.has_value()) return (*engine_)();
    if (next_choice_ < choices_.size()) return choices_[next_choice_++];
    // SplitMix64, which is ready at once: there is one for each choice of a
    // fuzzer, and most are asked a few times only.
    state_ += 0x9e3779b97f4a7c15;
    uint64_t bits = state_;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }
  template <typename T>
  const T& Pick(const std::vector<T>& choices) {
    return choices[Below(choices.size())];
  }

 private:
  absl::optional<std::mt19937_64> engine_;  // of a seed alone
  std::vector<uint32_t> choices_;
  size_t next_choice_ = 0;
  uint64_t state_ = 0;
};

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_RANDOM_H_
