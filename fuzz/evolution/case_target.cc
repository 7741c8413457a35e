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

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto& cache = *new opcompat::fuzz::CaseCache();
  opcompat::fuzz::PreparedCase input = cache.Get(data, size);
  // Many a mutation changes nothing that counts.
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
