// What a path on the command line is.
#ifndef OPCOMPAT_TOOLS_PATHS_H_
#define OPCOMPAT_TOOLS_PATHS_H_

#include <string>

namespace opcompat {

// Links are followed.
bool IsDirectory(const std::string& path);

// Whether both are there and are one file, by whatever names. Links are
// followed.
bool IsSameFile(const std::string& a, const std::string& b);

// Whether writing to one writes to the other, whether they are there or not: by
// whatever names, through links, and through links to what is not there yet.
// `-` is standard output. Nothing of /dev/null: all may write there.
bool IsSameDestination(const std::string& a, const std::string& b);

// The textproto of a history that is named by it or by its directory.
std::string HistoryFileOf(const std::string& path);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_PATHS_H_
