#include "serializer/output_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest() : directory_(absl::StrCat(testing::TempDir(), "/XXXXXX")) {
    EXPECT_NE(mkdtemp(&directory_[0]), nullptr);
  }
  std::string Path(absl::string_view name) const {
    return absl::StrCat(directory_, "/", name);
  }
  std::string Read(absl::string_view name) const {
    std::ifstream in(Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in),
            std::istreambuf_iterator<char>()};
  }
  // Whatever their names begin with.
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    DIR* directory = opendir(directory_.c_str());
    while (const dirent* item = readdir(directory)) {
      const std::string name = item->d_name;
      if (name != "." && name != "..") names.push_back(name);
    }
    closedir(directory);
    return names;
  }
  static absl::Status Write(const std::string& path, absl::string_view bytes) {
    absl::StatusOr<std::unique_ptr<OutputFile>> file = OutputFile::Create(path);
    if (!file.ok()) return file.status();
    if (absl::Status status = (*file)->Append(bytes); !status.ok()) {
      return status;
    }
    return (*file)->Commit();
  }

  std::string directory_;
};

TEST_F(OutputFileTest, BytesInPiecesBecomeTheFileOnlyWhenCommitted) {
  ASSERT_THAT(Write(Path("f"), "old"), IsOk());
  absl::StatusOr<std::unique_ptr<OutputFile>> file =
      OutputFile::Create(Path("f"));
  ASSERT_THAT(file, IsOk());
  ASSERT_THAT((*file)->Append("ne"), IsOk());
  ASSERT_THAT((*file)->Append(absl::string_view("w\0", 2)), IsOk());
  EXPECT_EQ(Read("f"), "old");
  ASSERT_THAT((*file)->Commit(), IsOk());
  EXPECT_EQ(Read("f"), absl::string_view("new\0", 4));
  EXPECT_THAT(Files(), ElementsAre("f"));
}

TEST_F(OutputFileTest, WithoutCommitThereIsNothingNew) {
  {
    absl::StatusOr<std::unique_ptr<OutputFile>> file =
        OutputFile::Create(Path("f"));
    ASSERT_THAT(file, IsOk());
    ASSERT_THAT((*file)->Append("new"), IsOk());
  }
  EXPECT_THAT(Files(), IsEmpty());
}

// A limit of the process on the size of files stands for a full disk: both are
// an error of write() in the middle.
TEST_F(OutputFileTest, WhenTheDiskIsFullTheOldFileStays) {
  ASSERT_THAT(Write(Path("f"), "old"), IsOk());
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  rlimit limit = before;
  limit.rlim_cur = 10000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const absl::Status status = Write(Path("f"), std::string(20000, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("/f: File too large"));
  EXPECT_EQ(Read("f"), "old");
  EXPECT_THAT(Files(), ElementsAre("f"));
}

TEST_F(OutputFileTest, WhenTheProcessIsKilledTheOldFileStays) {
  ASSERT_THAT(Write(Path("f"), "old"), IsOk());
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    absl::StatusOr<std::unique_ptr<OutputFile>> file =
        OutputFile::Create(Path("f"));
    if (!file.ok() || !(*file)->Append(std::string(100000, 'x')).ok() ||
        write(ready[1], "!", 1) != 1) {
      _exit(1);
    }
    while (true) pause();  // in the middle of writing
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(Read("f"), "old");
  ASSERT_EQ(kill(child, SIGKILL), 0);
  int how = 0;
  ASSERT_EQ(waitpid(child, &how, 0), child);
  EXPECT_TRUE(WIFSIGNALED(how));
  EXPECT_EQ(Read("f"), "old");
  close(ready[0]);
  close(ready[1]);
  // A new attempt works, whatever was left.
  ASSERT_THAT(Write(Path("f"), "new"), IsOk());
  EXPECT_EQ(Read("f"), "new");
}

TEST_F(OutputFileTest, PermissionsStayAndANewFileHasTheUsualOnes) {
  struct stat info;
  const mode_t mask = umask(027);
  ASSERT_THAT(Write(Path("f"), "a"), IsOk());
  umask(mask);
  ASSERT_EQ(stat(Path("f").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640);
  ASSERT_EQ(chmod(Path("f").c_str(), 0604), 0);
  ASSERT_THAT(Write(Path("f"), "b"), IsOk());
  ASSERT_EQ(stat(Path("f").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0604);
}

TEST_F(OutputFileTest, LinksStayAndLeadToTheNewFileAlsoIfThereWasNone) {
  ASSERT_EQ(symlink("f", Path("link").c_str()), 0);
  ASSERT_EQ(symlink(Path("link").c_str(), Path("link2").c_str()), 0);
  ASSERT_THAT(Write(Path("link2"), "a"), IsOk());
  EXPECT_EQ(Read("f"), "a");
  ASSERT_THAT(Write(Path("link2"), "b"), IsOk());
  EXPECT_EQ(Read("f"), "b");
  for (const char* name : {"link", "link2"}) {
    struct stat info;
    ASSERT_EQ(lstat(Path(name).c_str(), &info), 0);
    EXPECT_TRUE(S_ISLNK(info.st_mode)) << name;
  }
  ASSERT_EQ(symlink("circle", Path("circle").c_str()), 0);
  EXPECT_THAT(std::string(Write(Path("circle"), "a").message()),
              HasSubstr("Too many levels of symbolic links"));
}

TEST_F(OutputFileTest, APipeAndADescriptorAreWrittenInPlace) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  const int in = open(Path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(in, 0);
  ASSERT_THAT(Write(Path("pipe"), "abc"), IsOk());
  char bytes[4] = {};
  EXPECT_EQ(read(in, bytes, sizeof bytes), 3);
  EXPECT_EQ(absl::string_view(bytes), "abc");
  close(in);

  // As `(echo one; opcompat ... -o /dev/stdout) > f` does.
  const int out = open(Path("f").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(out, 0);
  ASSERT_EQ(write(out, "one ", 4), 4);
  ASSERT_THAT(Write(absl::StrCat("/dev/fd/", out), "two"), IsOk());
  close(out);
  EXPECT_EQ(Read("f"), "one two");
}

TEST_F(OutputFileTest, WhatCannotBeWrittenIsSaid) {
  EXPECT_THAT(std::string(Write(Path("no/such/f"), "a").message()),
              HasSubstr("no/such/f: No such file or directory"));
  EXPECT_THAT(std::string(Write(directory_, "a").message()),
              HasSubstr("it is a directory"));
  EXPECT_THAT(std::string(Write("/dev/full", "a").message()),
              HasSubstr("/dev/full: No space left on device"));
  EXPECT_THAT(Files(), IsEmpty());
}

}  // namespace
}  // namespace opcompat
