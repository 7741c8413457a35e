#include "tools/glob.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

class GlobTest : public testing::Test {
 protected:
  GlobTest() : root_(absl::StrCat(testing::TempDir(), "/XXXXXX")) {
    EXPECT_NE(mkdtemp(&root_[0]), nullptr);
    for (const char* directory : {"a", "a/b", "a/.c", "d.graph"}) {
      EXPECT_EQ(mkdir(absl::StrCat(root_, "/", directory).c_str(), 0755), 0);
    }
    for (const char* file :
         {"1.graph", "2.graph", "[3].graph", "a/1.graph", "a/b/1.graph",
          "a/b/2.opc", "a/.c/1.graph", ".h.graph"}) {
      std::ofstream(absl::StrCat(root_, "/", file)) << "x";
    }
    // A link back up: following it would not end.
    EXPECT_EQ(symlink("..", absl::StrCat(root_, "/a/up").c_str()), 0);
  }

  // The files that match below the root, or the name of the error.
  std::string Match(const std::string& pattern) const {
    const auto files = Glob(absl::StrCat(root_, "/", pattern));
    if (!files.ok()) return absl::StatusCodeToString(files.status().code());
    return absl::StrReplaceAll(absl::StrJoin(*files, " "), {{root_ + "/", ""}});
  }

  std::string root_;
};

TEST_F(GlobTest, SignsMatchWithinOneNameAndDirectoriesByTwoStars) {
  const struct {
    const char* pattern;
    const char* files;
  } kCases[] = {
      {"1.graph", "1.graph"},
      {"*.graph", "1.graph 2.graph [3].graph"},
      {"?.graph", "1.graph 2.graph"},
      {"[12].graph", "1.graph 2.graph"},
      {"**/*.graph", "1.graph 2.graph [3].graph a/1.graph a/b/1.graph"},
      {"**/1.graph", "1.graph a/1.graph a/b/1.graph"},
      {"a/**/b/*", "a/b/1.graph a/b/2.opc"},
      {"*/*.graph", "a/1.graph"},
      {"a/*/1.graph", "a/b/1.graph a/up/1.graph"},
      {"a/**/**/*.opc", "a/b/2.opc"},
      {".*.graph", ".h.graph"},
      {"*.none", "NOT_FOUND"},
      {"none/*.graph", "NOT_FOUND"},
      {"4.graph", "NOT_FOUND"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(Match(test.pattern), test.files) << test.pattern;
  }
}

TEST_F(GlobTest, APatternThatMatchesNothingIsNamed) {
  EXPECT_THAT(Glob("no*such"),
              StatusIs(absl::StatusCode::kNotFound,
                       testing::HasSubstr("no*such: no file matches")));
}

}  // namespace
}  // namespace opcompat
