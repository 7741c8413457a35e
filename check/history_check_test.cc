// What whole histories have beyond pairs of versions.
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "check/check.h"
#include "check/testing.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

// `1->2 backward RULE ARGUMENT`, source findings left out.
std::string Breaks(const std::vector<Finding>& findings, bool source = false) {
  std::vector<std::string> lines;
  for (const Finding& f : findings) {
    if (!source && f.category == FindingCategory::kSource) continue;
    lines.push_back(absl::StrCat(f.op, " ", f.older, "->", f.newer, " ",
                                 FindingCategoryName(f.category), " ", f.rule,
                                 f.argument.empty() ? "" : " ", f.argument));
  }
  return absl::StrJoin(lines, "\n");
}

std::string BreaksOf(const std::vector<TextVersion>& versions,
                     const std::map<std::string, std::string>& graphs = {}) {
  const LoadedHistory loaded = LoadGoodText(versions, graphs);
  if (loaded.history == nullptr) return "(no history)";
  return Breaks(CheckHistory(*loaded.history, &loaded.declared));
}

TEST(CheckHistoryTest, NothingIsToldTwice) {
  EXPECT_EQ(BreaksOf({{"1", "t::f(Tensor x) -> Tensor"},
                      {"2", "t::f(Tensor x, int p) -> Tensor"},
                      {"3", "t::f(Tensor x, int p, *, int q=0) -> Tensor"},
                      {"4", "t::f(Tensor x, int p, *, int q=0) -> Tensor"}}),
            "t::f 1->2 backward argument-added-required p\n"
            "t::f 1->2 forward argument-added p\n"
            "t::f 2->3 forward argument-added q");
}

// Each step from one version to the next only removes or adds.
TEST(CheckHistoryTest, DeletedAndAddedAgainIsComparedWithTheVersionBefore) {
  EXPECT_EQ(BreaksOf({{"1", "t::f(Tensor x) -> Tensor"},
                      {"2", "t::g() -> ()"},
                      {"3", "t::g() -> ()\nt::f(Tensor x, str mode) -> int"}}),
            "t::f 1->2 backward operator-removed\n"
            "t::g 1->2 forward operator-added\n"
            "t::f 1->3 backward argument-added-required mode\n"
            "t::f 1->3 backward result-type-changed\n"
            "t::f 1->3 forward argument-added mode\n"
            "t::f 2->3 forward operator-added\n"
            "t::f 1->3 forward result-type-changed");
}

TEST(CheckHistoryTest, AnArgumentThatReturnsIsComparedWithTheVersionBefore) {
  EXPECT_EQ(BreaksOf({{"1", "t::f(Tensor x, int p=0) -> Tensor"},
                      {"2", "t::f(Tensor x) -> Tensor"},
                      {"3", "t::f(Tensor x, Scalar p=0) -> Tensor"}}),
            "t::f 1->2 backward argument-removed p\n"
            "t::f 2->3 forward argument-added p\n"
            "t::f 1->3 forward argument-type-widened p");
}

TEST(CheckHistoryTest, OperatorsAreFollowedThroughRenames) {
  EXPECT_EQ(
      BreaksOf({{"1", "t::f(Tensor x) -> Tensor"},
                {"2", "t::g(Tensor x) -> Tensor",
                 "changes { operator: \"t::g\" renamed_from: \"t::f\" }\n"},
                {"3", "t::g(Tensor x, *, int p=0) -> Tensor"}}),
      "t::g 2->3 forward argument-added p");
}

TEST(CheckHistoryTest, OnlyFindingsOfTheVersionAskedFor) {
  const LoadedHistory loaded =
      LoadGoodText({{"1", "t::f(Tensor x) -> Tensor"},
                    {"2", "t::f(Tensor x, *, int p=0) -> Tensor"},
                    {"3", "t::f(Tensor x, *, int p=0, int q=0) -> Tensor"}});
  ASSERT_NE(loaded.history, nullptr);
  CheckOptions options;
  options.newer = "3";
  EXPECT_EQ(Breaks(CheckHistory(*loaded.history, nullptr, options)),
            "t::f 2->3 forward argument-added q");
}

TEST(CheckHistoryTest, PlacesAreTheLineOrTheDeclaration) {
  const LoadedHistory loaded = LoadGoodText(
      {{"1", "t::f(Tensor x, int dim) -> Tensor\nt::h() -> ()"},
       {"2", "# new\n\nt::f(Tensor x, int axis, int p=0) -> Tensor",
        "\n\nchanges { operator: \"t::f\" renamed_argument { from: \"dim\" "
        "to: \"axis\" } }\n"}});
  ASSERT_NE(loaded.history, nullptr);
  std::vector<std::string> places;
  for (const Finding& f : CheckHistory(*loaded.history, &loaded.declared)) {
    places.push_back(
        absl::StrCat(f.rule, " ", f.place.file, ":", f.place.line));
  }
  EXPECT_EQ(absl::StrJoin(places, "\n"),
            "argument-added 2.ops:4\n"
            "argument-renamed history.textproto:11\n"
            "operator-removed history.textproto:6");
}

constexpr char kUpgrader[] =
    "func up(%x : Tensor) -> (Tensor):\n"
    "  %r : Tensor = t::g(%x, 3)\n"
    "  return (%r)\n";

// Whose file it is must be seen: neither version's schemas are at fault.
TEST(CheckHistoryTest, StepGraphsAreBesideTheHistory) {
  LoadedHistory loaded = LoadGoodText(
      {{"1", "t::f(Tensor x) -> Tensor\nt::g(Tensor x, int p) -> Tensor"},
       {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x, int p) -> Tensor",
        "changes { operator: \"t::f\" semantic_change { revision: 2 upgraders "
        "{ "
        "graph: \"steps/up.graph\" } one_way_down: true } }\n"},
       {"3", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor",
        "changes { operator: \"t::g\" retired_value { argument: \"p\" value: "
        "\"0\" } }\n"}},
      {{"steps/up.graph",
        "func up(%x : Tensor) -> (Tensor):\n  %r : Tensor = t::g(%x, 3)\n  "
        "return (%r)\n"}});
  ASSERT_NE(loaded.history, nullptr);
  const auto place = [&]() {
    for (const Finding& f : CheckHistory(*loaded.history, &loaded.declared)) {
      if (f.rule == "upgrader-does-not-bind") {
        return absl::StrCat(f.place.file, ":", f.place.line);
      }
    }
    return std::string("(not found)");
  };
  EXPECT_EQ(place(), "steps/up.graph:1");
  loaded.declared.place.file = "my/opset/history.textproto";
  EXPECT_EQ(place(), "my/opset/steps/up.graph:1");
  for (const Finding& f : CheckPair(OpsetAt(*loaded.history, "1"),
                                    OpsetAt(*loaded.history, "3"))) {
    EXPECT_EQ(f.place.file, "") << FindingText(f);
  }
}

TEST(CheckHistoryTest, RemovedOperatorsAreAtTheirDeclaration) {
  const LoadedHistory loaded = LoadGoodText(
      {{"1", "t::f(Tensor x, int p) -> Tensor\nt::g(Tensor x) -> Tensor"},
       {"2", "t::g(Tensor x) -> Tensor",
        "changes { operator: \"t::f\" removed { steps { graph: \"f.graph\" "
        "when { all { argument: \"p\" one_of: \"0\" } } } } }\n"}},
      {{"f.graph",
        "func f(%x : Tensor, %p : int) -> (Tensor):\n  %r : Tensor = "
        "t::g(%x)\n  return (%r)\n"}});
  ASSERT_NE(loaded.history, nullptr);
  const std::vector<Finding> findings =
      CheckHistory(*loaded.history, &loaded.declared);
  ASSERT_EQ(Breaks(findings), "t::f 1->2 backward operator-removed");
  ASSERT_EQ(loaded.declared.versions[1].changes.size(), 1u);
  EXPECT_EQ(findings[0].place.file, "history.textproto");
  EXPECT_EQ(findings[0].place.line,
            loaded.declared.versions[1].changes[0].place.line);
  EXPECT_NE(findings[0].place.line, loaded.declared.versions[1].place.line);
}

TEST(CheckHistoryTest, UpgradersAreCheckedAgainstEveryNewerVersion) {
  const std::string f = "t::f(Tensor x) -> Tensor\n";
  const std::string g = "t::g(Tensor x, int p) -> Tensor";
  const std::string change =
      "changes { operator: \"t::f\" semantic_change { revision: 2 upgraders { "
      "graph: \"up.graph\" } one_way_down: true } }\n";
  const std::map<std::string, std::string> graphs = {{"up.graph", kUpgrader}};
  // The body follows what its operators become.
  EXPECT_EQ(BreaksOf({{"1", f + g},
                      {"2", f + g, change},
                      {"3", f + "t::g(Tensor x, Scalar p) -> Tensor"}},
                     graphs),
            "t::f 1->2 forward revision-added\n"
            "t::g 2->3 forward argument-type-widened p");
  // Until they refuse it.
  EXPECT_EQ(BreaksOf({{"1", f + g},
                      {"2", f + g, change},
                      {"3", f + g},
                      {"4", f + "t::g(Tensor x) -> Tensor",
                       "changes { operator: \"t::g\" retired_value { argument: "
                       "\"p\" value: \"0\" } }\n"},
                      {"5", f + "t::g(Tensor x) -> Tensor"}},
                     graphs),
            "t::f 1->2 forward revision-added\n"
            "t::f 1->4 backward upgrader-does-not-bind\n"
            "t::g 3->4 backward argument-removed p");
  // At the value that it is retired at, nothing is lost.
  EXPECT_EQ(BreaksOf({{"1", f + g},
                      {"2", f + g, change},
                      {"3", f + "t::g(Tensor x) -> Tensor",
                       "changes { operator: \"t::g\" retired_value { argument: "
                       "\"p\" value: \"3\" } }\n"}},
                     graphs),
            "t::f 1->2 forward revision-added\n"
            "t::g 2->3 backward argument-removed p");
}

TEST(CheckHistoryTest, UpgradersWithConditionsMustTakeEveryCall) {
  const std::string f = "t::f(Tensor x, int p=0) -> Tensor\n";
  const std::string g = "t::g(Tensor x, int p) -> Tensor";
  const std::map<std::string, std::string> graphs = {
      {"up.graph",
       "func up(%x : Tensor, %p : int) -> (Tensor):\n"
       "  %r : Tensor = t::g(%x, %p)\n"
       "  return (%r)\n"}};
  const auto with = [&](const std::string& steps) {
    return BreaksOf(
        {{"1", f + g},
         {"2", f + g,
          absl::StrCat("changes { operator: \"t::f\" semantic_change { "
                       "revision: 2 one_way_down: true ",
                       steps, " } }\n")}},
        graphs);
  };
  EXPECT_EQ(with("upgraders { graph: \"up.graph\" }"),
            "t::f 1->2 forward revision-added");
  EXPECT_EQ(with("upgraders { when { all { argument: \"p\" one_of: \"0\" } } "
                 "graph: \"up.graph\" }"),
            "t::f 1->2 backward revision-no-upgrader\n"
            "t::f 1->2 forward revision-added");
  // A graph value of type int is not the only value of type int.
  EXPECT_EQ(with("upgraders { when { all { argument: \"p\" types: \"int\" } } "
                 "graph: \"up.graph\" }"),
            "t::f 1->2 backward revision-no-upgrader\n"
            "t::f 1->2 forward revision-added");
  EXPECT_EQ(with("upgraders { when { all { argument: \"x\" types: \"Tensor\" } "
                 "} graph: \"up.graph\" }"),
            "t::f 1->2 forward revision-added");
}

TEST(CheckHistoryTest, OperatorsRemovedWithUpgraders) {
  const std::string g = "t::g(Tensor x, int p) -> Tensor";
  EXPECT_EQ(BreaksOf({{"1", "t::f(Tensor x) -> Tensor\n" + g},
                      {"2", g,
                       "changes { operator: \"t::f\" removed { steps { graph: "
                       "\"up.graph\" } } }\n"},
                      {"3", g}},
                     {{"up.graph", kUpgrader}}),
            "");
}

// The upgrader to a later revision leads away from the operator.
TEST(CheckHistoryTest, UpgradersServeOperatorsThatAreRemovedLater) {
  const std::string f = "t::f(Tensor x, int p=0) -> Tensor\n";
  const std::string g = "t::g(Tensor x, int p) -> Tensor\n";
  const auto with = [&](const std::string& condition) {
    const LoadedHistory loaded = LoadGoodText(
        {{"1", f + g},
         {"2", f + g,
          absl::StrCat("changes { operator: \"t::f\" semantic_change { "
                       "revision: 2 upgraders { graph: \"up.graph\" ",
                       condition, " } one_way_down: true } }\n")},
         {"3", g}},
        {{"up.graph",
          "func up(%x : Tensor, %p : int) -> (Tensor):\n"
          "  %r : Tensor = t::g(%x, %p)\n"
          "  return (%r)\n"}});
    EXPECT_NE(loaded.history, nullptr);
    if (loaded.history == nullptr) return std::string();
    EXPECT_EQ(Breaks(CheckPair(OpsetAt(*loaded.history, "2"),
                               OpsetAt(*loaded.history, "3"))),
              "t::f 2->3 backward operator-removed");
    const std::vector<Finding> findings =
        CheckPair(OpsetAt(*loaded.history, "1"), OpsetAt(*loaded.history, "3"));
    return absl::StrJoin(
        findings, "\n", [](std::string* out, const Finding& finding) {
          absl::StrAppend(out, finding.rule, ": ", finding.message, "; ",
                          finding.remedy);
        });
  };
  EXPECT_EQ(with(""), "");
  EXPECT_EQ(with("when { all { argument: \"p\" one_of: \"0\" } }"),
            "operator-removed: the operator is not there in 3, and none of its "
            "upgraders takes some call; declare `removed` with a step without "
            "conditions");
}

// Calls that say nothing of a new meaning go out at the old revision.
TEST(CheckHistoryTest, LoweredCallsAreReadByOlderVersions) {
  const auto with = [](const std::string& condition) {
    return BreaksOf(
        {{"1", "t::f(Tensor x) -> Tensor"},
         {"2", "t::f(Tensor x) -> Tensor",
          absl::StrCat("changes { operator: \"t::f\" semantic_change { "
                       "revision: 2 one_way_up: true one_way_down: true ",
                       condition, " } }\n")}});
  };
  EXPECT_EQ(with(""),
            "t::f 1->2 backward revision-one-way-up\n"
            "t::f 1->2 forward revision-added");
  EXPECT_EQ(with("unchanged_when {}"), "");
  EXPECT_EQ(
      with("unchanged_when { all { argument: \"x\" types: \"Tensor\" } }"), "");
}

TEST(OtherHistoryTest, VersionsOfTwoHistoriesAreTold) {
  // Both added p, at versions of their own.
  const LoadedHistory a =
      LoadGoodText({{"1", "t::f(Tensor x) -> Tensor"},
                    {"2", "t::f(Tensor x, *, int p=0) -> Tensor"}});
  const LoadedHistory b =
      LoadGoodText({{"1", "t::f(Tensor x) -> Tensor"},
                    {"1.5", "t::f(Tensor x) -> Tensor"},
                    {"2", "t::f(Tensor x) -> Tensor"},
                    {"3", "t::f(Tensor x, *, int p=0) -> Tensor"}});
  ASSERT_NE(a.history, nullptr);
  ASSERT_NE(b.history, nullptr);
  EXPECT_EQ(Breaks(CheckPair(a.history->newest(), b.history->newest())),
            "t::f 2->3 backward other-history\n"
            "t::f 2->3 forward other-history p");
  // Each with itself is no change.
  EXPECT_EQ(Breaks(CheckPair(a.history->newest(), a.history->newest())), "");
}

TEST(OtherHistoryTest, NamesThatLeadToTwoOperators) {
  const LoadedHistory a = LoadGoodText(
      {{"1", "t::f(Tensor x) -> Tensor"},
       {"2", "t::g(Tensor x) -> Tensor",
        "changes { operator: \"t::g\" renamed_from: \"t::f\" }\n"}});
  const LoadedHistory b = LoadGoodText(
      {{"1", "t::f(Tensor x) -> Tensor"},
       {"3", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor"}});
  ASSERT_NE(a.history, nullptr);
  ASSERT_NE(b.history, nullptr);
  const std::string text =
      Breaks(CheckPair(a.history->newest(), b.history->newest()));
  EXPECT_NE(text.find("backward other-history"), std::string::npos) << text;
}

TEST(CheckPairTest, OfOneVersionIsNothing) {
  const LoadedHistory loaded = LoadGoodText(
      {{"1", "t::f(Tensor x, Scalar[] p, t q=1, ...) -> (Tensor, t)"}});
  ASSERT_NE(loaded.history, nullptr);
  EXPECT_EQ(
      Breaks(CheckPair(loaded.history->newest(), loaded.history->newest()),
             true),
      "");
}

}  // namespace
}  // namespace opcompat
