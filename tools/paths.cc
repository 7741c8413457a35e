#include "tools/paths.h"

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace opcompat {

bool IsDirectory(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

bool IsSameFile(const std::string& a, const std::string& b) {
  struct stat of_a, of_b;
  return stat(a.c_str(), &of_a) == 0 && stat(b.c_str(), &of_b) == 0 &&
         of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

namespace {

namespace fs = std::filesystem;

// Links that lead nowhere yet are followed as well.
fs::path Destination(const std::string& path) {
  fs::path place = path;
  std::error_code error;
  // As many as Linux follows.
  for (int links = 0; links < 40 && fs::is_symlink(place, error); ++links) {
    const fs::path target = fs::read_symlink(place, error);
    if (error) break;
    place = place.parent_path() / target;  // absolute: the target
  }
  const fs::path resolved =
      fs::weakly_canonical(fs::absolute(place, error), error);
  return error ? place : resolved;
}

}  // namespace

bool IsSameDestination(const std::string& a, const std::string& b) {
  const std::string file_a = a == "-" ? "/dev/stdout" : a;
  const std::string file_b = b == "-" ? "/dev/stdout" : b;
  if (IsSameFile(file_a, "/dev/null")) return false;
  return IsSameFile(file_a, file_b) ||
         Destination(file_a) == Destination(file_b);
}

std::string HistoryFileOf(const std::string& path) {
  return IsDirectory(path)
             ? absl::StrCat(absl::StripSuffix(path, "/"), "/history.textproto")
             : path;
}

}  // namespace opcompat
