// Schema evolution: whatever happens to a history, and whatever a module of it
// says, the laws of the matrix hold (compat_matrix/simulation/laws.h). One
// reading of each input is judged, by oracle and kernels; all laws of a part of
// them, which costs twenty times as much.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compat_matrix/simulation/laws.h"
#include "fuzz/evolution/prepared_case.h"

namespace opcompat {
namespace fuzz {
namespace {

constexpr uint64_t kShareOfAllLaws = 64;

// FNV-1a: the same input is judged alike in every run.
uint64_t HashOf(const uint8_t* data, size_t size) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ data[i]) * 0x100000001b3;
  return hash ^ (hash >> 32);
}

void JudgeInput(const uint8_t* data, size_t size) {
  static CaseCache& cache = *new CaseCache();
  const PreparedCase input = cache.Get(data, size);
  simulation::Laws& laws = *input.history->laws;
  std::vector<simulation::LawFailure> failures = laws.CheckReading(
      input.module, input.writer, input.reader, input.for_target);
  if (failures.empty() && HashOf(data, size) % kShareOfAllLaws == 0) {
    failures = laws.Check(input.module, input.writer);
  }
  if (failures.empty()) return;
  PreparedCase failing = input;
  failing.reader = failures[0].reader;
  failing.for_target = failures[0].for_target;
  FailWith(failing, failures[0].ToString());
}

}  // namespace
}  // namespace fuzz
}  // namespace opcompat

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  opcompat::fuzz::JudgeInput(data, size);
  return 0;
}
