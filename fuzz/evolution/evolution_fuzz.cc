// Schema evolution: whatever happens to a history, and whatever a module of it
// says, the laws of the matrix hold (compat_matrix/simulation/laws.h). One
// reading of each input is judged, by oracle and kernels; all laws of a part of
// them, which costs twenty times as much.

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "compat_matrix/simulation/laws.h"
#include "fuzz/check.h"
#include "fuzz/evolution/case_target.h"
#include "fuzz/evolution/prepared_case.h"

namespace opcompat {
namespace fuzz {
namespace {

constexpr uint64_t kShareOfAllLaws = 256;

}  // namespace

void JudgeCase(PreparedCase input, absl::string_view bytes) {
  simulation::Laws& laws = *input.history->laws;
  std::vector<simulation::LawFailure> failures = laws.CheckReading(
      input.module(), input.writer, input.reader, input.for_target);
  if (failures.empty() && ChoiceOf(bytes) % kShareOfAllLaws == 0) {
    failures = laws.Check(input.module(), input.writer);
  }
  if (failures.empty()) return;
  input.reader = failures[0].reader;
  input.for_target = failures[0].for_target;
  FailWith(input, failures[0].ToString());
}

}  // namespace fuzz
}  // namespace opcompat
