// How much a file may ask for.
#ifndef OPCOMPAT_DESERIALIZER_DECODE_LIMITS_H_
#define OPCOMPAT_DESERIALIZER_DECODE_LIMITS_H_

#include <cstddef>
#include <cstdint>

namespace opcompat {

// What a file may make us allocate. Checked before allocating.
struct DecodeLimits {
  // Of the file without the bulk data of large tensors.
  size_t max_bytes = size_t{1} << 31;
  uint64_t max_nodes = uint64_t{1} << 28;
  uint64_t max_depth = 100000;
  // Of tensors that are copied, all together; never more than the file has.
  // Tensors that are views of a mapped file (tensor_memory.h) cost nothing and
  // have no limit.
  uint64_t max_tensor_bytes = uint64_t{1} << 36;
};

}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_DECODE_LIMITS_H_
