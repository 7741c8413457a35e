#include "tools/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "serializer/output_file.h"

namespace opcompat {
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
  while (!bytes.empty()) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return absl::UnavailableError(
          absl::StrCat("cannot write standard output: ", std::strerror(errno)));
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

bool GoesToTerminal(const std::string& path) {
  if (path.empty() || path == "-") return isatty(STDOUT_FILENO);
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || !S_ISCHR(info.st_mode)) return false;
  const int file = open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return false;  // whoever writes says why
  const bool is_terminal = isatty(file);
  close(file);
  return is_terminal;
}

absl::Status Output::Append(absl::string_view bytes) {
  if (path_.empty() || path_ == "-") return WriteStandardOutput(bytes);
  if (file_ == nullptr) {
    OPCOMPAT_ASSIGN_OR_RETURN(file_, OutputFile::Create(path_));
  }
  return file_->Append(bytes);
}

absl::Status Output::Commit() {
  return file_ == nullptr ? absl::OkStatus() : file_->Commit();
}

absl::Status WriteOutput(const std::string& path, absl::string_view bytes) {
  Output output(path);
  OPCOMPAT_RETURN_IF_ERROR(output.Append(bytes));
  return output.Commit();
}

int Finish(const std::string& path, absl::string_view bytes, int code) {
  const absl::Status status = WriteOutput(path, bytes);
  if (status.ok()) return code;
  PrintError(absl::StrCat("opcompat: ", status.message()));
  return kExitBadInput;
}

}  // namespace opcompat
