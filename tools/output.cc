#include "tools/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace opcompat {
namespace {

absl::Status ErrnoError(absl::string_view what, const std::string& path) {
  return absl::UnavailableError(
      absl::StrCat("cannot ", what, " ", path, ": ", std::strerror(errno)));
}

absl::Status WriteAll(int fd, absl::string_view bytes,
                      const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return ErrnoError("write", path);
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

// The permissions that a new file gets here. (There is no other way to ask.)
mode_t NewFileMode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// Writes, syncs and closes `fd`, whatever happens.
absl::Status FillAndClose(int fd, absl::string_view bytes, mode_t mode,
                          const std::string& path) {
  absl::Status status = WriteAll(fd, bytes, path);
  if (status.ok() && fchmod(fd, mode) != 0) status = ErrnoError("write", path);
  if (status.ok() && fsync(fd) != 0) status = ErrnoError("write", path);
  if (close(fd) != 0 && status.ok()) status = ErrnoError("write", path);
  return status;
}

absl::Status WriteInPlace(const std::string& path, absl::string_view bytes) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return ErrnoError("write", path);
  const absl::Status status = WriteAll(fd, bytes, path);
  if (close(fd) != 0 && status.ok()) return ErrnoError("write", path);
  return status;
}

}  // namespace

bool ColorOnStandardOutput(const OutputOptions& options) {
  switch (options.color) {
    case ColorChoice::kAlways:
      return true;
    case ColorChoice::kNever:
      return false;
    case ColorChoice::kAuto:
      break;
  }
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && isatty(STDOUT_FILENO);
}

std::string OneLine(absl::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      line += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      absl::StrAppendFormat(&line, "\\x%02x", byte);
    } else {
      line += c;
    }
  }
  return line;
}

void PrintError(absl::string_view message) {
  const std::string line = absl::StrCat(message, "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void PrintNote(const OutputOptions& options, absl::string_view message) {
  if (!options.quiet) PrintError(message);
}

void PrintReasons(const std::vector<Reason>& reasons) {
  for (const Reason& reason : reasons) PrintError(OneLine(reason.message));
}

absl::Status WriteStandardOutput(absl::string_view bytes) {
  return WriteAll(STDOUT_FILENO, bytes, "standard output");
}

absl::Status WriteOutput(const std::string& path, absl::string_view bytes) {
  if (path.empty() || path == "-") return WriteStandardOutput(bytes);
  // A link stays one: what it leads to is replaced.
  std::string place = path;
  struct stat info;
  mode_t mode = NewFileMode();
  if (stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) {
      return absl::UnavailableError(
          absl::StrCat("cannot write ", path, ": it is a directory"));
    }
    if (!S_ISREG(info.st_mode)) return WriteInPlace(path, bytes);
    mode = info.st_mode & 07777;
    char resolved[PATH_MAX];
    if (realpath(path.c_str(), resolved) != nullptr) place = resolved;
  }
  std::string temporary = absl::StrCat(place, ".XXXXXX");
  const int fd = mkstemp(&temporary[0]);
  if (fd < 0) return ErrnoError("write", path);
  absl::Status status = FillAndClose(fd, bytes, mode, path);
  if (status.ok() && rename(temporary.c_str(), place.c_str()) != 0) {
    status = ErrnoError("write", path);
  }
  if (!status.ok()) unlink(temporary.c_str());
  return status;
}

int Finish(const std::string& path, absl::string_view bytes, int code) {
  const absl::Status status = WriteOutput(path, bytes);
  if (status.ok()) return code;
  PrintError(absl::StrCat("opcompat: ", status.message()));
  return kExitBadInput;
}

}  // namespace opcompat
