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
#include "absl/strings/str_cat.h"
#include "compat_matrix/simulation/case_check.h"
#include "compat_matrix/simulation/case_file.h"
#include "schema/words.h"

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

// GoogleTest takes letters, digits and `_`; another byte is `_` and its number.
std::string TestName(const std::string& file) {
  std::string name;
  for (const char c : file) {
    if (IsWordPart(c)) {
      name.push_back(c);
    } else {
      absl::StrAppend(&name, "_",
                      static_cast<int>(static_cast<unsigned char>(c)));
    }
  }
  return name;
}

class CrasherTest : public testing::TestWithParam<std::string> {};

TEST_P(CrasherTest, EndsAsItMust) {
  std::ifstream in("fuzz/crashers/" + GetParam() + ".case", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const absl::StatusOr<simulation::CaseFile> file =
      simulation::ParseCaseFile(text);
  ASSERT_TRUE(file.ok()) << file.status();
  const absl::Status checked = simulation::CheckCaseFile(*file);
  EXPECT_TRUE(checked.ok()) << checked;
}

INSTANTIATE_TEST_SUITE_P(Files, CrasherTest, testing::ValuesIn(CaseNames()),
                         [](const auto& info) { return TestName(info.param); });

}  // namespace
}  // namespace opcompat
