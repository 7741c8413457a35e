#include "tools/expected_refusals.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_matchers.h"
#include "binding/report.h"
#include "compat_matrix/outcome_table.h"
#include "compat_matrix/result.h"
#include "compat_matrix/wildcards.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/refusal_lines.h"
#include "tools/refusal_pattern.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A module that three versions write and read.
class TestModule {
 public:
  explicit TestModule(std::string path, std::string group = "h") {
    auto history = std::make_shared<MatrixHistory>();
    history->name = "h";
    history->group = std::move(group);
    history->versions = {"1", "2", "3"};
    cells_.history = history;
    cells_.module = std::move(path);
    for (uint16_t w = 0; w < 3; ++w) {
      for (uint16_t r = 0; r < 3; ++r) {
        for (const bool for_target : {false, true}) {
          if (for_target && w == r) continue;
          Cell cell;
          cell.writer = w;
          cell.reader = r;
          cell.for_target = for_target;
          cell.accepted = true;
          cell.state = CellState::kAdapted;
          cell.outcome = outcomes_.Add({});
          cells_.cells.push_back(cell);
        }
      }
    }
  }

  TestModule& Refuse(int writer, int reader, std::vector<std::string> messages,
                     bool for_target = false) {
    CellOutcome outcome;
    for (std::string& message : messages) {
      outcome.reasons.emplace_back();
      outcome.reasons.back().message = std::move(message);
    }
    Cell& cell = At(writer, reader, for_target);
    cell.accepted = false;
    cell.state = CellState::kRefused;
    cell.outcome = outcomes_.Add(std::move(outcome));
    return *this;
  }
  TestModule& Crash(int writer, int reader) {
    At(writer, reader, false).accepted = false;
    At(writer, reader, false).state = CellState::kCrashed;
    return *this;
  }
  TestModule& OfTestee(uint16_t testee) {
    for (Cell& cell : cells_.cells) cell.testee = testee;
    return *this;
  }

  ModuleCells Cells() const {
    ModuleCells cells = cells_;
    OutcomeTable outcomes = outcomes_;
    cells.outcomes = outcomes.Take();
    return cells;
  }

 private:
  Cell& At(int writer, int reader, bool for_target) {
    for (Cell& cell : cells_.cells) {
      if (cell.writer == writer - 1 && cell.reader == reader - 1 &&
          cell.for_target == for_target) {
        return cell;
      }
    }
    return cells_.cells[0];
  }

  ModuleCells cells_;
  OutcomeTable outcomes_;
};

std::unique_ptr<ExpectedRefusals> Judged(
    const std::string& file, const std::vector<TestModule>& modules) {
  auto expected = ExpectedRefusals::Parse("e.txt", file);
  EXPECT_THAT(expected, IsOk());
  for (const TestModule& module : modules) {
    EXPECT_THAT((*expected)->Add(module.Cells()), IsOk());
  }
  return *std::move(expected);
}

std::vector<std::string> FindingsOf(const std::string& file,
                                    const std::vector<TestModule>& modules) {
  const auto expected = Judged(file, modules);
  std::vector<std::string> texts;
  for (const RefusalFinding& finding : expected->Findings()) {
    texts.push_back(expected->Text(finding));
  }
  return texts;
}

// What --update makes of `file`; with that, nothing is found.
std::string Updated(const std::string& file,
                    const std::vector<TestModule>& modules) {
  const std::string updated = Judged(file, modules)->Updated().text;
  EXPECT_THAT(FindingsOf(updated, modules), IsEmpty()) << updated;
  EXPECT_EQ(Judged(updated, modules)->Updated().text, updated);
  return updated;
}

TEST(ExpectedRefusals, NothingIsFoundWhereEveryRefusalIsExpected) {
  EXPECT_THAT(FindingsOf("# Why.\n\nm h 3->1 # no p\nm h 3->1! # no p\r\n",
                         {TestModule("m")
                              .Refuse(3, 1, {"no p"})
                              .Refuse(3, 1, {"no p"}, true)}),
              IsEmpty());
  EXPECT_THAT(FindingsOf("", {TestModule("m")}), IsEmpty());
}

TEST(ExpectedRefusals, ARefusalThatNoLineExpectsIsNew) {
  EXPECT_THAT(
      FindingsOf("m h 3->1 # no p\n", {TestModule("m")
                                           .Refuse(3, 1, {"no p"})
                                           .Refuse(3, 2, {"no p"})
                                           .Refuse(2, 1, {"no p"})
                                           .Refuse(3, 2, {"no p"}, true)}),
      ElementsAre("e.txt: new: no line expects this refusal: m h 2->1 (and 1 "
                  "more) # no p",
                  "e.txt: new: no line expects this refusal: m h 3->2! # no "
                  "p"));
}

TEST(ExpectedRefusals, EachReasonOfACellNeedsALine) {
  const TestModule module = TestModule("m").Refuse(3, 1, {"no p", "no q"});
  EXPECT_THAT(FindingsOf("m h 3->1 # no p\nm h 3->1 # no q\n", {module}),
              IsEmpty());
  EXPECT_THAT(FindingsOf("m h 3->1 # no p\n", {module}),
              ElementsAre(HasSubstr("new: no line expects this refusal: m h "
                                    "3->1 # no q")));
}

TEST(ExpectedRefusals, ACellThatPassesIsFoundWhateverElseTheLineMeans) {
  EXPECT_THAT(FindingsOf("m h 2,3->1 # no p\n",
                         {TestModule("m").Refuse(3, 1, {"no p"})}),
              ElementsAre("e.txt:1: passes: accepted, not refused: m h 2->1 # "
                          "no p"));
}

TEST(ExpectedRefusals, AnotherMessageIsShownBesideTheExpectedOne) {
  EXPECT_THAT(FindingsOf("\nm h 3->1 # no p\n",
                         {TestModule("m").Refuse(3, 1, {"no p at all"})}),
              ElementsAre("e.txt:2: changed: m h 3->1\n  expected: no p\n  "
                          "found:    no p at all"));
}

TEST(ExpectedRefusals, ALineWithoutCellsIsStale) {
  EXPECT_THAT(
      FindingsOf("x h 3->1 # no p\nm h 4->1 # no p\nm g 3->1 # no p\n",
                 {TestModule("m")}),
      ElementsAre(HasSubstr("e.txt:1: stale: "), HasSubstr("e.txt:2: stale: "),
                  HasSubstr("e.txt:3: stale: ")));
  // Others may know.
  EXPECT_THAT(Judged("x h 3->1 # no p\n", {TestModule("m")})
                  ->Findings([](const RefusalPattern&) { return false; }),
              IsEmpty());
}

TEST(ExpectedRefusals, ACrashSaysNothingOfALine) {
  EXPECT_THAT(FindingsOf("m h 3->1 # no p\n", {TestModule("m").Crash(3, 1)}),
              IsEmpty());
}

TEST(ExpectedRefusals, OtherTesteesAndSimulationsAreNotHeldAgainstTheFile) {
  EXPECT_THAT(
      FindingsOf("", {TestModule("m").Refuse(3, 1, {"no p"}).OfTestee(1),
                      TestModule("s", "simulated").Refuse(3, 1, {"no p"})}),
      IsEmpty());
}

TEST(ExpectedRefusals, UpdateWritesWhatIsMissingInFewLines) {
  EXPECT_EQ(Updated("# About this file.\n", {TestModule("a b/m.graph")
                                                 .Refuse(1, 2, {"x"})
                                                 .Refuse(1, 3, {"x"})
                                                 .Refuse(2, 3, {"x", "y"})
                                                 .Refuse(1, 2, {"x"}, true)
                                                 .Refuse(1, 3, {"x"}, true)}),
            "# About this file.\n"
            "a b/m.graph h 1->2,3 # x\n"
            "a b/m.graph h 2->3 # x\n"
            "a b/m.graph h 2->3 # y\n"
            "a b/m.graph h 1->*! # x\n");
}

TEST(ExpectedRefusals, UpdateKeepsWhatHoldsWithItsComments) {
  EXPECT_EQ(Updated("# Top.\n"
                    "gone h 3->1 # x\n"
                    "\n"
                    "# m is like that.\n"
                    "m h 3->* # same\n"
                    "# Passes now.\n"
                    "m h 2->1 # x\n"
                    "# Says something else now.\n"
                    "n h 3->1 # old\n"
                    "# The end.\n",
                    {TestModule("m")
                         .Refuse(3, 1, {"same"})
                         .Refuse(3, 2, {"same"})
                         .Refuse(3, 3, {"same"}),
                     TestModule("n").Refuse(3, 1, {"new"})}),
            "# Top.\n"
            "\n"
            "# m is like that.\n"
            "m h 3->* # same\n"
            "# Says something else now.\n"
            "n h 3->1 # new\n"
            "# The end.\n");
  // Nothing to do.
  EXPECT_EQ(
      Updated("m  h 3->1   #  x\n", {TestModule("m").Refuse(3, 1, {"x"})}),
      "m  h 3->1   #  x\n");
}

TEST(ExpectedRefusals, ANewFileSaysWhatItIs) {
  EXPECT_THAT(Updated("", {TestModule("m").Refuse(3, 1, {"a\nb"})}),
              testing::AllOf(testing::StartsWith("# Refusals that are meant"),
                             HasSubstr("\nm h 3->1 # a\\nb\n")));
}

// A file may be called anything that the system allows.
TEST(ExpectedRefusals, WhatUpdateWritesHoldsWhateverModulesAreCalled) {
  for (const std::string name :
       {"a\nb", "a # b", "a #", "#a", " a", "a ", "\ta", "a\tb", "\"a\" b",
        "a\\", "\"", "a*", "a?", "\"a\\n\" h 1->2 # x", "\xff\x01", "\xc3\xa9",
        "a\"b\"", "a  b", "-> ,!"}) {
    const std::vector<TestModule> modules = {
        TestModule(name).Refuse(3, 1, {"x"}).Refuse(2, 1, {"y"}, true),
        // What a `*` would match is accepted.
        TestModule("a*b"), TestModule("ab")};
    const std::string text = Updated("", modules);
    EXPECT_THAT(FindingsOf(text, modules), IsEmpty()) << text;
    EXPECT_EQ(Updated(text, modules), text);
    // In a finding it is a pattern as well.
    const ModuleCells cells = modules[0].Cells();
    const std::string cell = CellName(cells, cells.cells[0]);
    const auto pattern = RefusalPattern::Parse(cell);
    ASSERT_THAT(pattern, IsOk()) << cell;
    EXPECT_TRUE(pattern->MatchesModule(name, "h")) << cell;
    EXPECT_EQ(pattern->ToString(), cell);
  }
}

TEST(RefusalPattern, AFaultyQuotedModuleIsAnError) {
  for (const char* text :
       {"\"a h 1->2", "\"a\\", "\"a\\q\" h 1->2", "\"a\"h 1->2",
        "\"a\" b h 1->2", "\"a\" 1->2", "\"", "\"\""}) {
    EXPECT_THAT(RefusalPattern::Parse(text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("expected `MODULE HISTORY WRITER->READER`")))
        << text;
  }
}

TEST(ExpectedRefusals, EveryMalformedLineIsNamed) {
  EXPECT_THAT(
      ExpectedRefusals::Parse("e.txt",
                              "m h 1->2\nm 1->2 # x\nm h 12 # x\nm h 1-> # x\n"
                              "m h 1->2 # x\nm h 1->2 # x\n"),
      StatusIs(
          absl::StatusCode::kInvalidArgument,
          testing::AllOf(HasSubstr("e.txt:1: "), HasSubstr("e.txt:2: "),
                         HasSubstr("e.txt:3: "), HasSubstr("e.txt:4: "),
                         HasSubstr("e.txt:6: this is in line 5 already"))));
}

TEST(RefusalPattern, StarsStandForAnyCharacters) {
  EXPECT_TRUE(MatchesStars("a*/x.graph", "a/b/x.graph"));
  EXPECT_TRUE(MatchesStars("*", ""));
  EXPECT_TRUE(MatchesStars("2.*", "2.6.0"));
  EXPECT_TRUE(MatchesStars("*a*a*", "banana"));
  EXPECT_FALSE(MatchesStars("2.*", "12.6.0"));
  EXPECT_FALSE(MatchesStars("*b", "banana"));
  EXPECT_FALSE(MatchesStars("", "x"));
}

// Every set of cells of three versions, all existing or some not: the lines
// mean the wanted ones and no others that exist.
TEST(RefusalLines, TheLinesMeanWhatIsWantedAndNothingElse) {
  const std::vector<std::string> versions = {"1", "2", "3"};
  const auto grid = [](int bits) {
    VersionGrid cells(3, std::vector<bool>(3));
    for (int i = 0; i < 9; ++i) cells[i / 3][i % 3] = (bits >> i & 1) != 0;
    return cells;
  };
  for (const int existing : {0x1ff, 0x1ff & ~0x111, 0x1f8}) {
    for (int wanted = 1; wanted < 512; ++wanted) {
      if ((wanted & ~existing) != 0) continue;
      VersionGrid meant(3, std::vector<bool>(3));
      for (const std::string& way :
           WaysOf(grid(wanted), grid(existing), versions)) {
        const auto pattern = RefusalPattern::Parse(absl::StrCat("m h ", way));
        ASSERT_THAT(pattern, IsOk());
        for (int w = 0; w < 3; ++w) {
          for (int r = 0; r < 3; ++r) {
            if (grid(existing)[w][r] && pattern->MatchesWriter(versions[w]) &&
                pattern->MatchesReader(versions[r])) {
              EXPECT_FALSE(meant[w][r]) << "twice: " << way;
              meant[w][r] = true;
            }
          }
        }
      }
      EXPECT_EQ(meant, grid(wanted)) << wanted << " of " << existing;
    }
  }
}

}  // namespace
}  // namespace opcompat
