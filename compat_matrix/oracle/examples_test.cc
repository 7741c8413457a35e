// The worked examples of docs/compatibility.md, and what other systems got
// wrong when old met new, as tables: a call, its writer, its reader, and either
// the call that must come out or the reason to refuse.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "compat_matrix/oracle/oracle.h"
#include "compat_matrix/oracle/testing.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace oracle {
namespace {

struct Example {
  const char* writer;
  const char* call;
  const char* reader;
  // What the reader must have, at its version; null: refused.
  const char* result;
  // `code argument`, if refused.
  const char* reason = "";
};

std::string TextOf(const char* call) {
  return Forward(absl::StrCat("%r : Tensor = ", call));
}

void Check(const OpsetHistory& history, const std::vector<Example>& examples) {
  for (const Example& example : examples) {
    SCOPED_TRACE(absl::StrCat(example.call, " written at ", example.writer,
                              ", read at ", example.reader));
    const Runtime writer = RuntimeAt(history, example.writer);
    const Runtime reader = RuntimeAt(history, example.reader);
    const Module module = MakeModule(TextOf(example.call), writer);
    const Prediction prediction = Predict(module, writer, reader);
    EXPECT_EQ(prediction.accepted, example.result != nullptr);
    std::string reason;
    for (const Prediction::Refusal& refusal : prediction.refusals) {
      absl::StrAppend(&reason, reason.empty() ? "" : ", ", refusal.code, " ",
                      refusal.argument);
    }
    EXPECT_EQ(reason, example.reason);
    if (example.result == nullptr) continue;
    EXPECT_EQ(MeaningDiffers(module, MakeModule(TextOf(example.result), reader),
                             writer, reader),
              absl::nullopt);
  }
}

TEST(OracleExamplesTest, AnArgumentIsAddedAndTheOldReaderStillReads) {
  const auto history = MakeHistory({
      {"1", "t::foo(Tensor a) -> Tensor"},
      {"2", "t::foo(Tensor a, str mode=\"sum\") -> Tensor"},
      {"3", "t::foo(Tensor a, str mode=\"mean\") -> Tensor"},
  });
  ASSERT_NE(history, nullptr);
  Check(
      *history,
      {
          {"1", "t::foo(%x)", "2", "t::foo(%x, \"sum\")"},
          {"2", "t::foo(%x)", "1", "t::foo(%x)"},
          {"2", "t::foo(%x, \"sum\")", "1", "t::foo(%x)"},
          {"2", "t::foo(%x, \"mean\")", "1", nullptr, "unknown_argument mode"},
          {"1", "t::foo(%x)", "3", "t::foo(%x, \"sum\")"},
          {"2", "t::foo(%x)", "3", "t::foo(%x, \"sum\")"},
          {"3", "t::foo(%x)", "2", "t::foo(%x, \"mean\")"},
          {"3", "t::foo(%x)", "1", nullptr, "unknown_argument mode"},
          {"3", "t::foo(%x, \"sum\")", "1", "t::foo(%x)"},
      });
}

TEST(OracleExamplesTest, TheNeutralValueIsNotTheDefault) {
  const auto history = MakeHistory({
      {"1", "t::f(Tensor x) -> Tensor"},
      {"2", "t::f(Tensor x, int p=0) -> Tensor"},
      {"3", "t::f(Tensor x, int p=1) -> Tensor"},
  });
  ASSERT_NE(history, nullptr);
  Check(*history,
        {
            {"1", "t::f(%x)", "3", "t::f(%x, p=0)"},
            {"3", "t::f(%x)", "1", nullptr, "unknown_argument p"},
            {"3", "t::f(%x, p=0)", "1", "t::f(%x)"},
            {"3", "t::f(%x, p=%n)", "1", nullptr, "unknown_argument p"},
        });
}

TEST(OracleExamplesTest, WhatAGapHidesIsNotGuessed) {
  const std::vector<TextVersion> kVersions = {
      {"1", "t::f(Tensor x) -> Tensor"},
      {"3", "t::f(Tensor x, int p=1) -> Tensor", "gap { }\n"},
  };
  const auto history = MakeHistory(kVersions);
  ASSERT_NE(history, nullptr);
  Check(*history,
        {
            {"1", "t::f(%x)", "3", nullptr, "no_neutral_value p"},
            {"3", "t::f(%x)", "1", nullptr, "no_neutral_value p"},
            {"3", "t::f(%x, p=0)", "1", nullptr, "no_neutral_value p"},
        });
  std::vector<TextVersion> declared = kVersions;
  declared[1].declared =
      "gap { } changes { operator: \"t::f\" neutral_value { argument: \"p\" "
      "value: \"0\" } }\n";
  const auto with_neutral = MakeHistory(declared);
  ASSERT_NE(with_neutral, nullptr);
  Check(*with_neutral,
        {
            {"1", "t::f(%x)", "3", "t::f(%x, p=0)"},
            {"3", "t::f(%x)", "1", nullptr, "unknown_argument p"},
            {"3", "t::f(%x, p=0)", "1", "t::f(%x)"},
        });
}

TEST(OracleExamplesTest, NoneMayMeanANumber) {
  const auto history = MakeHistory({
      {"1", "t::slice(Tensor x, int start=0) -> Tensor"},
      {"2", "t::slice(Tensor x, int? start=None) -> Tensor",
       "changes { operator: \"t::slice\" equal_value { argument: \"start\" "
       "value: \"None\" means: \"0\" } }\n"},
  });
  ASSERT_NE(history, nullptr);
  Check(*history, {
                      {"2", "t::slice(%x)", "1", "t::slice(%x, 0)"},
                      {"2", "t::slice(%x, None)", "1", "t::slice(%x)"},
                      {"1", "t::slice(%x)", "2", "t::slice(%x)"},
                      {"1", "t::slice(%x)", "2", "t::slice(%x, 0)"},
                      {"2", "t::slice(%x, 3)", "1", "t::slice(%x, 3)"},
                      {"1", "t::slice(%x, %n)", "2", "t::slice(%x, %n)"},
                  });
}

TEST(OracleExamplesTest, ArgumentsGoByName) {
  const auto history = MakeHistory({
      {"1",
       "t::kw(Tensor x, *, int b=1, int c=2) -> Tensor\n"
       "t::to_kw(Tensor x, int b=1) -> Tensor\n"
       "t::middle(Tensor x, int c=2) -> Tensor\n"
       "t::swap(Tensor a, Tensor b) -> Tensor"},
      {"2",
       "t::kw(Tensor x, *, int c=2, int b=1) -> Tensor\n"
       "t::to_kw(Tensor x, *, int b=1) -> Tensor\n"
       "t::middle(Tensor x, int m=0, int c=2) -> Tensor\n"
       "t::swap(Tensor b, Tensor a) -> Tensor"},
  });
  ASSERT_NE(history, nullptr);
  Check(*history,
        {
            {"1", "t::kw(%x, b=8, c=9)", "2", "t::kw(%x, c=9, b=8)"},
            {"2", "t::kw(%x, b=8)", "1", "t::kw(%x, b=8)"},
            {"1", "t::to_kw(%x, 5)", "2", "t::to_kw(%x, b=5)"},
            {"2", "t::to_kw(%x, b=5)", "1", "t::to_kw(%x, 5)"},
            {"1", "t::middle(%x, 5)", "2", "t::middle(%x, 0, 5)"},
            {"2", "t::middle(%x, c=5)", "1", "t::middle(%x, 5)"},
            {"2", "t::middle(%x, 5)", "1", nullptr, "unknown_argument m"},
            {"1", "t::swap(%x, %y)", "2", "t::swap(%y, %x)"},
        });
}

TEST(OracleExamplesTest, AMarkThatWentAwayIsAnotherOperatorUnlessDeclared) {
  const auto history = MakeHistory({
      {"1",
       "t::undeclared(Tensor(a!) x) -> Tensor\n"
       "t::declared(Tensor(a!) x) -> Tensor\n"
       "t::respelled(Tensor(a!) x) -> Tensor(a!)"},
      {"2",
       "t::undeclared(Tensor x) -> Tensor\n"
       "t::declared(Tensor x) -> Tensor\n"
       "t::respelled(Tensor(c!) x) -> Tensor(c!)",
       "changes { operator: \"t::declared\" annotation_fixed: true }\n"},
  });
  ASSERT_NE(history, nullptr);
  Check(*history,
        {
            {"1", "t::undeclared(%x)", "2", nullptr, "alias_changed x"},
            {"2", "t::undeclared(%x)", "1", nullptr, "alias_changed x"},
            {"1", "t::declared(%x)", "2", "t::declared(%x)"},
            {"2", "t::declared(%x)", "1", "t::declared(%x)"},
            {"1", "t::respelled(%x)", "2", "t::respelled(%x)"},
        });
}

TEST(OracleExamplesTest, AFixCoversNothingOlder) {
  const auto history = MakeHistory({
      {"1", "t::f(Tensor(a!) x) -> Tensor"},
      {"2", "t::f(Tensor(a) x) -> Tensor"},
      {"3", "t::f(Tensor x) -> Tensor",
       "changes { operator: \"t::f\" annotation_fixed: true }\n"},
      {"4", "t::f(Tensor x, int p=0) -> Tensor"},
  });
  ASSERT_NE(history, nullptr);
  Check(*history, {
                      {"1", "t::f(%x)", "2", nullptr, "alias_changed x"},
                      {"1", "t::f(%x)", "3", nullptr, "alias_changed x"},
                      {"2", "t::f(%x)", "3", "t::f(%x)"},
                      {"3", "t::f(%x)", "2", "t::f(%x)"},
                      {"2", "t::f(%x)", "4", "t::f(%x, 0)"},
                      {"4", "t::f(%x)", "2", "t::f(%x)"},
                      {"4", "t::f(%x)", "1", nullptr, "alias_changed x"},
                  });
}

TEST(OracleExamplesTest, ADefaultOfOtherBitsIsAnotherDefault) {
  const auto history = MakeHistory({
      {"1",
       "t::zero(Tensor x, float a=0.0) -> Tensor\n"
       "t::nan(Tensor x, float a=nan) -> Tensor\n"
       "t::scalar(Tensor x, Scalar a=1) -> Tensor"},
      {"2",
       "t::zero(Tensor x, float a=-0.0) -> Tensor\n"
       "t::nan(Tensor x, float a=nan(0x7ff8000000000001)) -> Tensor\n"
       "t::scalar(Tensor x, Scalar a=1.0) -> Tensor"},
  });
  ASSERT_NE(history, nullptr);
  Check(*history,
        {
            {"1", "t::zero(%x)", "2", "t::zero(%x, 0.0)"},
            {"2", "t::zero(%x)", "1", "t::zero(%x, -0.0)"},
            {"1", "t::nan(%x)", "2", "t::nan(%x, nan)"},
            {"2", "t::nan(%x)", "1", "t::nan(%x, nan(0x7ff8000000000001))"},
            {"1", "t::scalar(%x)", "2", "t::scalar(%x, 1)"},
            {"2", "t::scalar(%x)", "1", "t::scalar(%x, 1.0)"},
        });
}

TEST(OracleExamplesTest, TypesThatGrewReadByValue) {
  const auto history = MakeHistory({
      {"1",
       "t::to_scalar(Tensor x, int v) -> Tensor\n"
       "t::to_float(Tensor x, int v) -> Tensor\n"
       "t::to_list(Tensor x, int[2] v) -> Tensor\n"
       "t::from_lone(Tensor x, int v) -> Tensor\n"
       "t::to_enum(Tensor x, int? dtype=None) -> Tensor"},
      {"2",
       "t::to_scalar(Tensor x, Scalar v) -> Tensor\n"
       "t::to_float(Tensor x, float v) -> Tensor\n"
       "t::to_list(Tensor x, int[] v) -> Tensor\n"
       "t::from_lone(Tensor x, int[2] v) -> Tensor\n"
       "t::to_enum(Tensor x, ScalarType? dtype=None) -> Tensor"},
  });
  ASSERT_NE(history, nullptr);
  Check(
      *history,
      {
          {"1", "t::to_scalar(%x, 3)", "2", "t::to_scalar(%x, 3)"},
          {"2", "t::to_scalar(%x, 3)", "1", "t::to_scalar(%x, 3)"},
          {"2", "t::to_scalar(%x, 3.0)", "1", nullptr, "value_does_not_fit v"},
          {"2", "t::to_scalar(%x, %d)", "1", nullptr, "type_mismatch v"},
          {"1", "t::to_scalar(%x, %n)", "2", "t::to_scalar(%x, %n)"},
          {"1", "t::to_float(%x, 3)", "2", "t::to_float(%x, 3.0)"},
          {"1", "t::to_float(%x, 9007199254740993)", "2", nullptr,
           "value_does_not_fit v"},
          {"1", "t::to_float(%x, %n)", "2", nullptr, "type_mismatch v"},
          {"2", "t::to_float(%x, 3.0)", "1", "t::to_float(%x, 3)"},
          {"2", "t::to_float(%x, -0.0)", "1", nullptr, "value_does_not_fit v"},
          {"1", "t::to_list(%x, 3)", "2", "t::to_list(%x, [3, 3])"},
          {"2", "t::to_list(%x, [1, 2, 3])", "1", "t::to_list(%x, [1, 2, 3])"},
          {"1", "t::to_list(%x, %l)", "2", "t::to_list(%x, %l)"},
          {"1", "t::from_lone(%x, 3)", "2", "t::from_lone(%x, [3, 3])"},
          {"2", "t::from_lone(%x, [3, 3])", "1", "t::from_lone(%x, 3)"},
          {"2", "t::from_lone(%x, [3, 4])", "1", nullptr,
           "value_does_not_fit v"},
          {"1", "t::to_enum(%x, 4)", "2", "t::to_enum(%x, long)"},
          {"2", "t::to_enum(%x, long)", "1", "t::to_enum(%x, 4)"},
          {"1", "t::to_enum(%x, None)", "2", "t::to_enum(%x)"},
      });
}

TEST(OracleExamplesTest, RequiredAndRetired) {
  const auto history = MakeHistory({
      {"1",
       "t::three(Tensor x, Tensor y) -> Tensor\n"
       "t::retire(Tensor x, int p=3) -> Tensor\n"
       "t::retire_as(Tensor x, int p=3) -> Tensor\n"
       "t::back(Tensor x, int p=3) -> Tensor"},
      {"2",
       "t::three(Tensor x, Tensor y, int n) -> Tensor\n"
       "t::retire(Tensor x) -> Tensor\n"
       "t::retire_as(Tensor x) -> Tensor\n"
       "t::back(Tensor x) -> Tensor",
       "changes { operator: \"t::retire_as\" retired_value { argument: \"p\" "
       "value: \"7\" } }\n"},
      {"3",
       "t::three(Tensor x, Tensor y, int n=5) -> Tensor\n"
       "t::retire(Tensor x) -> Tensor\n"
       "t::retire_as(Tensor x) -> Tensor\n"
       "t::back(Tensor x, int p=4) -> Tensor"},
  });
  ASSERT_NE(history, nullptr);
  Check(*history,
        {
            {"2", "t::three(%x, %y, 1000)", "1", nullptr, "no_neutral_value n"},
            {"1", "t::three(%x, %y)", "2", nullptr, "no_neutral_value n"},
            {"1", "t::three(%x, %y)", "3", nullptr, "no_neutral_value n"},
            {"3", "t::three(%x, %y)", "2", "t::three(%x, %y, 5)"},
            {"1", "t::retire(%x)", "2", "t::retire(%x)"},
            {"1", "t::retire(%x, 3)", "2", "t::retire(%x)"},
            {"1", "t::retire(%x, 4)", "2", nullptr, "retired_argument p"},
            {"1", "t::retire(%x, %n)", "2", nullptr, "retired_argument p"},
            {"2", "t::retire(%x)", "1", "t::retire(%x, 3)"},
            {"1", "t::retire_as(%x)", "2", nullptr, "retired_argument p"},
            {"1", "t::retire_as(%x, 7)", "2", "t::retire_as(%x)"},
            {"2", "t::retire_as(%x)", "1", "t::retire_as(%x, 7)"},
            // An argument that returns is the one that it was.
            {"1", "t::back(%x)", "3", "t::back(%x, 3)"},
            {"2", "t::back(%x)", "3", "t::back(%x, 3)"},
            {"3", "t::back(%x)", "2", nullptr, "retired_argument p"},
            {"3", "t::back(%x)", "1", "t::back(%x, 4)"},
        });
}

TEST(OracleExamplesTest, NothingIsBoundWhereBothHaveRetiredWithoutAValue) {
  const auto history = MakeHistory({
      {"1", "t::f(Tensor x, int p=3) -> Tensor"},
      {"3", "t::f(Tensor x) -> Tensor", "gap { }\n"},
      {"4", "t::f(Tensor x, int q=0) -> Tensor"},
  });
  ASSERT_NE(history, nullptr);
  Check(*history, {
                      {"1", "t::f(%x)", "3", nullptr, "no_neutral_value p"},
                      {"1", "t::f(%x, %n)", "3", nullptr, "no_neutral_value p"},
                      {"3", "t::f(%x)", "1", nullptr, "no_neutral_value p"},
                      {"3", "t::f(%x)", "4", "t::f(%x, 0)"},
                      {"4", "t::f(%x)", "3", "t::f(%x)"},
                  });
}

TEST(OracleExamplesTest, AHintKeepsAWriterAtItsRevisionButNoTarget) {
  const auto history = MakeHistory({
      {"1", "t::f(Tensor x, int m=0) -> Tensor"},
      {"2", "t::f(Tensor x, int m=0, bool hint=False) -> Tensor",
       "changes { operator: \"t::f\" ignorable_argument: \"hint\" }\n"
       "changes { operator: \"t::f\" semantic_change { revision: 2 "
       "unchanged_when { all { argument: \"m\" one_of: \"0\" } } one_way_up: "
       "true one_way_down: true } }\n"},
  });
  ASSERT_NE(history, nullptr);
  const Runtime one = RuntimeAt(*history, "1");
  const Runtime two = RuntimeAt(*history, "2");
  const Module hinted = MakeModule(TextOf("t::f(%x, 0, True)"), two);
  EXPECT_FALSE(Predict(hinted, two, one).accepted);
  EXPECT_TRUE(Predict(hinted, two, one, /*as_target=*/true).accepted);
  const Module plain = MakeModule(TextOf("t::f(%x, 0)"), two);
  EXPECT_TRUE(Predict(plain, two, one).accepted);
  const Module changed = MakeModule(TextOf("t::f(%x, 1)"), two);
  EXPECT_FALSE(Predict(changed, two, one, /*as_target=*/true).accepted);
}

TEST(OracleExamplesTest, AHintMayBeDroppedButNothingElse) {
  const auto history = MakeHistory({
      {"1",
       "t::hint(Tensor x) -> Tensor\n"
       "t::required(Tensor x) -> Tensor\n"
       "t::both(Tensor x) -> Tensor"},
      {"2",
       "t::hint(Tensor x, bool h=False) -> Tensor\n"
       "t::required(Tensor x, int h) -> Tensor\n"
       "t::both(Tensor x, bool h=False, int p=0) -> Tensor",
       "changes { operator: \"t::hint\" ignorable_argument: \"h\" }\n"
       "changes { operator: \"t::required\" ignorable_argument: \"h\" }\n"
       "changes { operator: \"t::both\" ignorable_argument: \"h\" }\n"},
  });
  ASSERT_NE(history, nullptr);
  Check(*history,
        {
            {"2", "t::hint(%x, True)", "1", "t::hint(%x)"},
            {"1", "t::hint(%x)", "2", "t::hint(%x)"},
            {"1", "t::required(%x)", "2", "t::required(%x, 0)"},
            {"2", "t::required(%x, %n)", "1", "t::required(%x)"},
            {"2", "t::both(%x, True)", "1", "t::both(%x)"},
            {"2", "t::both(%x, True, 1)", "1", nullptr, "unknown_argument p"},
        });
}

TEST(OracleExamplesTest, ARevisionIsReachedOnlyWhereNothingChanged) {
  const auto history = MakeHistory({
      {"1", "t::div(Tensor x, int mode=0) -> Tensor"},
      {"2", "t::div(Tensor x, int mode=0, int p=0) -> Tensor",
       "changes { operator: \"t::div\" semantic_change { revision: 2 "
       "unchanged_when { all { argument: \"mode\" one_of: \"0\" } } "
       "one_way_up: true one_way_down: true } }\n"},
      {"3", "t::div(Tensor x, int mode=1, int p=0) -> Tensor"},
  });
  ASSERT_NE(history, nullptr);
  Check(*history,
        {
            {"1", "t::div(%x)", "2", "t::div(%x, 0)"},
            {"1", "t::div(%x)", "3", "t::div(%x, 0, 0)"},
            {"1", "t::div(%x, 1)", "2", nullptr, "no_upgrader "},
            {"1", "t::div(%x, %n)", "2", nullptr, "no_upgrader "},
            {"2", "t::div(%x)", "1", "t::div(%x)"},
            {"3", "t::div(%x, 0)", "1", "t::div(%x, 0)"},
            {"3", "t::div(%x)", "1", nullptr, "newer_revision "},
            {"3", "t::div(%x)", "2", "t::div(%x, 1)"},
            {"2", "t::div(%x, 0, 1)", "1", nullptr, "newer_revision "},
        });
}

TEST(OracleExamplesTest, VarargsAreOneList) {
  const auto history = MakeHistory({
      {"1", "t::f(Tensor x) -> Tensor"},
      {"2", "t::f(Tensor x, ...) -> Tensor"},
  });
  ASSERT_NE(history, nullptr);
  Check(*history,
        {
            {"1", "t::f(%x)", "2", "t::f(%x)"},
            {"2", "t::f(%x)", "1", "t::f(%x)"},
            {"2", "t::f(%x, %y)", "1", nullptr, "unknown_argument ..."},
        });
}

}  // namespace
}  // namespace oracle
}  // namespace opcompat
