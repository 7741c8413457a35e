#include "tools/paths.h"

#include <sys/stat.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace opcompat {

bool IsDirectory(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

std::string HistoryFileOf(const std::string& path) {
  return IsDirectory(path)
             ? absl::StrCat(absl::StripSuffix(path, "/"), "/history.textproto")
             : path;
}

}  // namespace opcompat
