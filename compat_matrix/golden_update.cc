// Makes the golden files that are missing:
//
//   bazel run //compat_matrix:golden_update -- $PWD/compat_matrix/golden
//
// Never writes one that is there: if it would be another today, the format was
// changed, and files that people have are no longer what the writer writes.

#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "compat_matrix/golden_files.h"
#include "ir/text/history_loader.h"

namespace opcompat {
namespace {

// Returns whether `path` has these bytes now.
bool WriteIfMissing(const std::string& path, const std::string& bytes) {
  const absl::StatusOr<std::string> found = ReadGoldenFile(path);
  if (found.ok()) {
    if (*found == bytes) return true;
    std::fprintf(stderr, "%s is there, and would be another file today\n",
                 path.c_str());
    return false;
  }
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  if (!out) {
    std::fprintf(stderr, "cannot write %s\n", path.c_str());
    return false;
  }
  std::printf("%s: %zu bytes\n", path.c_str(), bytes.size());
  return true;
}

int RealMain(const std::string& directory) {
  const auto history =
      LoadHistoryOrError(absl::StrCat(directory, "/history.textproto"));
  if (!history.ok()) {
    std::fprintf(stderr, "%s\n", history.status().ToString().c_str());
    return 1;
  }
  bool all = true;
  for (const std::string& name : GoldenNames(directory)) {
    const absl::StatusOr<GoldenModule> golden =
        ReadGoldenText(directory, name, **history);
    const absl::StatusOr<std::string> file =
        golden.ok() ? MakeGoldenFile(*golden) : golden.status();
    if (!file.ok()) {
      std::fprintf(stderr, "%s: %s\n", name.c_str(),
                   file.status().ToString().c_str());
      all = false;
      continue;
    }
    all &= WriteIfMissing(absl::StrCat(directory, "/", name, ".opc"), *file);
  }
  for (const auto& [name, file] : MakeFutureFiles()) {
    all &=
        WriteIfMissing(absl::StrCat(directory, "/future/", name, ".opc"), file);
  }
  return all ? 0 : 1;
}

}  // namespace
}  // namespace opcompat

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: golden_update DIRECTORY\n");
    return 2;
  }
  return opcompat::RealMain(argv[1]);
}
