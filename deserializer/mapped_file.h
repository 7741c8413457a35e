// A file in memory without reading it: for modules whose tensors are used where
// they lie (tensor_memory.h). Nothing for pipes, and nothing that writes.
#ifndef OPCOMPAT_DESERIALIZER_MAPPED_FILE_H_
#define OPCOMPAT_DESERIALIZER_MAPPED_FILE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace opcompat {

// A whole file, mapped for reading until this object goes. It may be replaced
// or deleted meanwhile (as whoever writes files by renaming does); the old one
// stays. But it must not be changed in place: its bytes would change under the
// module, and if it is cut shorter the process dies of SIGBUS when it touches
// what is gone.
// Neither copyable nor movable: shared. Safe to share between threads.
class MappedFile {
 public:
  // NotFound: there is none; Unavailable: it is no ordinary file, or cannot be
  // opened or mapped. The message begins with `path`.
  static absl::StatusOr<std::shared_ptr<const MappedFile>> Open(
      const std::string& path);
  // The same of an open file, which stays open; `path` is for messages.
  static absl::StatusOr<std::shared_ptr<const MappedFile>> FromDescriptor(
      int descriptor, const std::string& path);

  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Begins at the start of a page.
  absl::string_view bytes() const { return bytes_; }

 private:
  explicit MappedFile(absl::string_view bytes) : bytes_(bytes) {}

  absl::string_view bytes_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_DESERIALIZER_MAPPED_FILE_H_
