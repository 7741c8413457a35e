// Calls that take steps: an operator at different revisions, one whose calls go
// out at a lower revision, one that was removed with upgraders. Steps depend on
// what each call passes, so a set of calls that stands for all is written and
// bound (binding/).
#ifndef OPCOMPAT_CHECK_REVISION_RULES_H_
#define OPCOMPAT_CHECK_REVISION_RULES_H_

#include <vector>

#include "absl/types/optional.h"
#include "check/breach.h"
#include "schema/opset.h"

namespace opcompat {

// The two runtimes of a reading, made when first needed. Not thread-safe.
class ReadingRuntimes {
 public:
  explicit ReadingRuntimes(const Reading& reading) : reading_(reading) {}

  const Runtime& writer();
  const Runtime& reader();

 private:
  const Reading& reading_;
  absl::optional<Runtime> writer_;
  absl::optional<Runtime> reader_;
};

// Whether a call of `writer` may take a step on its way to `reader` (null: the
// reader lacks the operator).
bool MayTakeSteps(const OperatorInfo& writer, const OperatorInfo* reader);

// What refuses a call on its steps. `direct` are the breaches between the last
// schemas of both at the lower of their revisions: if the writer's is that,
// they are not told again; if not, they are told where a call gets down to it.
//
// Every combination of what conditions tell apart is bound, and every other
// argument one at a time (those that have one type on the whole way, at once).
// Not exact in these corners, where a breach is given although no call may be
// refused: more combinations than kMaxCalls
// (`undecided`); step graphs that call operators of another history, which is
// not at hand. Not complete in one: of an argument whose type has a variable
// only graph values of int types are tried. Steps between two revisions are
// taken to be path-independent: that a call goes out at a lower revision never
// makes it refused.
std::vector<Breach> CheckSteps(const OperatorInfo& writer,
                               const OperatorInfo* reader,
                               const Reading& reading,
                               const std::vector<Breach>& direct,
                               ReadingRuntimes* runtimes);

// How many calls of one operator are bound at most.
inline constexpr size_t kMaxCalls = 4096;

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_REVISION_RULES_H_
