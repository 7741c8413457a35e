// Every *.case of fuzz/crashers: whoever puts one there has a test.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compat_matrix/simulation/case_check.h"
#include "compat_matrix/simulation/case_file.h"

namespace opcompat {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> CaseNames() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry :
       fs::directory_iterator("fuzz/crashers")) {
    if (entry.path().extension() == ".case") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

class CrasherTest : public testing::TestWithParam<std::string> {};

TEST_P(CrasherTest, EndsAsItMust) {
  std::ifstream in("fuzz/crashers/" + GetParam() + ".case", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const absl::StatusOr<simulation::CaseFile> file =
      simulation::ParseCaseFile(text);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE(file->expected.has_value()) << "no line `expected:`";
  const absl::Status checked = simulation::CheckCaseFile(*file);
  EXPECT_TRUE(checked.ok()) << checked;
}

INSTANTIATE_TEST_SUITE_P(Files, CrasherTest, testing::ValuesIn(CaseNames()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace opcompat
