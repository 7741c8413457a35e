#include "tools/inputs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "deserializer/decode.h"
#include "deserializer/mapped_file.h"

namespace opcompat {
namespace {

// How far FormOfContent looks.
constexpr size_t kLook = 64;

// Files of this size and more are mapped. (A smaller one is safer in memory:
// somebody may cut it shorter.)
constexpr off_t kMapped = off_t{1} << 20;

absl::Status ReadError(const std::string& path) {
  const std::string message =
      absl::StrCat(path, ": cannot be read: ", std::strerror(errno));
  if (errno == ENOENT || errno == ENOTDIR) return absl::NotFoundError(message);
  if (errno == EISDIR) return absl::InvalidArgumentError(message);
  return absl::UnavailableError(message);
}

// An open file or standard input. Closes what it has opened.
class Descriptor {
 public:
  static absl::StatusOr<Descriptor> Open(const std::string& path) {
    if (path == "-") return Descriptor(STDIN_FILENO);
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return ReadError(path);
    return Descriptor(fd);
  }
  Descriptor(Descriptor&& other) noexcept
      : fd_(std::exchange(other.fd_, STDIN_FILENO)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (fd_ != STDIN_FILENO) close(fd_);
  }
  int fd() const { return fd_; }

 private:
  explicit Descriptor(int fd) : fd_(fd) {}

  int fd_;
};

absl::StatusOr<std::string> ReadAll(int fd, const std::string& path) {
  std::string content;
  struct stat info;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
    content.reserve(static_cast<size_t>(info.st_size) + 1);
  }
  constexpr size_t kStep = size_t{1} << 16;
  while (true) {
    const size_t size = content.size();
    content.resize(size + kStep);
    const ssize_t got = read(fd, &content[size], kStep);
    content.resize(size + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return content;
    if (got < 0 && errno != EINTR) return ReadError(path);
  }
}

}  // namespace

absl::string_view ModuleFormName(ModuleForm form) {
  return form == ModuleForm::kText ? "text" : "opc";
}

ModuleForm FormOfContent(absl::string_view content) {
  if (LooksLikeModuleFile(content)) return ModuleForm::kBytes;
  const absl::string_view beginning = content.substr(0, kLook);
  const bool is_text =
      std::all_of(beginning.begin(), beginning.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x20 || c == '\t' || c == '\n' || c == '\r';
      });
  return is_text ? ModuleForm::kText : ModuleForm::kBytes;
}

absl::StatusOr<InputBytes> OpenInput(const std::string& path) {
  OPCOMPAT_ASSIGN_OR_RETURN(const Descriptor file, Descriptor::Open(path));
  struct stat info;
  if (fstat(file.fd(), &info) == 0 && S_ISREG(info.st_mode) &&
      info.st_size >= kMapped && lseek(file.fd(), 0, SEEK_CUR) == 0) {
    // Some file systems cannot map; then it is read.
    const auto mapped = MappedFile::FromDescriptor(file.fd(), path);
    if (mapped.ok()) return InputBytes{(*mapped)->bytes(), *mapped};
  }
  OPCOMPAT_ASSIGN_OR_RETURN(std::string content, ReadAll(file.fd(), path));
  const auto owner = std::make_shared<const std::string>(std::move(content));
  return InputBytes{*owner, owner};
}

absl::StatusOr<std::string> ReadInput(const std::string& path) {
  OPCOMPAT_ASSIGN_OR_RETURN(const Descriptor file, Descriptor::Open(path));
  return ReadAll(file.fd(), path);
}

}  // namespace opcompat
