#include "tools/check_report.h"

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "check/finding.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace opcompat {
namespace {

CheckReport MakeReport() {
  CheckReport report;
  report.history = "t";
  report.history_file = "h/history.textproto";
  report.known_breaks_file = "h/known_breaks.txt";
  Finding added;
  added.rule = "argument-added-required";
  added.category = FindingCategory::kBackward;
  added.history = "t";
  added.older = "1";
  added.newer = "2";
  added.op = "t::f";
  added.argument = "mode";
  added.message =
      "argument `mode` was added without a default, and calls of 1 do not "
      "have it";
  added.counterexample = "%0 : int = t::f(\"a text\", 2)";
  added.remedy =
      "neutral_value { argument: \"mode\" value: \"\\\"a long text with "
      "spaces that is not torn\\\"\" } says what it did before";
  added.place = {"h/2.ops", 3, 7};
  Finding removed = added;
  removed.rule = "operator-removed";
  removed.category = FindingCategory::kSource;
  removed.argument.clear();
  removed.message = "is gone";
  removed.counterexample.clear();
  removed.remedy = "keep it,\nor declare `removed`";
  removed.place = {};
  Finding later = removed;
  later.older = "2";
  later.newer = "3";
  later.op = "t::g";
  later.category = FindingCategory::kForward;
  report.findings = {{added, false, ""},
                     {removed, true, "nobody calls it"},
                     {later, false, ""}};
  report.stale = {{4, "t::x 1->2 source operator-removed: is gone", "really"}};
  return report;
}

TEST(CheckReportTest, FindingsAreGroupedByVersionsAndOperator) {
  CheckTextOptions options;
  options.show_known = true;
  EXPECT_EQ(CheckToText(MakeReport(), options),
            R"(t 1 -> 2
  t::f
    backward argument-added-required
      argument `mode` was added without a default, and calls of 1 do not have it
      call: %0 : int = t::f("a text", 2)
      help: neutral_value { argument: "mode" value:
            "\"a long text with spaces that is not torn\"" } says what it did
            before
      at:   h/2.ops:3
    source operator-removed (known)
      is gone
      help: keep it,
            or declare `removed`
      why:  nobody calls it

t 2 -> 3
  t::g
    forward operator-removed
      is gone
      help: keep it,
            or declare `removed`

No findings any more (stale)
  h/known_breaks.txt:4
    t::x 1->2 source operator-removed: is gone
      really

t: 2 new findings (1 backward, 1 forward, 0 source), 1 known, 1 stale
)");
}

TEST(CheckReportTest, TheValuesOfALongCallGoBelowIt) {
  CheckReport report = MakeReport();
  report.findings.resize(1);
  report.stale.clear();
  Finding& finding = report.findings[0].finding;
  finding.message = "m";
  finding.remedy.clear();
  finding.counterexample =
      "%r : Tensor = t::f(%first, %second, %third)  # %first : Tensor, %second "
      ": Dict(str, int), %third : int[], %fourth : int";
  EXPECT_EQ(CheckToText(report, {}),
            R"(t 1 -> 2
  t::f
    backward argument-added-required
      m
      call: %r : Tensor = t::f(%first, %second, %third)
            # %first : Tensor, %second : Dict(str, int), %third : int[], %fourth
            # : int
      at:   h/2.ops:3

t: 1 new finding (1 backward, 0 forward, 0 source), 0 known, 0 stale
)");
}

TEST(CheckReportTest, KnownFindingsAreShownOnDemand) {
  const std::string text = CheckToText(MakeReport(), {});
  EXPECT_EQ(text.find("(known)"), std::string::npos);
  EXPECT_NE(text.find("1 known"), std::string::npos);
}

TEST(CheckReportTest, ColoursAddNothingElse) {
  CheckTextOptions options;
  options.color = true;
  std::string text = CheckToText(MakeReport(), options);
  EXPECT_NE(text.find("\x1b[31mbackward\x1b[0m"), std::string::npos);
  size_t at;
  while ((at = text.find('\x1b')) != std::string::npos) {
    text.erase(at, text.find('m', at) - at + 1);
  }
  EXPECT_EQ(text, CheckToText(MakeReport(), {}));
}

TEST(CheckReportTest, NothingFoundIsOneLine) {
  CheckReport report;
  report.history = "t";
  EXPECT_EQ(CheckToText(report, {}), "t: 0 new findings, 0 known, 0 stale\n");
}

TEST(CheckReportTest, JsonHasAllFields) {
  const nlohmann::ordered_json json = CheckToJson(MakeReport());
  EXPECT_EQ(json["history"], "t");
  ASSERT_EQ(json["findings"].size(), 3u);
  const nlohmann::ordered_json expected = {
      {"rule", "argument-added-required"},
      {"category", "backward"},
      {"history", "t"},
      {"older", "1"},
      {"newer", "2"},
      {"operator", "t::f"},
      {"argument", "mode"},
      {"message",
       "argument `mode` was added without a default, and calls of 1 do not "
       "have it"},
      {"counterexample", "%0 : int = t::f(\"a text\", 2)"},
      {"remedy",
       "neutral_value { argument: \"mode\" value: \"\\\"a long text with "
       "spaces that is not torn\\\"\" } says what it did before"},
      {"file", "h/2.ops"},
      {"line", 3},
      {"column", 7},
      {"text",
       "t::f 1->2 backward argument-added-required: argument `mode` was added "
       "without a default, and calls of 1 do not have it"},
      {"known", false}};
  EXPECT_EQ(json["findings"][0], expected);
  EXPECT_EQ(json["findings"][1]["known"], true);
  EXPECT_EQ(json["findings"][1]["reason"], "nobody calls it");
  EXPECT_FALSE(json["findings"][1].contains("file"));
  EXPECT_EQ(json["stale"][0].dump(),
            R"({"file":"h/known_breaks.txt","line":4,"text":"t::x 1->2 source )"
            R"(operator-removed: is gone","hint":"really"})");
  EXPECT_EQ(json["summary"].dump(),
            R"({"new":2,"backward":1,"forward":1,"source":0,"known":1,)"
            R"("stale":1})");
  EXPECT_EQ(json["faults"].size(), 0u);
}

TEST(CheckReportTest, LinesAreBrokenOutsideOfStringLiterals) {
  struct Case {
    absl::string_view text;
    absl::string_view expected;
  };
  const Case cases[] = {
      {"", ""},
      {"a b c", "  a b c\n"},
      {"aaaa bbbb cccc", "  aaaa\n  bbbb\n  cccc\n"},
      {"aa bbbbbbbbbbbbbbbb cc", "  aa\n  bbbbbbbbbbbbbbbb\n  cc\n"},
      {"x \"a b c d e f\" y", "  x\n  \"a b c d e f\"\n  y\n"},
      {R"("a \" b c d" y)", "  \"a \\\" b c d\"\n  y\n"},
      {"a\nb c", "  a\n  b c\n"},
      {"\xc3\xa4\xc3\xa4 bbbbb", "  \xc3\xa4\xc3\xa4 bbbbb\n"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(WrapOutsideQuotes(c.text, 10, 2), c.expected) << c.text;
  }
}

}  // namespace
}  // namespace opcompat
