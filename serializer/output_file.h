// A file that appears whole or not at all: whatever happens on the way (a full
// disk, an error, a killed process, a power cut), the old one is still there. A
// process that is killed, or a power cut, may leave a temporary file
// `.opcompat.XXXXXX` (X: any letter or digit) beside it, that nothing reads:
// delete it.
//
//   OPCOMPAT_ASSIGN_OR_RETURN(std::unique_ptr<OutputFile> file,
//                             OutputFile::Create("net.opc"));
//   OPCOMPAT_RETURN_IF_ERROR(
//       SerializeTo(module, writer, options, file.get()));
//   OPCOMPAT_RETURN_IF_ERROR(file->Commit());
#ifndef OPCOMPAT_SERIALIZER_OUTPUT_FILE_H_
#define OPCOMPAT_SERIALIZER_OUTPUT_FILE_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "serializer/byte_sink.h"

namespace opcompat {

// The bytes go to a nameless file in the same directory; Commit() syncs it,
// gives it a temporary name and renames it into its place at once. Where the
// file system has no nameless files, or there is no /proc, it has the temporary
// name from the beginning.
//   * A symbolic link stays one: what it leads to is replaced, or made.
//   * Permissions stay, and the owner where we may set it; a file that we may
//     not write is not replaced. Other hard links keep the old content.
//   * What is no ordinary file (a pipe, a terminal, /dev/null), and
//     /dev/stdout, /dev/stderr and /dev/fd/N whatever they are, is written in
//     place, at once.
// Not copyable, not for several threads.
class OutputFile : public ByteSink {
 public:
  // Unavailable, with the path and why: it cannot be written.
  static absl::StatusOr<std::unique_ptr<OutputFile>> Create(
      const std::string& path);

  // Without Commit(): as if there had been no Create().
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  absl::Status Append(absl::string_view bytes) override;

  // Once, and last. After OK the file is on the disk under its name; after an
  // error the old one is there.
  absl::Status Commit();

 private:
  explicit OutputFile(std::string path) : path_(std::move(path)) {}

  absl::Status OpenInPlace(int descriptor);
  absl::Status OpenBeside();
  absl::Status Link();
  absl::Status Error(absl::string_view what) const;

  // As given, and where it leads to; the latter is empty: written in place.
  std::string path_;
  std::string place_;
  // What has a name already; empty: nothing.
  std::string temporary_;
  int descriptor_ = -1;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_OUTPUT_FILE_H_
