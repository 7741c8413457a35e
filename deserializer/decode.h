// Bytes -> module as written: with the writer's entries, nothing bound yet.
// Knows nothing of encoding. Every input gets an answer: malformed bytes are
// an error with the offset, never a crash, a hang or unbounded memory.
#ifndef OPCOMPAT_DESERIALIZER_DECODE_H_
#define OPCOMPAT_DESERIALIZER_DECODE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "deserializer/decode_limits.h"
#include "deserializer/decode_options.h"
#include "ir/module.h"

namespace opcompat {

// Decodes and verifies. Debug information that does not make sense is dropped,
// never an error: it does not decide.
//   * InvalidArgument: malformed bytes; a module that does not verify;
//   * Unimplemented: a wire version or a required feature that we do not know;
//   * ResourceExhausted: over a limit.
absl::StatusOr<Module> Decode(absl::string_view bytes,
                              const DecodeLimits& limits = {});
// With more to choose than limits.
absl::StatusOr<Module> Decode(absl::string_view bytes,
                              const DecodeOptions& options);

// The features that a file may require of this reader, sorted
// (docs/wire_format.md).
std::vector<std::string> KnownFeatures();

// Whether `bytes` begin as a module file does (for tools that take text too).
bool LooksLikeModuleFile(absl::string_view bytes);

}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_DECODE_H_
