#include "tools/inputs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "deserializer/decode.h"

namespace opcompat {
namespace {

// How far FormOfContent looks.
constexpr size_t kLook = 64;

absl::Status ReadError(const std::string& path) {
  const std::string message =
      absl::StrCat(path, ": cannot be read: ", std::strerror(errno));
  if (errno == ENOENT || errno == ENOTDIR) return absl::NotFoundError(message);
  if (errno == EISDIR) return absl::InvalidArgumentError(message);
  return absl::UnavailableError(message);
}

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

absl::StatusOr<std::string> ReadInput(const std::string& path) {
  if (path == "-") return ReadAll(STDIN_FILENO, path);
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ReadError(path);
  absl::StatusOr<std::string> content = ReadAll(fd, path);
  close(fd);
  return content;
}

}  // namespace opcompat
