#include "tools/check_annotations.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "check/finding.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace opcompat {
namespace {

CheckReport MakeReport() {
  CheckReport report;
  report.history = "t";
  report.history_file = "./h/history.textproto";
  report.known_breaks_file = "h/known_breaks.txt";
  Finding finding;
  finding.rule = "argument-added";
  finding.category = FindingCategory::kForward;
  finding.history = "t";
  finding.older = "1";
  finding.newer = "2";
  finding.op = "t::f";
  finding.argument = "b";
  finding.message = "100% new";
  finding.counterexample = "%0 : int = t::f(b=1)";
  finding.remedy = "say so";
  finding.place = {"h/a,b:2.ops", 3, 5};
  Finding known = finding;
  known.place = {};
  known.rule = "argument-removed";
  report.findings = {{finding, false, ""}, {known, true, "why"}};
  report.stale = {{4, "t::x 1->2 source r: m", ""}};
  return report;
}

TEST(CheckAnnotationsTest, GithubTakesItsSpecialCharactersEscaped) {
  EXPECT_EQ(EscapeGithubMessage("a%b\r\nc:d,e"), "a%25b%0D%0Ac:d,e");
  EXPECT_EQ(EscapeGithubProperty("a%b\r\nc:d,e"), "a%25b%0D%0Ac%3Ad%2Ce");
  // What is escaped already is text like any other.
  EXPECT_EQ(EscapeGithubMessage("%0A"), "%250A");
}

TEST(CheckAnnotationsTest, GithubHasALineForEverythingThatFails) {
  const std::string failures =
      "::error file=h/a%2Cb%3A2.ops,line=3,col=5,title=argument-added::t::f, t "
      "1 -> 2, forward: 100%25 new%0AFor example: %250 : int = "
      "t::f(b=1)%0AWhat helps: say so\n";
  const std::string stale =
      "::error file=h/known_breaks.txt,line=4,title=known-break-stale::This is "
      "no finding any more: t::x 1->2 source r: m\n";
  EXPECT_EQ(CheckToGithub(MakeReport(), false), failures + stale);
  EXPECT_EQ(CheckToGithub(MakeReport(), true),
            failures +
                "::notice file=h/history.textproto,line=1,title=argument-"
                "removed::t::f, t 1 -> 2, forward: 100%25 new%0AFor example: "
                "%250 : int = t::f(b=1)%0AWhat helps: say so\n" +
                stale);
  CheckReport faulty;
  faulty.faults = {{"h/1.ops", 2, 3, "bad"}};
  EXPECT_EQ(CheckToGithub(faulty, false),
            "::error file=h/1.ops,line=2,col=3,title=fault::bad\n");
}

// What SARIF 2.1.0 and those who take it require of a result.
void ExpectResult(const nlohmann::ordered_json& result,
                  const nlohmann::ordered_json& rules) {
  const size_t index = result.at("ruleIndex");
  ASSERT_LT(index, rules.size());
  EXPECT_EQ(rules[index].at("id"), result.at("ruleId"));
  EXPECT_EQ(result.at("level"), "error");
  EXPECT_FALSE(result.at("message").at("text").get<std::string>().empty());
  ASSERT_EQ(result.at("locations").size(), 1u);
  const nlohmann::ordered_json& physical =
      result.at("locations")[0].at("physicalLocation");
  EXPECT_FALSE(
      physical.at("artifactLocation").at("uri").get<std::string>().empty());
  EXPECT_GE(physical.at("region").at("startLine").get<int>(), 1);
  EXPECT_GE(physical.at("region").at("startColumn").get<int>(), 1);
  EXPECT_EQ(result.at("partialFingerprints").size(), 1u);
}

TEST(CheckAnnotationsTest, SarifHasWhatIsRequired) {
  const std::vector<CheckRuleText> rules = {
      {"argument-added", "forward, source", "an argument was added"},
      {"other", "source", "something else"}};
  // As a reader of the text gets it.
  const nlohmann::ordered_json log = nlohmann::ordered_json::parse(
      CheckToSarif(MakeReport(), rules, true).dump());
  EXPECT_EQ(log.at("version"), "2.1.0");
  EXPECT_EQ(log.at("$schema"), "https://json.schemastore.org/sarif-2.1.0.json");
  ASSERT_EQ(log.at("runs").size(), 1u);
  const nlohmann::ordered_json& run = log["runs"][0];
  const nlohmann::ordered_json& driver = run.at("tool").at("driver");
  EXPECT_EQ(driver.at("name"), "opcompat");
  std::vector<std::string> ids;
  for (const nlohmann::ordered_json& rule : driver.at("rules")) {
    ids.push_back(rule.at("id"));
    for (const char* text : {"shortDescription", "fullDescription", "help"}) {
      EXPECT_FALSE(rule.at(text).at("text").get<std::string>().empty());
    }
  }
  EXPECT_EQ(
      ids, std::vector<std::string>({"argument-added", "other",
                                     "argument-removed", "known-break-stale"}));
  EXPECT_EQ(driver["rules"][0]["properties"]["tags"].dump(),
            R"(["forward","source"])");
  ASSERT_EQ(run.at("results").size(), 3u);
  for (const nlohmann::ordered_json& result : run["results"]) {
    ExpectResult(result, driver["rules"]);
  }
  const nlohmann::ordered_json& location = run["results"][0]["locations"][0];
  EXPECT_EQ(location.dump(),
            R"({"physicalLocation":{"artifactLocation":{"uri":)"
            R"("h/a,b%3A2.ops"},"region":{"startLine":3,"startColumn":5}},)"
            R"("logicalLocations":[{"fullyQualifiedName":"t::f",)"
            R"("kind":"function"}]})");
  EXPECT_FALSE(run["results"][0].contains("suppressions"));
  EXPECT_EQ(run["results"][1]["suppressions"].dump(),
            R"([{"kind":"external","justification":"why"}])");
  EXPECT_EQ(run["results"][1]["locations"][0]["physicalLocation"].dump(),
            R"({"artifactLocation":{"uri":"h/history.textproto"},)"
            R"("region":{"startLine":1,"startColumn":1}})");
}

TEST(CheckAnnotationsTest, SarifIsWithoutKnownFindingsUnlessTheyAreAskedFor) {
  const nlohmann::ordered_json log = CheckToSarif(MakeReport(), {}, false);
  EXPECT_EQ(log["runs"][0]["results"].size(), 2u);
  // No results is a list without elements, not no list.
  EXPECT_EQ(CheckToSarif(CheckReport(), {}, false)["runs"][0]["results"].dump(),
            "[]");
}

TEST(CheckAnnotationsTest, PathsAreUris) {
  struct Case {
    absl::string_view path;
    absl::string_view expected;
  };
  const Case cases[] = {
      {"a/b.ops", "a/b.ops"},
      {"./a/b.ops", "a/b.ops"},
      {"/here/a b#c.ops", "a%20b%23c.ops"},
      {"/elsewhere/a.ops", "file:///elsewhere/a.ops"},
      {"/hereabouts/a.ops", "file:///hereabouts/a.ops"},
      {"\xc3\xa4", "%C3%A4"},
      {"a:b", "a%3Ab"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(PathToUri(c.path, "/here"), c.expected) << c.path;
  }
}

}  // namespace
}  // namespace opcompat
