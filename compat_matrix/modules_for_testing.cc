#include "compat_matrix/modules_for_testing.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace opcompat {

std::vector<MatrixModule> ModulesIn(const std::string& directory) {
  std::vector<MatrixModule> modules;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(directory)) {
    if (file.path().extension() != ".graph") continue;
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    modules.push_back({file.path().string(), text.str()});
  }
  std::sort(modules.begin(), modules.end(),
            [](const MatrixModule& a, const MatrixModule& b) {
              return a.path < b.path;
            });
  return modules;
}

}  // namespace opcompat
