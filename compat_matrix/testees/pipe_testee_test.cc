// Programs that answer anything but the truth: each is a cell, and the next
// cell is asked of a program that runs again.
#include "compat_matrix/testees/pipe_testee.h"

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "binding/report.h"
#include "compat_matrix/oracle/testing.h"
#include "compat_matrix/testees/author.h"
#include "compat_matrix/testees/pipe_author.h"
#include "compat_matrix/testees/testee.h"
#include "compat_matrix/testees/testee_program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "ir/text/module_parser.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TesteeProgramOptions BadTestee(const std::string& at_start = "") {
  TesteeProgramOptions options;
  options.name = "bad";
  options.process.command = {"python3",
                             "compat_matrix/testees/testdata/bad_testee.py"};
  if (!at_start.empty()) options.process.command.push_back(at_start);
  options.timeout = std::chrono::seconds(60);
  return options;
}

class PipeTesteeTest : public testing::Test {
 protected:
  PipeTesteeTest()
      : history_(oracle::MakeHistory({{"1", "t::f(Tensor x) -> Tensor", ""}})),
        runtime_(oracle::RuntimeAt(*history_, "1")) {}

  TesteeAnswer Read(PipeTestee* testee, const std::string& file) {
    testee->SetHistories({history_});
    return testee->Read(file, runtime_);
  }

  // What the cell says of it.
  std::string Detail(PipeTestee* testee, const std::string& file) {
    const TesteeAnswer answer = Read(testee, file);
    EXPECT_FALSE(answer.module.has_value()) << file;
    EXPECT_THAT(answer.reasons, IsEmpty()) << file;
    EXPECT_FALSE(answer.hung) << file;
    return answer.crash;
  }

  std::shared_ptr<const OpsetHistory> history_;
  Runtime runtime_;
};

TEST_F(PipeTesteeTest, WhatIsNoAnswerIsACrashAndTheNextCellIsAskedAnew) {
  PipeTestee testee(BadTestee());
  const std::pair<const char*, const char*> cases[] = {
      {"do:segv", "killed by signal 11 (SIGSEGV)"},
      {"do:exit", "exited with status 3; standard error: out of ideas"},
      {"do:garbage", "answered 4 bytes that are no message"},
      {"do:half", "exited with status 0 in the middle of an answer"},
      {"do:long", "announced an answer of 4294967280 bytes"},
      {"do:twice", "more bytes than those of its answer"},
      {"do:other id", "answered request "},
      {"do:other kind", "answer of another kind"},
      {"do:nothing", "answered request 0"},
      {"do:no reason", "refused without a reason"},
      {"do:no code", "unknown code \"whim\""},
      {"do:many words", "8000025 bytes of reasons; at most 4194304"},
      {"do:no module", "as a module that is not valid: 1:"},
      {"do:error", "error: no memory"},
      {"do:unsupported", "does not support this: reading"},
  };
  for (const auto& [file, detail] : cases) {
    EXPECT_THAT(Detail(&testee, file), HasSubstr(detail)) << file;
    const TesteeAnswer good = Read(&testee, "anything else");
    EXPECT_TRUE(good.module.has_value()) << file << ": " << good.crash;
  }
}

TEST_F(PipeTesteeTest, ARefusalHasItsReasons) {
  PipeTestee testee(BadTestee());
  const TesteeAnswer answer = Read(&testee, "do:refuse");
  EXPECT_EQ(answer.crash, "");
  ASSERT_EQ(answer.reasons.size(), 1u);
  EXPECT_EQ(answer.reasons[0].code, ReasonCode::kAliasChanged);
  EXPECT_EQ(answer.reasons[0].message, "not today");
}

TEST_F(PipeTesteeTest, NoAnswerInTimeIsAHang) {
  TesteeProgramOptions options = BadTestee();
  // Long enough for Python to start: the limit counts for that, too.
  options.timeout = std::chrono::seconds(3);
  PipeTestee testee(std::move(options));
  for (const char* file : {"do:hang", "do:babble"}) {
    const TesteeAnswer answer = Read(&testee, file);
    EXPECT_TRUE(answer.hung) << file;
    EXPECT_THAT(answer.crash, StartsWith("no answer within 3 s")) << file;
    EXPECT_LT(answer.crash.size(), 20000u) << file;
  }
}

TEST_F(PipeTesteeTest, MemoryIsLimited) {
  TesteeProgramOptions options = BadTestee();
  options.process.memory_limit = uint64_t{1} << 30;
  PipeTestee testee(std::move(options));
  EXPECT_THAT(Detail(&testee, "do:memory"), HasSubstr("MemoryError"));
}

// A run of a million cells does not start it a million times.
TEST_F(PipeTesteeTest, WhatNeverStartsIsLeftAlone) {
  PipeTestee testee(BadTestee("crash"));
  for (int i = 0; i < TesteeProgram::kMaxStarts; ++i) {
    EXPECT_THAT(Detail(&testee, ""), HasSubstr("exited with status 4"));
  }
  EXPECT_THAT(Detail(&testee, ""), HasSubstr("did not start in 3 attempts"));
}

TEST_F(PipeTesteeTest, AnotherVersionOfTheProtocolIsRefused) {
  PipeTestee testee(BadTestee("newer"));
  EXPECT_THAT(Detail(&testee, ""),
              HasSubstr("speaks version 2 of the testee protocol"));
}

TEST_F(PipeTesteeTest, TheProgramIsToldTheHistoriesBothWays) {
  TesteeProgramOptions options = BadTestee("histories");
  options.history_path = [](const OpsetHistory&) {
    return "/a/history.textproto";
  };
  PipeTestee testee(std::move(options));
  EXPECT_EQ(Detail(&testee, ""), "error: told: opcompat-history");
}

TEST_F(PipeTesteeTest, AnAuthorThatGivesNoFileIsACrash) {
  PipeAuthor author(BadTestee());
  author.SetHistories({history_});
  const auto write = [&](const std::string& word, bool for_target) {
    const absl::StatusOr<Module> module = ParseModule(
        absl::StrCat("meta \"word\" = \"", word,
                     "\"\nfunc f(%x : Tensor) -> (Tensor):\n  return (%x)\n"),
        runtime_);
    EXPECT_TRUE(module.ok()) << module.status();
    return author.Write(*module, runtime_, for_target ? &runtime_ : nullptr);
  };
  EXPECT_EQ(write("do:write", false).file, "a file");
  EXPECT_THAT(write("do:segv", false).crash, HasSubstr("SIGSEGV"));
  EXPECT_THAT(write("do:nothing", false).crash,
              HasSubstr("answered request 0"));
  EXPECT_THAT(write("something", false).crash,
              HasSubstr("answer of another kind"));
  // Only targets refuse.
  EXPECT_THAT(write("do:refuse", false).crash,
              HasSubstr("answer of another kind"));
  const AuthorAnswer refused = write("do:refuse", true);
  EXPECT_EQ(refused.crash, "");
  EXPECT_FALSE(refused.file.has_value());
  EXPECT_EQ(refused.reasons.size(), 1u);
}

}  // namespace
}  // namespace opcompat
