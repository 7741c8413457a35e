// What both kinds of files have around their tables: a checksum at the end, and
// the features that a reader must know.
#ifndef OPCOMPAT_DESERIALIZER_ENVELOPE_H_
#define OPCOMPAT_DESERIALIZER_ENVELOPE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace opcompat {
namespace decoding {

// Returns what the checksum covers: all before the field `checksum`, with which
// the file ends. `beginning` is what comes before all else.
absl::StatusOr<absl::string_view> CheckChecksum(absl::string_view bytes,
                                                absl::string_view beginning);

// InvalidArgument unless `features` are sorted, each once; Unimplemented,
// naming them, if we do not know some.
absl::Status CheckFeatures(const std::vector<std::string>& features);

}  // namespace decoding
}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_ENVELOPE_H_
