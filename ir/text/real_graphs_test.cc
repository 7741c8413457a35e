// The graphs of real models, as PyTorch made them: all parse, verify, print and
// parse back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "ir/text/module_printer.h"
#include "ir/text/opset_for_testing.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

using ::testing::Each;
using ::testing::MatchesRegex;

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::ostringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

// Read once for all tests.
const absl::StatusOr<Runtime>& RuntimeOf(const std::string& version) {
  static auto& runtimes = *new std::map<std::string, absl::StatusOr<Runtime>>();
  const auto known = runtimes.find(version);
  if (known != runtimes.end()) return known->second;
  return runtimes
      .emplace(version, RuntimeForTesting({ReadFile(absl::StrCat(
                            "opsets/torch/torch-", version, ".ops"))}))
      .first->second;
}

struct VersionCase {
  std::string version;
  size_t num_graphs;
};

std::ostream& operator<<(std::ostream& os, const VersionCase& c) {
  return os << c.version;
}

class RealGraphsTest : public ::testing::TestWithParam<VersionCase> {
 protected:
  void SetUp() override {
    const std::string& version = GetParam().version;
    const absl::StatusOr<Runtime>& runtime = RuntimeOf(version);
    ASSERT_THAT(runtime, IsOk());
    runtime_ = *runtime;
    for (const auto& entry : std::filesystem::directory_iterator(
             absl::StrCat("opsets/torch/models/", version))) {
      if (entry.path().extension() == ".graph") graphs_.push_back(entry.path());
    }
    std::sort(graphs_.begin(), graphs_.end());
    ASSERT_EQ(graphs_.size(), GetParam().num_graphs);
  }

  Runtime runtime_;
  std::vector<std::filesystem::path> graphs_;
};

TEST_P(RealGraphsTest, PrintAndParseIsTheIdentity) {
  for (const std::filesystem::path& path : graphs_) {
    SCOPED_TRACE(path);
    const absl::StatusOr<Module> module = ParseModule(ReadFile(path), runtime_);
    EXPECT_THAT(module, IsOk());
    if (!module.ok()) continue;
    EXPECT_THAT(module->opsets,
                Each(OpsetVersion{"torch", GetParam().version}));
    for (const bool ignore_names : {false, true}) {
      PrintOptions options;
      options.ignore_names = ignore_names;
      const std::string text = PrintModule(*module, options);
      const absl::StatusOr<Module> again = ParseModule(text, runtime_);
      ASSERT_THAT(again, IsOk()) << text;
      EXPECT_EQ(FirstDifference(*module, *again), absl::nullopt);
      EXPECT_EQ(PrintModule(*again, options), text);
    }
  }
}

// One line less is never read as if nothing were missing.
TEST_P(RealGraphsTest, TextThatBreaksOffIsAnErrorWithItsPlace) {
  for (const std::filesystem::path& path : graphs_) {
    SCOPED_TRACE(path);
    const std::string text = ReadFile(path);
    if (text.size() > 2000) continue;  // all prefixes are quadratic
    const size_t begin = text.find("func");
    for (size_t end = text.find('\n', begin); end < text.rfind("return");
         end = text.find('\n', end + 1)) {
      EXPECT_THAT(
          std::string(
              ParseModule(text.substr(0, end), runtime_).status().message()),
          MatchesRegex("[0-9]+:[0-9]+: expected .*, found the end.*"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, RealGraphsTest,
                         ::testing::Values(VersionCase{"1.7.1", 47},
                                           VersionCase{"1.13.1", 60},
                                           VersionCase{"2.6.0", 61}));

}  // namespace
}  // namespace opcompat
