#include "compat_matrix/simulation/case_file.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compat_matrix/simulation/case_check.h"

namespace opcompat {
namespace simulation {
namespace {

constexpr char kModule[] =
    "--- module\n"
    "opset t 2\n"
    "func f(%x : Tensor) -> (Tensor):\n"
    "  %y : Tensor = t::f(%x, 1)\n"
    "  return (%y)\n";
constexpr char kFiles[] =
    "--- 1.ops\n"
    "opset t 1\n"
    "t::f(Tensor x) -> Tensor\n"
    "--- 2.ops\n"
    "opset t 2\n"
    "t::f(Tensor x, int p=0) -> Tensor\n"
    "--- history.textproto\n"
    "name: \"t\"\n"
    "versions { id: \"1\" operators: \"1.ops\" }\n"
    "versions { id: \"2\" operators: \"2.ops\" }\n";

std::string Text(const std::string& head) {
  return absl::StrCat(head, kModule, kFiles);
}

TEST(CaseFileTest, WhatIsPrintedIsRead) {
  for (const char* head :
       {"written at 2, read at 1\n", "written at 2, for 1\n",
        "# One.\n# Two.\nwritten at 2, read at 1\nexpected: accepted\n",
        "written at 2, read at 1\nexpected: refused unknown_argument, unknown_operator\n"
        "known: a reason\n",
        "written at 2, read at 1\n"
        "secret: 2 | wrong-neutral | t::f | p | \"a | b\"\n"
        "secret: 2 | meaning-changed | t::f |  | \n"}) {
    const std::string text = Text(head);
    const absl::StatusOr<CaseFile> file = ParseCaseFile(text);
    ASSERT_TRUE(file.ok()) << file.status() << "\n" << head;
    EXPECT_EQ(CaseFileText(*file), text);
  }
}

TEST(CaseFileTest, WhatIsNoCaseIsToldWithItsLine) {
  struct {
    std::string text;
    const char* message;
  } const cases[] = {
      {"", "0: no line `written at"},
      {Text("written at 2\n"), "1: expected `written at"},
      {Text("# a\nwriten at 2, read at 1\n"), "2: found `writen at"},
      {Text("written at 2, read at 1\nexpected: fine\n"), "2: found `fine`"},
      {Text("written at 2, read at 1\nexpected: refused it\n"),
       "2: there is no reason `it`"},
      {Text("written at 2, read at 1\nsecret: 2 | upgrader | t::f |  | \n"),
       "2: there is no careless step `upgrader`"},
      {Text("written at 2, read at 1\nsecret: 2 t::f\n"),
       "2: expected `secret"},
      {absl::StrCat("written at 2, read at 1\n", kFiles),
       "no line `--- module`"},
      {absl::StrCat("written at 2, read at 1\n", kModule),
       "no line `--- history.textproto`"},
      {absl::StrCat(Text("written at 2, read at 1\n"), kModule),
       "a second module"},
      {absl::StrCat(Text("written at 2, read at 1\n"), kFiles),
       "a second file `1.ops`"},
  };
  for (const auto& c : cases) {
    const absl::StatusOr<CaseFile> file = ParseCaseFile(c.text);
    EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument)
        << c.text;
    EXPECT_TRUE(absl::StrContains(file.status().message(), c.message))
        << file.status() << "\nexpected: " << c.message;
  }
}

absl::Status Check(const std::string& head) {
  const absl::StatusOr<CaseFile> file = ParseCaseFile(Text(head));
  return file.ok() ? CheckCaseFile(*file) : file.status();
}

TEST(CaseCheckTest, TheOutcomeMustBeTheExpectedOne) {
  EXPECT_TRUE(
      Check("written at 2, read at 1\nexpected: refused unknown_argument\n")
          .ok());
  EXPECT_TRUE(Check("written at 2, read at 2\nexpected: accepted\n").ok());
  const absl::Status other =
      Check("written at 2, read at 1\nexpected: accepted\n");
  EXPECT_EQ(other.message(),
            "it is refused unknown_argument; expected: accepted");
}

TEST(CaseCheckTest, AKnownFailureMustFail) {
  EXPECT_TRUE(
      Check("written at 2, read at 1\nexpected: accepted\nknown: so it is\n")
          .ok());
  EXPECT_EQ(
      Check("written at 2, read at 2\nexpected: accepted\nknown: so it is\n")
          .message(),
      "is known to fail (so it is) and does not: delete the line `known:`");
}

TEST(CaseCheckTest, ASecretIsWhatTheOperatorDoes) {
  const absl::Status checked =
      Check("written at 2, read at 2\nexpected: accepted\n");
  EXPECT_TRUE(checked.ok()) << checked;
  // Left out, p is what version 1 does; if that is 1, not 0, who reads the
  // call without it computes something else.
  std::string text = Text(
      "written at 2, read at 1\nexpected: accepted\n"
      "secret: 2 | wrong-neutral | t::f | p | 1\n");
  text.replace(text.find("(%x, 1)"), 7, "(%x, 0)");
  const absl::StatusOr<CaseFile> file = ParseCaseFile(text);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE(absl::StartsWith(CheckCaseFile(*file).message(), "same-numbers"))
      << CheckCaseFile(*file);
}

TEST(CaseCheckTest, WhatCannotBeReadIsNoFailure) {
  struct {
    const char* from;
    const char* to;
    const char* message;
  } const cases[] = {
      {"read at 1", "read at 3", "no version 3"},
      {"t::f(%x, 1)", "t::g(%x, 1)", "the case's module: "},
      {"int p=0", "int p=", "the case's history has faults"},
  };
  for (const auto& c : cases) {
    std::string text =
        Text("written at 2, read at 1\nexpected: accepted\nknown: it\n");
    const size_t at = text.find(c.from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, std::string(c.from).size(), c.to);
    const absl::StatusOr<CaseFile> file = ParseCaseFile(text);
    ASSERT_TRUE(file.ok()) << file.status();
    const absl::Status checked = CheckCaseFile(*file);
    EXPECT_EQ(checked.code(), absl::StatusCode::kInvalidArgument) << checked;
    EXPECT_TRUE(absl::StrContains(checked.message(), c.message)) << checked;
  }
}

}  // namespace
}  // namespace simulation
}  // namespace opcompat
