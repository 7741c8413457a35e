#include "tools/testee_flags.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/status_matchers.h"
#include "compat_matrix/run_units.h"
#include "compat_matrix/testees/author.h"
#include "compat_matrix/testees/testee.h"
#include "compat_matrix/worker.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/histories.h"

namespace opcompat {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kTesteeMain[] = "compat_matrix/testees/testee_main";

TesteeFlags Parse(std::vector<std::string> arguments) {
  CLI::App app;
  TesteeFlags flags;
  AddTesteeFlags(&app, &flags);
  // As CLI11 takes them.
  std::reverse(arguments.begin(), arguments.end());
  app.parse(std::move(arguments));
  return flags;
}

absl::Status Add(std::vector<std::string> arguments, RunOptions* run) {
  // Sanitizers ask for more than the default.
  arguments.push_back("--testee-memory=0");
  const Histories histories("");
  return AddPrograms(Parse(std::move(arguments)), histories, run);
}

absl::Status Add(std::vector<std::string> arguments) {
  RunOptions run;
  return Add(std::move(arguments), &run);
}

TEST(TesteeFlagsTest, LimitsAreRead) {
  EXPECT_EQ(Parse({}).timeout_seconds, 10);
  EXPECT_EQ(Parse({}).memory, uint64_t{4} << 30);
  const TesteeFlags flags =
      Parse({"--testee-timeout=0.5", "--testee-memory=512MB"});
  EXPECT_EQ(flags.timeout_seconds, 0.5);
  EXPECT_EQ(flags.memory, uint64_t{512} << 20);
  EXPECT_THROW(Parse({"--testee-timeout=0"}), CLI::ValidationError);
  EXPECT_THROW(Parse({"--testee-timeout=-1"}), CLI::ValidationError);
  EXPECT_THROW(Parse({"--testee-timeout=nan"}), CLI::ValidationError);
  EXPECT_THROW(Parse({"--testee-timeout=1e300"}), CLI::ValidationError);
  EXPECT_EQ(Parse({"--testee-memory=0"}).memory, 0u);
  EXPECT_EQ(Parse({"--testee-memory=1073741824"}).memory, uint64_t{1} << 30);
  for (const char* memory : {"much", "-1", "-1MB", "+1", "nan", "2000000TB",
                             "99999999999999999999"}) {
    EXPECT_THROW(Parse({std::string("--testee-memory=") + memory}),
                 CLI::ValidationError)
        << memory;
  }
}

TEST(TesteeFlagsTest, ProgramsStandBesideThisProcess) {
  RunOptions run;
  ASSERT_THAT(Add({std::string("--testee=old=") + kTesteeMain,
                   std::string("--testee=") + kTesteeMain,
                   std::string("--writer-program=old=") + kTesteeMain},
                  &run),
              IsOk());
  ASSERT_EQ(run.testees.size(), 3u);
  EXPECT_EQ(run.testees[0].name, "in-process");
  EXPECT_EQ(run.testees[1].name, "old");
  EXPECT_EQ(run.testees[2].name, kTesteeMain);
  for (const TesteeFactory& testee : run.testees) {
    EXPECT_EQ(testee.make()->name(), testee.name);
  }
  ASSERT_EQ(run.authors.size(), 2u);
  EXPECT_EQ(run.authors[0].name, "in-process");
  EXPECT_EQ(run.authors[1].name, "old");
  EXPECT_EQ(run.authors[1].make()->name(), "old");
}

// Before the first cell: a run of hours should not begin with a typing error.
TEST(TesteeFlagsTest, WhatIsNoSuchProgramIsSaidAtOnce) {
  EXPECT_THAT(Add({"--testee=/no/such/program"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("--testee=/no/such/program"),
                             HasSubstr("no such program"))));
  EXPECT_THAT(Add({"--writer-program=x=sh -c 'echo what? >&2; exit 3'"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("--writer-program=x: "),
                             HasSubstr("exited with status 3; standard error: "
                                       "what?"))));
  EXPECT_THAT(Add({"--testee=a 'b"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--testee: a ' is not closed")));
}

TEST(TesteeFlagsTest, WhatRepeatsTheGreetingIsNoTestee) {
  EXPECT_THAT(Add({"--testee=cat"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("--testee=cat: "),
                             HasSubstr("repeated the request"))));
}

TEST(TesteeFlagsTest, AReaderIsNoWriterProgram) {
  constexpr char kReader[] =
      "=x=python3 compat_matrix/testees/testdata/bad_testee.py reader";
  EXPECT_THAT(Add({std::string("--testee") + kReader}), IsOk());
  EXPECT_THAT(Add({std::string("--writer-program") + kReader}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("--writer-program=x: it does not write"),
                             HasSubstr("can do: read"))));
}

TEST(TesteeFlagsTest, NamesAreUnique) {
  const std::string program = std::string("--testee=x=") + kTesteeMain;
  EXPECT_THAT(Add({program, program}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("two are called x")));
  EXPECT_THAT(Add({std::string("--testee=in-process=") + kTesteeMain}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("two are called in-process")));
}

}  // namespace
}  // namespace opcompat
