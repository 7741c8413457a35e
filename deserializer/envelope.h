// What both kinds of files have around their tables: a checksum at the end, and
// the features that a reader must know.
#ifndef OPCOMPAT_DESERIALIZER_ENVELOPE_H_
#define OPCOMPAT_DESERIALIZER_ENVELOPE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace opcompat {
namespace decoding {

// "malformed file: WHAT", of the file as a whole.
absl::Status Malformed(absl::string_view what);

// The size of the field `checksum`, with which a message ends.
inline constexpr size_t kChecksumSize = 10;

// Returns what the checksum covers: the message without its last field.
// `beginning` is what comes before all else; what follows the message (large
// tensors) is the caller's business. ResourceExhausted if the message has more
// bytes than `max_message_size`.
absl::StatusOr<absl::string_view> CheckChecksum(absl::string_view bytes,
                                                absl::string_view beginning,
                                                size_t max_message_size);

// The features that we know, sorted.
absl::Span<const absl::string_view> KnownFeatures();

// InvalidArgument unless `features` are sorted, each once; Unimplemented,
// naming them, if we do not know some.
absl::Status CheckFeatures(const std::vector<std::string>& features);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_ENVELOPE_H_
