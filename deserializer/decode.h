// Bytes -> module as written: with the writer's entries, nothing bound yet.
// Knows nothing of encoding. Every input gets an answer: malformed bytes are
// an error with the offset, never a crash, a hang or unbounded memory.
#ifndef OPCOMPAT_DESERIALIZER_DECODE_H_
#define OPCOMPAT_DESERIALIZER_DECODE_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/module.h"

namespace opcompat {

// What a file may make us allocate. Checked before allocating.
struct DecodeLimits {
  size_t max_bytes = size_t{1} << 31;
  uint64_t max_nodes = uint64_t{1} << 28;
  uint64_t max_depth = 100000;
  uint64_t max_tensor_bytes = uint64_t{1} << 31;
};

// A status of code Unimplemented carries this payload (with any content) when
// the reason is the wire version, not a required feature.
inline constexpr char kWireVersionPayload[] = "opcompat/wire_version";

// Decodes and verifies. Debug information that does not make sense is dropped,
// never an error: it does not decide.
//   * InvalidArgument: malformed bytes; a module that does not verify;
//   * Unimplemented: a wire version or a required feature that we do not know;
//   * ResourceExhausted: over a limit.
absl::StatusOr<Module> Decode(absl::string_view bytes,
                              const DecodeLimits& limits = {});

// Whether `bytes` begin as a module file does (for tools that take text too).
bool LooksLikeModuleFile(absl::string_view bytes);

}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_DECODE_H_
