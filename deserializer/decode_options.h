// What a caller of Decode chooses.
#ifndef OPCOMPAT_DESERIALIZER_DECODE_OPTIONS_H_
#define OPCOMPAT_DESERIALIZER_DECODE_OPTIONS_H_

#include <cstdint>
#include <functional>

#include "deserializer/decode_limits.h"
#include "deserializer/tensor_memory.h"

namespace opcompat {

struct DecodeOptions {
  DecodeLimits limits;
  TensorMemory tensors = TensorMemory::Copied();
  // Whether the bytes of large tensors are compared with their hashes. If not,
  // views of a mapped file are not touched: opening a file of any size costs
  // what its graph costs. Given up is that a tensor which was damaged or
  // exchanged since the file was written is found; it is then used as it is.
  // (The graph itself, and which bytes belong to which tensor, are checked in
  // any case.) For files that were checked once and lie where nobody changes
  // them.
  bool check_tensor_hashes = true;
  // Told from time to time, at most once per megabyte, how many bytes of the
  // file are done, on the thread that reads; the last call of a file that is
  // accepted says all. Null: nobody asks.
  std::function<void(uint64_t done, uint64_t total)> progress;
};

}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_DECODE_OPTIONS_H_
