// Streams of the testee protocol as the messages in their frames.
#ifndef OPCOMPAT_FUZZ_TARGETS_FRAME_STREAM_H_
#define OPCOMPAT_FUZZ_TARGETS_FRAME_STREAM_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace opcompat {

// The messages of the whole frames with which `stream` begins.
std::vector<std::string> MessagesOf(absl::string_view stream);
// The stream that has them.
std::string StreamOf(const std::vector<std::string>& messages);

}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_TARGETS_FRAME_STREAM_H_
