#include "tools/glob.h"

#include <dirent.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "tools/paths.h"

namespace opcompat {
namespace {

bool IsLink(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

bool Exists(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0;
}

bool IsMagic(absl::string_view name) {
  return name.find_first_of("*?[") != absl::string_view::npos;
}

std::vector<std::string> NamesIn(const std::string& directory) {
  std::vector<std::string> names;
  DIR* dir = opendir(directory.empty() ? "." : directory.c_str());
  if (dir == nullptr) return names;
  while (const dirent* item = readdir(dir)) {
    const std::string name = item->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  closedir(dir);
  return names;
}

// `directory` ends with `/` or is empty.
std::vector<std::string> AllBelow(const std::string& directory) {
  std::vector<std::string> found = {directory};
  for (size_t i = 0; i < found.size(); ++i) {
    // A copy: push_back moves the elements.
    const std::string parent = found[i];
    for (const std::string& name : NamesIn(parent)) {
      const std::string path = absl::StrCat(parent, name);
      if (name[0] != '.' && IsDirectory(path) && !IsLink(path)) {
        found.push_back(path + "/");
      }
    }
  }
  return found;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> Glob(absl::string_view pattern) {
  const absl::Status nothing =
      absl::NotFoundError(absl::StrCat(pattern, ": no file matches"));
  if (!IsMagic(pattern)) {
    if (!Exists(std::string(pattern))) return nothing;
    return std::vector<std::string>{std::string(pattern)};
  }
  // Directories that match so far, each empty or ending with `/`.
  std::vector<std::string> found = {""};
  const std::vector<absl::string_view> parts = absl::StrSplit(pattern, '/');
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    const std::string part(parts[i]);
    std::vector<std::string> next;
    for (const std::string& directory : found) {
      if (part == "**" && !last) {
        const std::vector<std::string> below = AllBelow(directory);
        next.insert(next.end(), below.begin(), below.end());
        continue;
      }
      if (!IsMagic(part)) {
        const std::string path = absl::StrCat(directory, part);
        if (last ? Exists(path) : part.empty() || IsDirectory(path)) {
          next.push_back(last ? path : path + "/");
        }
        continue;
      }
      for (const std::string& name : NamesIn(directory)) {
        if (fnmatch(part.c_str(), name.c_str(), FNM_PERIOD) != 0) continue;
        const std::string path = absl::StrCat(directory, name);
        if (IsDirectory(path) == last) continue;
        next.push_back(last ? path : path + "/");
      }
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    found = std::move(next);
  }
  if (found.empty()) return nothing;
  return found;
}

}  // namespace opcompat
