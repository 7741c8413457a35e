// What each thread of a run has for itself: readers under test, and writers. A
// run is given how to make them.
#ifndef OPCOMPAT_COMPAT_MATRIX_WORKER_H_
#define OPCOMPAT_COMPAT_MATRIX_WORKER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compat_matrix/testees/author.h"
#include "compat_matrix/testees/testee.h"
#include "schema/history.h"

namespace opcompat {

struct TesteeFactory {
  std::string name;  // as reports have it
  // Called once on each thread. Returns a testee of that name, not null.
  std::function<std::unique_ptr<Testee>()> make;
};

struct AuthorFactory {
  std::string name;
  // As TesteeFactory::make.
  std::function<std::unique_ptr<Author>()> make;
};

// Deserializer and serializer of this very build.
inline TesteeFactory InProcessTesteeFactory() {
  return {InProcessTestee().name(),
          [] { return std::make_unique<InProcessTestee>(); }};
}

inline AuthorFactory InProcessAuthorFactory() {
  return {InProcessAuthor().name(),
          [] { return std::make_unique<InProcessAuthor>(); }};
}

// In the order of the run's factories; none is null.
struct Worker {
  std::vector<std::unique_ptr<Testee>> testees;
  std::vector<std::unique_ptr<Author>> authors;

  // See Testee::SetHistories.
  void SetHistories(
      const std::vector<std::shared_ptr<const OpsetHistory>>& histories) {
    for (const auto& testee : testees) testee->SetHistories(histories);
    for (const auto& author : authors) author->SetHistories(histories);
  }
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_WORKER_H_
