// What the engine of a fuzz target offers it: libFuzzer or replay_main.cc.
#ifndef OPCOMPAT_FUZZ_ENGINE_H_
#define OPCOMPAT_FUZZ_ENGINE_H_

#include <cstddef>
#include <cstdint>

// Changes bytes as it does where a target has no mutator of its own; with words
// of the dictionary. Returns the new size, at most `max_size`.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

#endif  // OPCOMPAT_FUZZ_ENGINE_H_
