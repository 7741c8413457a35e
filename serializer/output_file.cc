#include "serializer/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"

namespace opcompat {
namespace {

constexpr char kOwnDescriptors[] = "/proc/self/fd/";
constexpr int kMaxLinks = 40;
constexpr mode_t kPermissions = 07777;

// What `path` names of this process's own, such as /dev/stdout; or -1. Opening
// it again would begin at its first byte, and renaming would replace what the
// shell has opened.
int OwnDescriptor(absl::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  int descriptor = -1;
  if ((absl::ConsumePrefix(&path, "/dev/fd/") ||
       absl::ConsumePrefix(&path, kOwnDescriptors)) &&
      absl::SimpleAtoi(path, &descriptor)) {
    return descriptor;
  }
  return -1;
}

// `path` with a slash at its end, or nothing: the directory of a file.
std::string DirectoryOf(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1);
}

// Where `path` leads to, also if that is not there. Empty: nowhere, errno says
// why.
std::string FollowLinks(std::string path) {
  for (int i = 0; i < kMaxLinks; ++i) {
    char target[PATH_MAX];
    const ssize_t size = readlink(path.c_str(), target, sizeof target);
    if (size < 0) return path;  // no link; other errors come up again
    const std::string to(target, static_cast<size_t>(size));
    path = absl::StartsWith(to, "/") ? to : DirectoryOf(path) + to;
  }
  errno = ELOOP;
  return "";
}

// A name beside `place` that mkstemp can fill in.
std::string TemporaryName(const std::string& place) {
  return DirectoryOf(place) + ".opcompat.XXXXXX";
}

// Permissions as a new file gets them. (There is no other way to ask.)
mode_t NewFileMode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

absl::Status OutputFile::Error(absl::string_view what) const {
  return absl::UnavailableError(
      absl::StrCat("cannot write ", path_, ": ", what, std::strerror(errno)));
}

absl::StatusOr<std::unique_ptr<OutputFile>> OutputFile::Create(
    const std::string& path) {
  std::unique_ptr<OutputFile> file(new OutputFile(path));
  if (const int own = OwnDescriptor(path); own >= 0) {
    OPCOMPAT_RETURN_IF_ERROR(file->OpenInPlace(fcntl(own, F_DUPFD_CLOEXEC, 0)));
    return file;
  }
  struct stat info;
  const bool is_there = stat(path.c_str(), &info) == 0;
  if (is_there && S_ISDIR(info.st_mode)) {
    return absl::UnavailableError(
        absl::StrCat("cannot write ", path, ": it is a directory"));
  }
  if (is_there && !S_ISREG(info.st_mode)) {
    OPCOMPAT_RETURN_IF_ERROR(
        file->OpenInPlace(open(path.c_str(), O_WRONLY | O_CLOEXEC)));
    return file;
  }
  if (is_there && access(path.c_str(), W_OK) != 0) return file->Error("");
  file->place_ = FollowLinks(path);
  if (file->place_.empty()) return file->Error("");
  OPCOMPAT_RETURN_IF_ERROR(file->OpenBeside());
  mode_t mode = NewFileMode();
  if (is_there) {
    mode = info.st_mode & kPermissions;
    // Whose we cannot make it, that gets no rights of its owner or group.
    if (fchown(file->descriptor_, info.st_uid, info.st_gid) != 0) {
      mode &= ~static_cast<mode_t>(S_ISUID | S_ISGID);
    }
  }
  if (fchmod(file->descriptor_, mode) != 0) return file->Error("");
  return file;
}

absl::Status OutputFile::OpenInPlace(int descriptor) {
  descriptor_ = descriptor;
  return descriptor < 0 ? Error("") : absl::OkStatus();
}

absl::Status OutputFile::OpenBeside() {
#ifdef O_TMPFILE
  // A process that is killed before Commit() leaves nothing behind.
  const std::string directory = DirectoryOf(place_);
  if (access(kOwnDescriptors, X_OK) == 0) {  // Link() needs it
    descriptor_ = open(directory.empty() ? "." : directory.c_str(),
                       O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  }
  if (descriptor_ >= 0) return absl::OkStatus();
#endif
  std::string name = TemporaryName(place_);
  descriptor_ = mkostemp(&name[0], O_CLOEXEC);
  if (descriptor_ < 0) {
    return Error(errno == ENOENT || errno == ENOTDIR
                     ? ""
                     : "no file can be made in its directory: ");
  }
  temporary_ = std::move(name);
  return absl::OkStatus();
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

absl::Status OutputFile::Append(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return Error("");
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

// Gives the nameless file a name: `link` replaces nothing, so it cannot be the
// name that it is for.
absl::Status OutputFile::Link() {
  const std::string self = absl::StrCat(kOwnDescriptors, descriptor_);
  for (int i = 0; i < 100; ++i) {
    std::string name = TemporaryName(place_);
    const int placeholder = mkostemp(&name[0], O_CLOEXEC);
    if (placeholder < 0) return Error("");
    close(placeholder);
    unlink(name.c_str());
    if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(),
               AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = std::move(name);
      return absl::OkStatus();
    }
    if (errno != EEXIST) return Error("");
  }
  return Error("");
}

absl::Status OutputFile::Commit() {
  if (!place_.empty()) {
    if (fsync(descriptor_) != 0) return Error("");
    if (temporary_.empty()) OPCOMPAT_RETURN_IF_ERROR(Link());
  }
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) return Error("");
  if (place_.empty()) return absl::OkStatus();
  if (rename(temporary_.c_str(), place_.c_str()) != 0) return Error("");
  temporary_.clear();
  // The name is on the disk once the directory is. Some file systems cannot
  // sync one; then there is nothing more to do.
  const std::string directory = DirectoryOf(place_);
  const int parent = open(directory.empty() ? "." : directory.c_str(),
                          O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent >= 0) {
    fsync(parent);
    close(parent);
  }
  return absl::OkStatus();
}

}  // namespace opcompat
