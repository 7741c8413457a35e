// The dice of simulations: the same on every machine. (The standard
// distributions differ between libraries; the engine does not.)
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_RANDOM_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace opcompat {
namespace simulation {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  // 0 ... n - 1. Precondition: n > 0.
  size_t Below(size_t n) { return static_cast<size_t>(engine_() % n); }
  bool OneIn(size_t n) { return Below(n) == 0; }
  uint64_t Bits() { return engine_(); }
  template <typename T>
  const T& Pick(const std::vector<T>& choices) {
    return choices[Below(choices.size())];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_RANDOM_H_
