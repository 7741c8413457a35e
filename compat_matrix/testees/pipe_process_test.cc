// What becomes of programs that do not do what they should. Timeouts are part
// of what is shown, and never decide whether something is fast enough.
#include "compat_matrix/testees/pipe_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// For what answers or ends: more than any machine needs.
constexpr milliseconds kLong{60000};
// For what never does: long enough for a shell to begin on any machine.
constexpr milliseconds kShort{2000};

std::unique_ptr<PipeProcess> StartOrDie(PipeProcessOptions options) {
  absl::StatusOr<std::unique_ptr<PipeProcess>> process =
      PipeProcess::Start(options);
  EXPECT_TRUE(process.ok()) << process.status();
  return process.ok() ? *std::move(process) : nullptr;
}

// A program of sh. `head -c 9 > /dev/null` reads the request "hello".
std::unique_ptr<PipeProcess> Shell(const std::string& script) {
  PipeProcessOptions options;
  options.command = {"sh", "-c", script};
  return StartOrDie(options);
}

absl::Status Ask(const std::string& script, milliseconds timeout) {
  return Shell(script)->Exchange("hello", timeout).status();
}

TEST(PipeProcessTest, FramesGoToTheProgramAndComeBack) {
  PipeProcessOptions options;
  options.command = {"cat"};  // says what it hears, so each frame comes back
  const auto process = StartOrDie(options);
  for (const size_t size : {0, 1, 4, 1000}) {
    const std::string frame(size, 'x');
    const absl::StatusOr<std::string> answer = process->Exchange(frame, kLong);
    ASSERT_THAT(answer, IsOk());
    EXPECT_EQ(*answer, frame);
  }
}

// More than a pipe holds, both ways: neither side waits for the other.
TEST(PipeProcessTest, LongFramesDoNotBlock) {
  const auto process = Shell(
      "python3 -c 'import sys; i = sys.stdin.buffer; o = sys.stdout.buffer\n"
      "while True:\n  h = i.read(4)\n  if not h: break\n"
      "  o.write(h + i.read(int.from_bytes(h, \"little\"))); o.flush()'");
  const std::string frame(5 << 20, 'x');
  for (int i = 0; i < 2; ++i) {
    const absl::StatusOr<std::string> answer = process->Exchange(frame, kLong);
    ASSERT_THAT(answer, IsOk());
    EXPECT_EQ(*answer, frame);
  }
}

TEST(PipeProcessTest, TheEndOfTheProgramIsToldWithItsStatusAndWords) {
  EXPECT_THAT(
      Ask("head -c 9 > /dev/null; echo out of ideas >&2; exit 3", kLong),
      StatusIs(absl::StatusCode::kAborted,
               HasSubstr("exited with status 3; standard error: out of "
                         "ideas")));
  EXPECT_THAT(Ask("kill -SEGV $$", kLong),
              StatusIs(absl::StatusCode::kAborted,
                       HasSubstr("killed by signal 11 (SIGSEGV)")));
  EXPECT_THAT(
      Ask("exit 0", kLong),
      StatusIs(absl::StatusCode::kAborted, HasSubstr("exited with status 0")));
}

TEST(PipeProcessTest, NoAnswerInTimeIsToldApart) {
  EXPECT_THAT(Ask("cat > /dev/null", kShort),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       HasSubstr("no answer within 2 s")));
  // Half an answer is none.
  EXPECT_THAT(Ask("head -c 9 > /dev/null; printf '\\010\\000\\000\\000ab'; "
                  "cat > /dev/null",
                  kShort),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       HasSubstr("no answer within 2 s")));
}

TEST(PipeProcessTest, WordsWithoutEndDoNotKeepIt) {
  const absl::Status status = Ask("yes spam >&2 & cat > /dev/null", kShort);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kDeadlineExceeded,
                               HasSubstr("standard error: spam")));
  EXPECT_LT(status.message().size(), 20000u);
}

TEST(PipeProcessTest, WhoClosesItsPipesIsNotWaitedForForever) {
  EXPECT_THAT(Ask("exec >&-; exec sleep 1000", kShort),
              StatusIs(absl::StatusCode::kAborted,
                       HasSubstr("closed its input or output")));
  // And writing to it does not end us by a signal.
  EXPECT_THAT(Shell("exec <&-; exec sleep 1000")
                  ->Exchange(std::string(1 << 20, 'x'), kShort)
                  .status(),
              StatusIs(absl::StatusCode::kAborted,
                       HasSubstr("closed its input or output")));
}

TEST(PipeProcessTest, WhatIsNoAnswerIsNotTakenForOne) {
  EXPECT_THAT(
      Ask("head -c 9 > /dev/null; printf '\\010\\000\\000\\000abc'", kLong),
      StatusIs(absl::StatusCode::kAborted,
               HasSubstr("exited with status 0 in the middle of an answer")));
  EXPECT_THAT(
      Ask("head -c 9 > /dev/null; printf '\\377\\377\\377\\377'; cat /dev/zero",
          kLong),
      StatusIs(absl::StatusCode::kAborted,
               HasSubstr("announced an answer of 4294967295 bytes")));
  EXPECT_THAT(Ask("head -c 9 > /dev/null; printf '\\001\\000\\000\\000ab'; "
                  "cat > /dev/null",
                  kLong),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("more bytes")));
}

TEST(PipeProcessTest, AfterAFailureItIsOver) {
  const auto process = Shell("exit 1");
  EXPECT_THAT(process->Exchange("hello", kLong), Not(IsOk()));
  EXPECT_THAT(process->Exchange("hello", kLong),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("has ended")));
}

TEST(PipeProcessTest, MemoryIsLimited) {
  PipeProcessOptions options;
  options.command = {"python3", "-c", "bytearray(1 << 30)"};
  options.memory_limit = uint64_t{512} << 20;
  EXPECT_THAT(StartOrDie(options)->Exchange("hello", kLong),
              StatusIs(absl::StatusCode::kAborted,
                       AllOf(HasSubstr("exited with status 1"),
                             HasSubstr("MemoryError"))));
}

TEST(PipeProcessTest, WhatCannotBeStartedIsSaid) {
  PipeProcessOptions options;
  options.command = {"/no/such/program"};
  EXPECT_THAT(PipeProcess::Start(options),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("/no/such/program")));
  options.command = {"no-such-program"};
  EXPECT_THAT(PipeProcess::Start(options),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("no-such-program")));
  options.command = {"/"};
  EXPECT_THAT(PipeProcess::Start(options),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("cannot be started")));
  options.command = {};
  EXPECT_THAT(PipeProcess::Start(options),
              StatusIs(absl::StatusCode::kFailedPrecondition, testing::_));
}

// A pipe that all of its descendants inherit ends when none is left.
TEST(PipeProcessTest, NothingThatItStartedOutlivesIt) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  auto process = Shell("sleep 1000 & cat");
  EXPECT_THAT(process->Exchange("hello", kLong), IsOk());
  close(ends[1]);
  process.reset();
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

TEST(PipeProcessTest, NoZombieStays) {
  EXPECT_THAT(Ask("exit 1", kLong), Not(IsOk()));
  EXPECT_THAT(Ask("cat > /dev/null", kShort), Not(IsOk()));
  Shell("cat").reset();
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace opcompat
