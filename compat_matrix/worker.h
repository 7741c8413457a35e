// What each thread of a run has for itself: readers under test. A run is given
// how to make them, not the readers.
#ifndef OPCOMPAT_COMPAT_MATRIX_WORKER_H_
#define OPCOMPAT_COMPAT_MATRIX_WORKER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compat_matrix/testees/testee.h"

namespace opcompat {

struct TesteeFactory {
  std::string name;  // as reports have it
  // Called once on each thread. Returns a testee of that name, not null.
  std::function<std::unique_ptr<Testee>()> make;
};

// The deserializer of this very build.
inline TesteeFactory InProcessFactory() {
  return {InProcessTestee().name(),
          [] { return std::make_unique<InProcessTestee>(); }};
}

struct Worker {
  // In the order of the run's factories; none is null.
  std::vector<std::unique_ptr<Testee>> testees;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_WORKER_H_
