#include "tools/output.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

class WriteOutputTest : public testing::Test {
 protected:
  WriteOutputTest() : directory_(absl::StrCat(testing::TempDir(), "/XXXXXX")) {
    EXPECT_NE(mkdtemp(&directory_[0]), nullptr);
  }
  std::string Path(const std::string& name) const {
    return absl::StrCat(directory_, "/", name);
  }
  std::string Read(const std::string& name) const {
    std::ifstream in(Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in),
            std::istreambuf_iterator<char>()};
  }
  size_t NumFiles() const {
    size_t files = 0;
    DIR* directory = opendir(directory_.c_str());
    while (const dirent* item = readdir(directory)) {
      files += item->d_name[0] != '.';
    }
    closedir(directory);
    return files;
  }

  std::string directory_;
};

TEST_F(WriteOutputTest, AFileHasWhatWasWrittenAndNothingElseIsLeft) {
  const std::string bytes("a\0b\n", 4);
  ASSERT_THAT(WriteOutput(Path("f"), bytes), IsOk());
  EXPECT_EQ(Read("f"), bytes);
  ASSERT_THAT(WriteOutput(Path("f"), ""), IsOk());
  EXPECT_EQ(Read("f"), "");
  EXPECT_EQ(NumFiles(), 1);
}

TEST_F(WriteOutputTest, AFileKeepsItsPermissionsAndANewOneHasTheUsualOnes) {
  struct stat info;
  const mode_t mask = umask(027);
  ASSERT_THAT(WriteOutput(Path("f"), "a"), IsOk());
  umask(mask);
  ASSERT_EQ(stat(Path("f").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640);
  ASSERT_EQ(chmod(Path("f").c_str(), 0604), 0);
  ASSERT_THAT(WriteOutput(Path("f"), "b"), IsOk());
  ASSERT_EQ(stat(Path("f").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0604);
}

TEST_F(WriteOutputTest, ALinkStaysOneAndLeadsToTheNewFile) {
  ASSERT_THAT(WriteOutput(Path("f"), "a"), IsOk());
  ASSERT_EQ(symlink("f", Path("link").c_str()), 0);
  ASSERT_THAT(WriteOutput(Path("link"), "b"), IsOk());
  EXPECT_EQ(Read("f"), "b");
  struct stat info;
  ASSERT_EQ(lstat(Path("link").c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
}

TEST_F(WriteOutputTest, WhatCannotBeWrittenIsSaidAndLeavesNothing) {
  const absl::Status missing = WriteOutput(Path("no/such/f"), "a");
  EXPECT_EQ(missing.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(missing.message()),
              testing::HasSubstr("no/such/f: No such file or directory"));
  const absl::Status directory = WriteOutput(directory_, "a");
  EXPECT_THAT(std::string(directory.message()),
              testing::HasSubstr("it is a directory"));
  EXPECT_EQ(NumFiles(), 0);
}

TEST(GoesToTerminalTest, ATerminalIsKnownByAnyName) {
  const int us = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(us, 0);
  ASSERT_EQ(grantpt(us), 0);
  ASSERT_EQ(unlockpt(us), 0);
  const std::string name = ptsname(us);
  EXPECT_TRUE(GoesToTerminal(name));
  const int them = open(name.c_str(), O_WRONLY | O_NOCTTY);
  EXPECT_TRUE(GoesToTerminal(absl::StrCat("/dev/fd/", them)));
  close(them);
  close(us);
  EXPECT_FALSE(GoesToTerminal("/dev/null"));
  EXPECT_FALSE(GoesToTerminal(absl::StrCat(testing::TempDir(), "/none")));
}

TEST(OneLineTest, ControlCharactersAreSpelled) {
  EXPECT_EQ(OneLine("a\nb\x1b[31m\x7f"
                    "\xc3\xa9"),
            "a\\nb\\x1b[31m\\x7f\xc3\xa9");
}

TEST(ColorTest, TheFlagDecides) {
  OutputOptions options;
  options.color = ColorChoice::kAlways;
  EXPECT_TRUE(ColorOnStandardOutput(options));
  options.color = ColorChoice::kNever;
  EXPECT_FALSE(ColorOnStandardOutput(options));
}

}  // namespace
}  // namespace opcompat
