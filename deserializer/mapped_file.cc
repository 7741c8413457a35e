#include "deserializer/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace opcompat {
namespace {

absl::Status MapError(const std::string& path) {
  const std::string message =
      absl::StrCat(path, ": cannot be mapped: ", std::strerror(errno));
  if (errno == ENOENT || errno == ENOTDIR) return absl::NotFoundError(message);
  return absl::UnavailableError(message);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const MappedFile>> MappedFile::Open(
    const std::string& path) {
  // Not waiting for whoever would write into a pipe.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return MapError(path);
  absl::StatusOr<std::shared_ptr<const MappedFile>> file =
      FromDescriptor(descriptor, path);
  close(descriptor);
  return file;
}

absl::StatusOr<std::shared_ptr<const MappedFile>> MappedFile::FromDescriptor(
    int descriptor, const std::string& path) {
  struct stat info;
  if (fstat(descriptor, &info) != 0) return MapError(path);
  if (!S_ISREG(info.st_mode)) {
    return absl::UnavailableError(
        absl::StrCat(path, ": cannot be mapped: it is no ordinary file"));
  }
  const auto size = static_cast<size_t>(info.st_size);
  void* memory = nullptr;
  if (size > 0) {  // nothing at all cannot be mapped
    memory = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) return MapError(path);
  }
  return std::shared_ptr<const MappedFile>(new MappedFile(
      absl::string_view(static_cast<const char*>(memory), size)));
}

MappedFile::~MappedFile() {
  if (bytes_.empty()) return;
  munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace opcompat
