#include "tools/known_breaks.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "check/finding.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

Finding MakeFinding(const std::string& op, const std::string& older,
                    const std::string& newer, const std::string& message) {
  Finding finding;
  finding.rule = "argument-added";
  finding.category = FindingCategory::kForward;
  finding.op = op;
  finding.older = older;
  finding.newer = newer;
  finding.message = message;
  return finding;
}

constexpr char kF[] = "t::f 1->2 forward argument-added: f's b";
constexpr char kG[] = "t::g 1->2 forward argument-added: g's # b";
constexpr char kH[] = "t::h 2->3 forward argument-added: h's b";

std::vector<Finding> ThreeFindings() {
  return {MakeFinding("t::f", "1", "2", "f's b"),
          MakeFinding("t::g", "1", "2", "g's # b"),
          MakeFinding("t::h", "2", "3", "h's b")};
}

// `known`: line of each finding and its reason; `stale`: line and hint.
std::string Describe(const KnownBreaks& breaks) {
  std::string text;
  for (const KnownBreaks::OfFinding& finding : breaks.findings) {
    absl::StrAppend(&text, finding.line);
    if (!finding.reason.empty())
      absl::StrAppend(&text, "(", finding.reason, ")");
    text += " ";
  }
  for (const StaleBreak& stale : breaks.stale) {
    absl::StrAppend(&text, "stale ", stale.line, "(", stale.hint, ") ");
  }
  for (const MalformedBreak& malformed : breaks.malformed) {
    absl::StrAppend(&text, "malformed ", malformed.line, ":", malformed.column,
                    "(", malformed.message, ") ");
  }
  return text.substr(0, text.size() - 1);
}

TEST(KnownBreaksTest, AFindingIsKnownByItsExactLine) {
  struct Case {
    std::string text;
    std::string expected;
  };
  const std::string form =
      "this is no finding: expected `OPERATOR OLDER->NEWER CATEGORY RULE: "
      "MESSAGE`, found ";
  const Case cases[] = {
      {"", "0 0 0"},
      {"# a comment\n\n   # another\n", "0 0 0"},
      {absl::StrCat(kF, "\n", kG, "\n", kH), "1 2 3"},
      {absl::StrCat("\n  ", kH, "  \r\n", kF, "\r\n"), "3 0 2"},
      // A reason; a message may have a `#` itself.
      {absl::StrCat(kF, " # why\n", kG, " #  because # of it \n"),
       "1(why) 2(because # of it) 0"},
      {absl::StrCat(kF, " #\n"), "1 0 0"},
      {absl::StrCat(kF, "# why\n"), "0 0 0 stale 1(the message is now: f's b)"},
      // No finding any more: of another operator, pair, rule, message.
      {"t::x 1->2 forward argument-added: f's b", "0 0 0 stale 1()"},
      {"t::f 1->3 forward argument-added: f's b", "0 0 0 stale 1()"},
      {"t::f 1->2 backward argument-added: f's b", "0 0 0 stale 1()"},
      {"t::f 1->2 forward argument-gone: f's b", "0 0 0 stale 1()"},
      {"t::f 1->2 forward argument-added: f's c # why",
       "0 0 0 stale 1(the message is now: f's b)"},
      {"t::f 1->2 forward argument-added: x\nt::f 1->2 forward "
       "argument-added: y",
       "0 0 0 stale 1(the rule finds something else there now) stale 2(the "
       "rule finds something else there now)"},
      {absl::StrCat(kF, "\n", kF, " # why\n"),
       "1 0 0 stale 2(it is in line 1 already)"},
      {"t::f 1->1 source published-version-changed: x",
       "0 0 0 stale 1(such a finding cannot be known: it depends on "
       "--against)"},
      // What is no finding at all.
      {"nonsense",
       absl::StrCat("0 0 0 malformed 1:1(", form, "too few words)")},
      {" t::f 1-2 forward argument-added: x",
       absl::StrCat("0 0 0 malformed 1:2(", form, "`1-2` for OLDER->NEWER)")},
      {"t::f 1->2 sideways argument-added: x",
       absl::StrCat("0 0 0 malformed 1:1(", form,
                    "`sideways` for backward, forward or source)")},
      {"t::f 1->2 forward argument-added x",
       absl::StrCat("0 0 0 malformed 1:1(", form,
                    "`argument-added` for RULE:)")},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(Describe(MatchKnownBreaks(c.text, ThreeFindings())), c.expected);
  }
}

TEST(KnownBreaksTest, AMessageIsOneLineInTheFile) {
  const std::vector<Finding> findings = {
      MakeFinding("t::f", "1", "2", "two\nlines ")};
  const KnownBreaksUpdate update = UpdateKnownBreaks("", findings);
  ASSERT_EQ(update.added.size(), 1u);
  EXPECT_EQ(update.added[0], R"(t::f 1->2 forward argument-added: two\nlines)");
  EXPECT_EQ(MatchKnownBreaks(update.text, findings).stale.size(), 0u);
}

bool OnlyThree(absl::string_view newer, absl::string_view /*category*/) {
  return newer == "3";
}

TEST(KnownBreaksTest, WhatIsNotLookedAtIsNotStale) {
  const std::string text =
      "t::x 1->2 forward argument-added: gone\n"
      "t::x 2->3 forward argument-added: gone\n";
  EXPECT_EQ(Describe(MatchKnownBreaks(text, ThreeFindings(), OnlyThree)),
            "0 0 0 stale 2()");
  const KnownBreaksUpdate update =
      UpdateKnownBreaks(text, ThreeFindings(), OnlyThree);
  EXPECT_EQ(update.dropped.size(), 1u);
  EXPECT_EQ(update.added, std::vector<std::string>({kH}));
}

constexpr char kTop[] =
    "# Breaks that are known and accepted: a finding of `opcompat check` a "
    "line,\n"
    "# and after it ` # ` and a reason. `opcompat check --update` rewrites "
    "them.\n\n";
constexpr char kNew[] =
    "# New: say why each is accepted, or declare what makes it safe.\n";

TEST(KnownBreaksTest, UpdatingKeepsWhatHoldsAsItIs) {
  struct Case {
    std::string text;
    std::string expected;
  };
  const std::string all = absl::StrCat(kF, "\n", kG, "\n", kH, "\n");
  const std::string gone = "t::x 1->2 forward argument-added: gone";
  const Case cases[] = {
      {"", kTop + all},
      {"\n\n", kTop + all},
      {all, all},
      // Order, comments, blank lines and reasons.
      {absl::StrCat("# top\n\n\n# h\n", kH, " # why h\n\n", kG, "\n# f\n  ",
                    kF),
       absl::StrCat("# top\n\n\n# h\n", kH, " # why h\n\n", kG, "\n# f\n  ",
                    kF)},
      // Stale ones go; comments stay with what holds.
      {absl::StrCat("# both\n", gone, "\n", kF, "\n", kG, "\n", kH, "\n"),
       absl::StrCat("# both\n", all)},
      {absl::StrCat("# top\n\n# gone\n", gone, " # why\n# more\n\n", all),
       absl::StrCat("# top\n\n", all)},
      {absl::StrCat(all, "\n# gone\n", gone, "\n"), all},
      {gone, kTop + all},
      // New ones come last, under one heading.
      {absl::StrCat("# f\n", kF, "\n\n"),
       absl::StrCat("# f\n", kF, "\n\n", kNew, kG, "\n", kH, "\n")},
      {absl::StrCat(kF, "\n\n", kNew, kG, "\n"),
       absl::StrCat(kF, "\n\n", kNew, kG, "\n", kH, "\n")},
      {absl::StrCat(kNew, kG, "\n\n", kF, "\n"),
       absl::StrCat(kNew, kG, "\n\n", kF, "\n\n", kNew, kH, "\n")},
      // A changed message takes the place of the old one, with its reason.
      {absl::StrCat("t::f 1->2 forward argument-added: old # why\n", kG, "\n",
                    kH, "\n"),
       absl::StrCat(kF, " # why\n", kG, "\n", kH, "\n")},
      // One of two equal lines is enough.
      {absl::StrCat(all, kF, " # why\n"), all},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const KnownBreaksUpdate update = UpdateKnownBreaks(c.text, ThreeFindings());
    EXPECT_EQ(update.text, c.expected);
    const KnownBreaks after = MatchKnownBreaks(update.text, ThreeFindings());
    EXPECT_TRUE(after.stale.empty());
    for (const KnownBreaks::OfFinding& finding : after.findings) {
      EXPECT_GT(finding.line, 0);
    }
    // Once more changes nothing.
    EXPECT_EQ(UpdateKnownBreaks(update.text, ThreeFindings()).text,
              update.text);
  }
}

TEST(KnownBreaksTest, UpdatingSaysWhatItChanged) {
  const std::string old = "t::f 1->2 forward argument-added: old # why";
  const std::string gone = "t::x 1->2 forward argument-added: gone # why";
  const KnownBreaksUpdate update = UpdateKnownBreaks(
      absl::StrCat(old, "\n", gone, "\n", kG, "\n"), ThreeFindings());
  EXPECT_EQ(update.added, std::vector<std::string>({kH}));
  EXPECT_EQ(update.dropped, std::vector<std::string>({gone}));
  ASSERT_EQ(update.changed.size(), 1u);
  EXPECT_EQ(update.changed[0].first, old);
  EXPECT_EQ(update.changed[0].second, absl::StrCat(kF, " # why"));
}

TEST(KnownBreaksTest, AChangeOfAPublishedVersionIsNeverKnown) {
  std::vector<Finding> findings = {MakeFinding("t::f", "1", "1", "changed")};
  findings[0].rule = std::string(kPublishedVersionChanged);
  EXPECT_EQ(UpdateKnownBreaks("", findings).text, "");
  const std::string line = FindingLine(findings[0]);
  const KnownBreaks breaks = MatchKnownBreaks(line, findings);
  EXPECT_EQ(breaks.findings[0].line, 0);
  EXPECT_EQ(breaks.stale.size(), 1u);
  EXPECT_EQ(UpdateKnownBreaks(line, findings).text, "");
}

}  // namespace
}  // namespace opcompat
