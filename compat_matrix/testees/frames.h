// Frames of the testee protocol: 4 bytes of length, little endian, then so many
// bytes. Knows nothing of what is in them.
#ifndef OPCOMPAT_COMPAT_MATRIX_TESTEES_FRAMES_H_
#define OPCOMPAT_COMPAT_MATRIX_TESTEES_FRAMES_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace opcompat {

inline constexpr size_t kFrameHeaderBytes = 4;

// What stands before a message of `size` bytes. Precondition: `size` fits into
// 32 bits.
std::string FrameHeader(size_t size);

// What a header says. Precondition: `header` has kFrameHeaderBytes or more.
uint32_t FrameLength(absl::string_view header);

// How many bytes the frame has, header and all, with which `received` begins;
// 0: too little of it is there to know. Returns Aborted if it announces a
// message of more than `max_bytes`.
absl::StatusOr<size_t> FrameSize(absl::string_view received,
                                 uint32_t max_bytes);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_TESTEES_FRAMES_H_
