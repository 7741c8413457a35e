#include "tools/add_version_plan.h"

#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_matchers.h"
#include "tools/histories.h"

namespace opcompat {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr char kHistory[] =
    "# A comment that stays.\n"
    "name: \"t\"   # as does its odd   spacing\n"
    "versions { id: \"1\" operators: \"1.ops\" }";  // no newline at the end

// A directory with a history of one version, and a directory for files.
class AddVersionPlanTest : public testing::Test {
 protected:
  AddVersionPlanTest() : root_(absl::StrCat(testing::TempDir(), "/XXXXXX")) {
    EXPECT_NE(mkdtemp(&root_[0]), nullptr);
    EXPECT_EQ(mkdir(Path("h").c_str(), 0755), 0);
    Write("h/history.textproto", kHistory);
    Write("h/1.ops", "opset t 1\nt::f(int a, int b) -> int\n");
  }

  std::string Path(const std::string& name) const {
    return absl::StrCat(root_, "/", name);
  }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
  }
  std::string Read(const std::string& name) const {
    std::ifstream in(Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in),
            std::istreambuf_iterator<char>()};
  }
  // What is in the history's directory, byte for byte.
  std::map<std::string, std::string> Contents() const {
    std::map<std::string, std::string> contents;
    DIR* directory = opendir(Path("h").c_str());
    EXPECT_NE(directory, nullptr);
    while (const dirent* entry = readdir(directory)) {
      const std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      contents[name] = Read(absl::StrCat("h/", name));
    }
    closedir(directory);
    return contents;
  }

  // Plans to add what `text` says; writes if it is sound, as the command does.
  absl::StatusOr<AddVersionPlan> Add(const std::string& text,
                                     AddVersionRequest request = {}) {
    Write("new.ops", text);
    request.history = Path("h");
    request.operators = Path("new.ops");
    absl::StatusOr<AddVersionPlan> plan = PlanAddVersion(request, histories_);
    if (plan.ok() && plan->loaded.history != nullptr) {
      const absl::Status status = WriteAddedVersion(*plan);
      if (!status.ok()) return status;
    }
    return plan;
  }

  std::string root_;
  Histories histories_{""};
};

TEST_F(AddVersionPlanTest, AppendsABlockAndTouchesNothingElse) {
  const std::map<std::string, std::string> before = Contents();
  const std::string schemas = "opset t 2\n# mine\nt::f(int a, int b) -> int\n";
  const absl::StatusOr<AddVersionPlan> plan = Add(schemas);
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->before, "1");
  EXPECT_EQ(plan->id, "2");
  EXPECT_THAT(plan->differences, IsEmpty());
  std::map<std::string, std::string> after = before;
  after["new.ops"] = schemas;
  after["history.textproto"] = absl::StrCat(
      kHistory, "\n\nversions {\n  id: \"2\"\n  operators: \"new.ops\"\n}\n");
  EXPECT_EQ(Contents(), after);
  EXPECT_TRUE(histories_.Load(Path("h")).ok());
}

TEST_F(AddVersionPlanTest, PlanningChangesNothing) {
  const std::map<std::string, std::string> before = Contents();
  Write("new.ops", "opset t 2\nt::f(int a, int b) -> int\n");
  AddVersionRequest request;
  request.history = Path("h");
  request.operators = Path("new.ops");
  EXPECT_THAT(PlanAddVersion(request, histories_), IsOk());
  EXPECT_EQ(Contents(), before);
}

TEST_F(AddVersionPlanTest, WithFaultsTheDirectoryStaysByteForByte) {
  const std::map<std::string, std::string> before = Contents();
  const absl::StatusOr<AddVersionPlan> plan =
      Add("opset t 2\nt::f(int a, int c) -> int\n");
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->loaded.history, nullptr);
  ASSERT_THAT(plan->loaded.faults, SizeIs(1));
  // The place is in the file that there is.
  EXPECT_EQ(plan->loaded.faults[0].place.file, Path("new.ops"));
  EXPECT_EQ(plan->loaded.faults[0].place.line, 2);
  ASSERT_THAT(plan->proposals, SizeIs(1));
  EXPECT_TRUE(plan->proposals[0].needed);
  EXPECT_THAT(plan->proposals[0].declaration,
              HasSubstr("from: \"b\" to: \"c\""));
  EXPECT_EQ(Contents(), before);
}

struct Refusal {
  const char* text;
  const char* id;
  const char* message;
};

TEST_F(AddVersionPlanTest, WhatCannotBeAddedLeavesEverythingAsItIs) {
  const std::map<std::string, std::string> before = Contents();
  const Refusal cases[] = {
      {"opset t 2\nt::f( -> int\n", "", "new.ops:2:"},
      {"opset t 2\nt::f() -> int\nt::f() -> int\n", "", "new.ops:3:"},
      {"opset u 2\nt::f() -> int\n", "", "is of history u, expected t"},
      {"t::f() -> int\n", "", "--id=ID"},
      {"opset t 2\nt::f() -> int\n", "3", "version 2, --id says 3"},
      {"opset t 1\nt::f() -> int\n", "", "has version 1 already"},
  };
  for (const Refusal& c : cases) {
    AddVersionRequest request;
    request.id = c.id;
    const absl::StatusOr<AddVersionPlan> plan = Add(c.text, request);
    EXPECT_EQ(plan.status().code(), absl::StatusCode::kInvalidArgument)
        << c.text;
    EXPECT_THAT(std::string(plan.status().message()), HasSubstr(c.message));
  }
  EXPECT_EQ(Contents(), before);
}

TEST_F(AddVersionPlanTest, DoesNotOverwrite) {
  Write("h/new.ops", "something of mine");
  const std::map<std::string, std::string> before = Contents();
  EXPECT_EQ(Add("opset t 2\nt::f(int a, int b) -> int\n").status().code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(Contents(), before);
}

TEST_F(AddVersionPlanTest, AFileThatIsInItsPlaceAlreadyIsTaken) {
  Write("h/2.ops", "opset t 2\nt::f(int a, int b) -> int\n");
  AddVersionRequest request;
  request.history = Path("h/history.textproto");
  request.operators = Path("h/2.ops");
  const absl::StatusOr<AddVersionPlan> plan =
      PlanAddVersion(request, histories_);
  ASSERT_THAT(plan, IsOk());
  EXPECT_EQ(plan->operators_path, "");
  ASSERT_THAT(WriteAddedVersion(*plan), IsOk());
  EXPECT_THAT(Contents(), SizeIs(3));
  EXPECT_TRUE(histories_.Load(Path("h")).ok());
}

TEST_F(AddVersionPlanTest, TakesTheOperatorsAwayIfTheHistoryCannotBeWritten) {
  const absl::StatusOr<AddVersionPlan> sound =
      Add("opset t 2\nt::f(int a, int b) -> int\n");
  ASSERT_THAT(sound, IsOk());
  const std::map<std::string, std::string> before = Contents();
  AddVersionPlan plan = *sound;
  plan.operators_path = Path("h/other.ops");
  plan.history_path = Path("nowhere/history.textproto");
  EXPECT_THAT(WriteAddedVersion(plan), Not(IsOk()));
  EXPECT_EQ(Contents(), before);
}

TEST_F(AddVersionPlanTest, AHeaderIsAddedToBareLines) {
  AddVersionRequest request;
  request.id = "2";
  ASSERT_THAT(Add("t::f(int a, int b) -> int\n", request), IsOk());
  EXPECT_EQ(Read("h/new.ops"), "opset t 2\nt::f(int a, int b) -> int\n");
  // Places count the lines of the file that was given.
  request.id = "3";
  Write("new.ops", "");
  EXPECT_EQ(unlink(Path("h/new.ops").c_str()), 0);
  Write("h/history.textproto", kHistory);
  const absl::StatusOr<AddVersionPlan> plan =
      Add("# x\nt::f(int a, int c) -> int\n", request);
  ASSERT_THAT(plan, IsOk());
  ASSERT_THAT(plan->loaded.faults, SizeIs(1));
  EXPECT_EQ(plan->loaded.faults[0].place.line, 2);
}

TEST_F(AddVersionPlanTest, ChangesGoIntoTheBlock) {
  AddVersionRequest request;
  request.changes = Path("changes");
  Write("changes",
        "  changes {\n    operator: \"t::f\"\n    renamed_argument { from: "
        "\"b\" to: \"c\" }\n  }");
  const absl::StatusOr<AddVersionPlan> plan =
      Add("opset t 2\nt::f(int a, int c) -> int\n", request);
  ASSERT_THAT(plan, IsOk());
  EXPECT_THAT(plan->loaded.faults, IsEmpty());
  EXPECT_TRUE(
      absl::EndsWith(Read("h/history.textproto"), "to: \"c\" }\n  }\n}\n"));
  EXPECT_THAT(plan->differences, SizeIs(1));
}

TEST_F(AddVersionPlanTest, AFaultOfTheChangesHasItsPlaceThere) {
  for (const bool gap : {false, true}) {
    AddVersionRequest request;
    request.gap = gap;
    request.changes = Path("changes");
    Write("changes", "# a comment\n  changes { operator: \"t::q\" }\n");
    const absl::StatusOr<AddVersionPlan> plan =
        Add("opset t 2\nt::f(int a, int b) -> int\n", request);
    ASSERT_THAT(plan, IsOk());
    ASSERT_THAT(plan->loaded.faults, SizeIs(1));
    EXPECT_EQ(plan->loaded.faults[0].place.file, Path("changes"));
    EXPECT_EQ(plan->loaded.faults[0].place.line, 2);
  }
}

TEST_F(AddVersionPlanTest, ProposalsAreCommentsInTheBlock) {
  AddVersionRequest request;
  request.gap = true;
  request.write_proposals = true;
  const absl::StatusOr<AddVersionPlan> plan =
      Add("opset t 2\nt::f(int a, int b, int c=0) -> int\n", request);
  ASSERT_THAT(plan, IsOk());
  ASSERT_THAT(plan->proposals, SizeIs(1));
  EXPECT_THAT(Read("h/history.textproto"),
              HasSubstr("  gap {}\n  ## Only if before `c` was added"));
  EXPECT_THAT(plan->loaded.declared.versions[1].changes, IsEmpty());
  EXPECT_TRUE(histories_.Load(Path("h")).ok());
}

TEST_F(AddVersionPlanTest, AHistoryWithFaultsIsNotAddedTo) {
  Write("h/1.ops", "opset t 1\nt::f(\n");
  const std::map<std::string, std::string> before = Contents();
  const absl::StatusOr<AddVersionPlan> plan =
      Add("opset t 2\nt::f(int a, int b) -> int\n");
  EXPECT_THAT(std::string(plan.status().message()), HasSubstr("h/1.ops:2:"));
  EXPECT_EQ(Contents(), before);
}

}  // namespace
}  // namespace opcompat
