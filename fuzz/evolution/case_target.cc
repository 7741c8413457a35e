// How libFuzzer and AddressSanitizer are set for the evolution targets: an
// input runs through most of the library, and what they do for each allocation
// and each counter costs more than that.
#include "fuzz/evolution/case_target.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "fuzz/evolution/case.pb.h"
#include "fuzz/evolution/case_mutator.h"

namespace {

using opcompat::fuzz::Case;

// Whatever can be parsed before an error is kept.
Case Parse(const uint8_t* data, size_t size) {
  Case input;
  (void)input.ParsePartialFromArray(data, static_cast<int>(size));
  return input;
}

// Returns 0 if there is no room.
size_t Write(const Case& input, uint8_t* data, size_t max_size) {
  const size_t size = input.ByteSizeLong();
  if (size > max_size) return 0;
  (void)input.SerializeToArray(data, static_cast<int>(size));
  return size;
}

}  // namespace

// Scheduling by entropy looks at each of some ten thousand counters again and
// again; smaller inputs in place of larger ones would be looked for in each.
extern "C" const char* const* OpcompatFuzzerFlags() {
  static const char* const kFlags[] = {"-entropic=0", "-reduce_inputs=0",
                                       nullptr};
  return kFlags;
}

// Read by AddressSanitizer, if it is there; ASAN_OPTIONS wins. Stacks of
// allocations come back with ASAN_OPTIONS=malloc_context_size=30.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __asan_default_options() {
  return "malloc_context_size=1:quarantine_size_mb=16:max_malloc_fill_size=0:"
         "detect_stack_use_after_return=0";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto& cache = *new opcompat::fuzz::CaseCache();
  opcompat::fuzz::PreparedCase input = cache.Get(data, size);
  // Half of all mutations change nothing that counts.
  if (input.is_repeated) return 0;
  opcompat::fuzz::JudgeCase(
      std::move(input),
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned int seed) {
  Case input = Parse(data, size);
  opcompat::fuzz::MutateCase(&input, seed);
  const size_t new_size = Write(input, data, max_size);
  return new_size == 0 ? size : new_size;
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1,
                                            const uint8_t* data2, size_t size2,
                                            uint8_t* out, size_t max_out_size,
                                            unsigned int seed) {
  return Write(opcompat::fuzz::CrossOverCases(Parse(data1, size1),
                                              Parse(data2, size2), seed),
               out, max_out_size);
}
