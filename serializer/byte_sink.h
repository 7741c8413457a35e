// Where a file goes that is written piece by piece. Implement it for what is
// not here: an archive, a socket, a hash. Knows nothing of modules.
#ifndef OPCOMPAT_SERIALIZER_BYTE_SINK_H_
#define OPCOMPAT_SERIALIZER_BYTE_SINK_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace opcompat {

class ByteSink {
 public:
  virtual ~ByteSink() = default;

  // Takes the bytes that come next; they need not live on. After an error
  // nothing more is appended.
  virtual absl::Status Append(absl::string_view bytes) = 0;
};

// Appends to a string, which must outlive it.
class StringSink : public ByteSink {
 public:
  explicit StringSink(std::string* out) : out_(*out) {}
  absl::Status Append(absl::string_view bytes) override {
    out_.append(bytes.data(), bytes.size());
    return absl::OkStatus();
  }

 private:
  std::string& out_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_BYTE_SINK_H_
