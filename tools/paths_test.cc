#include "tools/paths.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "base/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/output_paths.h"

namespace opcompat {
namespace {

using testing::HasSubstr;

// In a directory of its own: `file`, `other`, `hard` (a hard link to `file`),
// `link` -> `file`, `dangling` -> `new`, `twice` -> `dangling`, `loop` ->
// `loop`, `directory/`, `directory_link` -> `directory`.
class PathsTest : public testing::Test {
 protected:
  PathsTest() : root_(testing::TempDir() + "/XXXXXX") {
    EXPECT_NE(mkdtemp(&root_[0]), nullptr);
    EXPECT_EQ(chdir(root_.c_str()), 0);
    std::ofstream("file") << "x";
    std::ofstream("other") << "x";
    EXPECT_EQ(link("file", "hard"), 0);
    EXPECT_EQ(mkdir("directory", 0755), 0);
    for (const auto& [name, to] :
         {std::pair<const char*, const char*>{"link", "file"},
          {"dangling", "new"},
          {"twice", "dangling"},
          {"loop", "loop"},
          {"directory_link", "directory"}}) {
      EXPECT_EQ(symlink(to, name), 0);
    }
  }

  std::string root_;
};

TEST_F(PathsTest, OneDestinationByWhateverNames) {
  const std::vector<std::vector<std::string>> files = {
      {"file", "./file", "directory/../file", root_ + "/file", "hard", "link",
       "directory_link/../file"},
      {"other", ".//other"},
      {"new", "./new", "dangling", "twice", root_ + "/dangling",
       "directory/../new"},
      {"directory/a", "directory_link/a", root_ + "/directory_link/./a"},
      {"directory/b"},
      {"nowhere/a/b", "nowhere/a/../a/b"},
      {"loop"},
      {"-", "/dev/stdout"},
  };
  for (size_t i = 0; i < files.size(); ++i) {
    for (size_t k = 0; k < files.size(); ++k) {
      for (const std::string& a : files[i]) {
        for (const std::string& b : files[k]) {
          EXPECT_EQ(IsSameDestination(a, b), i == k) << a << " and " << b;
        }
      }
    }
  }
}

TEST_F(PathsTest, AllMayWriteToNowhere) {
  EXPECT_FALSE(IsSameDestination("/dev/null", "/dev/null"));
}

TEST_F(PathsTest, OutputsAreFilesOfTheirOwn) {
  EXPECT_EQ(absl::OkStatus(), CheckOutputPaths({{"--html", "a"},
                                                {"--junit", ""},
                                                {"--db", ""},
                                                {"--update", "other"}},
                                               {"file"}));
  EXPECT_THAT(CheckOutputPaths({{"--html", "new"}, {"--db", "./dangling"}}, {}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("./dangling: --html and --db would both")));
  EXPECT_THAT(CheckOutputPaths({{"--html", "link"}}, {"other", "file"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("link: --html would overwrite what")));
}

}  // namespace
}  // namespace opcompat
