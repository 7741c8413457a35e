#include "tools/readers_summary.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "binding/report.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace opcompat {
namespace {

Reason MakeReason(ReasonCode code, const std::string& op,
                  const std::string& argument, uint64_t calls) {
  Reason reason;
  reason.code = code;
  reason.op = op;
  reason.argument = argument;
  reason.calls = calls;
  return reason;
}

ModuleAnswer MakeAnswer(std::vector<VersionAnswer> versions) {
  ModuleAnswer answer;
  answer.versions = std::move(versions);
  return answer;
}

TEST(ReadersSummaryTest, AModuleCountsOnceForAReasonThatSeveralVersionsGive) {
  const Reason few = MakeReason(ReasonCode::kUnknownOperator, "t::a", "", 2);
  const Reason many = MakeReason(ReasonCode::kUnknownOperator, "t::a", "", 3);
  ReadersSummary summary;
  summary.Add(MakeAnswer({{"t", "1", false, {many}},
                          {"t", "2", false, {few}},
                          {"t", "3", true, {}}}));
  const nlohmann::ordered_json json = summary.ToJson();
  EXPECT_EQ(json["reasons"].dump(),
            R"([{"code":"unknown_operator","operator":"t::a",)"
            R"("modules":1,"calls":3}])");
  EXPECT_EQ(json["versions"][0].dump(),
            R"({"history":"t","version":"1","accepted":0,"refused":1})");
  EXPECT_EQ(json["versions"][2].dump(),
            R"({"history":"t","version":"3","accepted":1,"refused":0})");
}

TEST(ReadersSummaryTest, ValuesOfOneArgumentAreOneReason) {
  ReadersSummary summary;
  summary.Add(MakeAnswer(
      {{"t",
        "1",
        false,
        {MakeReason(ReasonCode::kUnknownArgument, "t::a", "x", 1),
         MakeReason(ReasonCode::kUnknownArgument, "t::a", "x", 4)}}}));
  EXPECT_EQ(summary.ToJson()["reasons"][0]["calls"], 5);
}

TEST(ReadersSummaryTest, WhatRefusesTheMostModulesComesFirst) {
  const Reason often = MakeReason(ReasonCode::kNewerRevision, "t::z", "", 1);
  const Reason once = MakeReason(ReasonCode::kNewerRevision, "t::a", "", 9);
  ReadersSummary summary;
  summary.Add(MakeAnswer({{"t", "1", false, {once, often}}}));
  summary.Add(MakeAnswer({{"t", "1", false, {often}}}));
  EXPECT_EQ(summary.ToJson()["reasons"][0]["operator"], "t::z");
  EXPECT_EQ(summary.ToJson()["reasons"][1]["operator"], "t::a");
}

TEST(ReadersSummaryTest, FilesThatCouldNotBeJudgedAreCountedApart) {
  ModuleAnswer broken;
  broken.error_code = 2;
  ReadersSummary summary;
  summary.Add(broken);
  summary.Add(MakeAnswer({{"t", "1", true, {}}}));
  EXPECT_EQ(summary.ToJson()["modules"], 2);
  EXPECT_EQ(summary.ToJson()["errors"], 1);
  EXPECT_EQ(summary.ToText(),
            "2 modules, 1 of them could not be judged\n"
            "  t 1: 1 accepted, 0 refused\n");
}

TEST(ReadersSummaryTest, TextSaysHowManyReasonsItDoesNotShow) {
  ModuleAnswer answer = MakeAnswer({{"t", "1", false, {}}});
  for (int i = 0; i < 23; ++i) {
    answer.versions[0].reasons.push_back(MakeReason(
        ReasonCode::kUnknownOperator, "t::op" + std::to_string(i), "", 1));
  }
  ReadersSummary summary;
  summary.Add(answer);
  EXPECT_NE(summary.ToText().find("and 3 more"), std::string::npos);
  EXPECT_EQ(summary.ToJson()["reasons"].size(), 23);
}

}  // namespace
}  // namespace opcompat
