// What binding says of whole modules: reasons, reports, warnings, and whose
// operators they are.
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "binding/bind_module.h"
#include "binding/bind_options.h"
#include "binding/form_binder.h"
#include "binding/report.h"
#include "binding/story.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/module_builder.h"
#include "schema/history.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

TEST(BindReport, ADroppedHintIsAWarningWithItsPlace) {
  const auto history = MakeHistory(
      {{"1", "t::f(Tensor x) -> Tensor", ""},
       {"2", "t::f(Tensor x, bool hint=False) -> Tensor",
        "changes { operator: \"t::f\" ignorable_argument: \"hint\" }"}});
  const BindResult result =
      BindModule(StoryModule(*history, "2",
                             "%r : Tensor = t::f(%x, True)\n"
                             "%q : Tensor = t::f(%r, True)"),
                 *Runtime::Create({*history->At("1")}));
  ASSERT_TRUE(result.accepted());
  ASSERT_EQ(result.report.warnings.size(), 1u);
  EXPECT_EQ(result.report.warnings[0],
            "t::f (t 2): ignorable argument hint=True is unknown to t 1 (added "
            "in 2), where calls behave as with hint=False: dropped; 2 calls, "
            "first at forward:%r");
}

TEST(BindReport, OneOperatorIsNotTwo) {
  // The file's history has f and g; the reader's renamed its f to g.
  const auto file = MakeHistory(
      {{"1", "t::f(Tensor x) -> Tensor", ""},
       {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor", ""}});
  const auto reader =
      MakeHistory({{"3", "t::f(Tensor x) -> Tensor", ""},
                   {"4", "t::g(Tensor x) -> Tensor",
                    "changes { operator: \"t::g\" renamed_from: \"t::f\" }"}});
  const BindResult result = BindModule(
      StoryModule(*file, "2", "%q : Tensor = t::f(%x)\n%r : Tensor = t::g(%q)"),
      *Runtime::Create({*reader->At("4")}));
  EXPECT_FALSE(result.accepted());
  // The same with arguments: q was p in the file's history, the reader has
  // both.
  const auto renamed = MakeHistory(
      {{"1", "t::f(Tensor x, int p=0) -> Tensor", ""},
       {"2", "t::f(Tensor x, int q=0) -> Tensor",
        "changes { operator: \"t::f\" renamed_argument { from: \"p\" to: "
        "\"q\" } }"}});
  const auto both =
      MakeHistory({{"3", "t::f(Tensor x, int q=0) -> Tensor", ""},
                   {"4", "t::f(Tensor x, int q=0, int p=0) -> Tensor", ""}});
  EXPECT_EQ(ReasonsText(BindModule(StoryModule(*renamed, "2",
                                               "%r : Tensor = t::f(%x, 5)"),
                                   *Runtime::Create({*both->At("4")}))
                            .reasons),
            "refused: other_history(q)");
}

// An entry that has names of both does not make two operators one, used or not.
TEST(BindReport, TwoOperatorsAreNotOneByAThird) {
  const auto file = MakeHistory({{"1",
                                  "t::a(Tensor x) -> Tensor\n"
                                  "t::b(Tensor x) -> Tensor\n"
                                  "t::c(Tensor x) -> Tensor",
                                  ""}});
  const auto reader =
      MakeHistory({{"3", "t::f(Tensor x) -> Tensor", ""},
                   {"4", "t::g(Tensor x) -> Tensor",
                    "changes { operator: \"t::g\" renamed_from: \"t::f\" }"}});
  Module module = StoryModule(*file, "1",
                              "%p : Tensor = t::a(%x)\n"
                              "%q : Tensor = t::b(%p)\n"
                              "%r : Tensor = t::c(%q)");
  const std::vector<std::vector<std::string>> names = {
      {"t::f", "t::g"}, {"t::f"}, {"t::z", "t::g"}};
  std::vector<OperatorEntryPtr> entries;
  for (ModuleOperator& op : module.operators) {
    if (op.entry == nullptr) continue;
    OperatorEntry entry = *op.entry;
    entry.names = names[entries.size()];
    op.entry = std::make_shared<const OperatorEntry>(std::move(entry));
    entries.push_back(op.entry);
  }
  ASSERT_EQ(entries.size(), names.size());
  const Runtime runtime = *Runtime::Create({*reader->At("4")});
  EXPECT_EQ(ReasonsText(BindModule(module, runtime).reasons),
            "refused: other_history");
  const BindOptions options;
  const FormBinder binder(runtime, options, entries, module);
  EXPECT_FALSE(binder.may_bind());
}

TEST(BindReport, EveryReasonIsGivenAtOnceAndCounted) {
  const auto history = MakeHistory(
      {{"1", "t::f(Tensor x) -> Tensor", ""},
       {"2",
        "t::f(Tensor x, str mode=\"sum\") -> Tensor\nt::g(Tensor x) -> Tensor",
        ""}});
  const Module module = StoryModule(*history, "2",
                                    "%a : Tensor = t::f(%x, \"max\")\n"
                                    "%b2 : Tensor = t::g(%a)\n"
                                    "%c2 : Tensor = t::f(%x, \"max\")\n"
                                    "%d2 : Tensor = t::f(%x, \"min\")\n"
                                    "%e : Tensor = t::f(%x)");
  const Runtime reader = *Runtime::Create({*history->At("1")});
  const BindResult result = BindModule(module, reader);
  ASSERT_EQ(result.reasons.size(), 3u);
  EXPECT_EQ(result.reasons[0].calls, 2u);
  EXPECT_EQ(result.reasons[0].node, "%a");
  EXPECT_EQ(result.reasons[0].function, "forward");
  EXPECT_EQ(result.reasons[0].op, "t::f");
  EXPECT_EQ(result.reasons[0].argument, "mode");
  EXPECT_EQ(result.reasons[0].value, "\"max\"");
  EXPECT_EQ(result.reasons[0].message,
            "t::f (t 2): argument mode=\"max\" is unknown to t 1 (added in 2), "
            "where calls behave as with mode=\"sum\"; 2 calls, first at "
            "forward:%a");
  EXPECT_EQ(result.reasons[1].code, ReasonCode::kUnknownOperator);
  EXPECT_EQ(result.reasons[1].message,
            "t::g (t 2): is unknown to t 1 (added in 2); 1 call, at "
            "forward:%b2");
  EXPECT_EQ(result.reasons[2].value, "\"min\"");
  EXPECT_EQ(result.status().code(), absl::StatusCode::kNotFound);
}

TEST(BindReport, TheMostImportantReasonGivesTheCode) {
  const auto reason = [](ReasonCode code) {
    Reason reason;
    reason.code = code;
    return reason;
  };
  // From the most to the least important.
  const std::pair<ReasonCode, absl::StatusCode> kCodes[] = {
      {ReasonCode::kLimit, absl::StatusCode::kResourceExhausted},
      {ReasonCode::kMalformed, absl::StatusCode::kInvalidArgument},
      {ReasonCode::kNewerRevision, absl::StatusCode::kUnimplemented},
      {ReasonCode::kUnknownOperator, absl::StatusCode::kNotFound},
      {ReasonCode::kAliasChanged, absl::StatusCode::kFailedPrecondition},
  };
  std::vector<Reason> reasons;
  for (auto it = std::rbegin(kCodes); it != std::rend(kCodes); ++it) {
    reasons.push_back(reason(it->first));
    EXPECT_EQ(RefusalStatus(reasons).code(), it->second);
    EXPECT_EQ(RefusalStatus({reasons.rbegin(), reasons.rend()}).code(),
              it->second);
  }
}

TEST(BindReport, ARenameThatNobodyDeclaredIsSuggested) {
  const auto history =
      MakeHistory({{"1", "t::f(Tensor x, int p=0) -> Tensor", ""},
                   {"2", "t::f(Tensor x, int q=0) -> Tensor", ""}});
  for (const bool up : {true, false}) {
    const BindResult result = BindModule(
        StoryModule(*history, up ? "1" : "2", "%r : Tensor = t::f(%x, 1)"),
        *Runtime::Create({*history->At(up ? "2" : "1")}));
    ASSERT_EQ(result.reasons.size(), 1u);
    EXPECT_THAT(result.reasons[0].message,
                testing::HasSubstr(up ? "renamed: t 2 has q in its place"
                                      : "renamed: t 1 has p in its place"));
  }
}

TEST(BindReport, TheReportSaysWhatWasDone) {
  const auto history = MakeHistory(
      {{"1", "t::f(Tensor x, int a=1, int b=2) -> Tensor\nt::g(Tensor x) -> ()",
        ""},
       {"2",
        "t::f(Tensor x, int a=1, int b=3, *, int c=0) -> Tensor\n"
        "t::g(Tensor x) -> ()",
        ""}});
  const Module module = StoryModule(*history, "1",
                                    "%p : Tensor = t::f(%x)\n"
                                    "%q : Tensor = t::f(%x, 1, 2)\n"
                                    "= t::g(%p)");
  const BindResult result =
      BindModule(module, *Runtime::Create({*history->At("2")}));
  ASSERT_TRUE(result.accepted());
  ASSERT_EQ(result.report.operators.size(), 2u);
  const OperatorReport& f = result.report.operators[0];
  EXPECT_EQ(f.op, "t::f");
  EXPECT_EQ(f.calls, 2u);
  EXPECT_EQ(f.identical, 0u);
  EXPECT_EQ(f.filled, 1u);
  EXPECT_EQ(f.materialized, 2u);
  EXPECT_EQ(result.report.operators[1].op, "t::g");
  EXPECT_EQ(result.report.operators[1].identical, 1u);
}

TEST(BindReport, TheSameVersionIdWithAnotherEntryIsAnotherHistory) {
  const auto ours =
      MakeHistory({{"1", "t::f(Tensor x, int p=0) -> Tensor", ""}});
  const auto theirs =
      MakeHistory({{"1", "t::f(Tensor x, int p=1) -> Tensor", ""}});
  const Module module = StoryModule(*theirs, "1", "%r : Tensor = t::f(%x)");
  const BindResult result =
      BindModule(module, *Runtime::Create({*ours->At("1")}));
  EXPECT_EQ(ReasonsText(result.reasons), "refused: other_history");
}

// What the newest version of one history reads of what that of another wrote.
std::string ReadByOther(const std::vector<StoryVersion>& writer,
                        const std::vector<StoryVersion>& reader,
                        const std::string& lines) {
  const auto theirs = MakeHistory(writer);
  const auto ours = MakeHistory(reader);
  const BindResult result =
      BindModule(StoryModule(*theirs, theirs->newest().version(), lines),
                 *Runtime::Create({ours->newest()}));
  return result.accepted() ? StoryLines(result.module)
                           : ReasonsText(result.reasons);
}

TEST(BindReport, WhatAnotherVersionIntroducedIsNotTheSame) {
  const auto changed = [](const std::string& op) {
    return absl::StrCat("changes { operator: \"", op,
                        "\" semantic_change { revision: 2 one_way_up: true "
                        "one_way_down: true } }");
  };
  // An operator, though its revision is one.
  const std::string g = "t::g(Tensor x) -> Tensor";
  const std::string f_and_g = "t::f() -> Tensor\n" + g;
  EXPECT_EQ(ReadByOther({{"1", g, ""},
                         {"2", g, ""},
                         {"3", f_and_g, ""},
                         {"4", f_and_g, changed("t::f")},
                         {"4-beta", f_and_g, ""}},
                        {{"1", g, ""},
                         {"2", f_and_g, ""},
                         {"3", f_and_g, ""},
                         {"4", f_and_g, changed("t::f")}},
                        "%r : Tensor = t::f()"),
            "refused: other_history");
  // A revision.
  const std::string h = "t::h(Tensor x) -> Tensor";
  EXPECT_EQ(ReadByOther({{"1", h, ""}, {"2", h, changed("t::h")}},
                        {{"1", h, ""}, {"2", h, ""}, {"3", h, changed("t::h")}},
                        "%r : Tensor = t::h(%x)"),
            "refused: other_history");
}

TEST(BindReport, WhatAHistoryBeginsWithMayHaveComeAtAnyVersion) {
  const std::string g = "t::g(Tensor x) -> Tensor";
  const std::string f_and_g = "t::f(Tensor x) -> Tensor\n" + g;
  EXPECT_EQ(
      ReadByOther({{"1", g, ""}, {"2", f_and_g, ""}, {"2-beta", f_and_g, ""}},
                  {{"2", f_and_g, ""}, {"3", f_and_g, ""}},
                  "%r : Tensor = t::f(%x)"),
      "%r : Tensor = t::f(%x)");
}

TEST(BindReport, WhatCameAcrossAGapMayHaveComeAtAnyVersionInIt) {
  const std::string without = "t::f(Tensor x) -> Tensor";
  const std::string with = "t::f(Tensor x, int p=0) -> Tensor";
  EXPECT_EQ(
      ReadByOther(
          {{"1", without, ""}, {"3", with, "gap { }"}, {"3-beta", with, ""}},
          {{"1", without, ""}, {"2", with, ""}, {"3", with, ""}},
          "%r : Tensor = t::f(%x, 5)"),
      "%r : Tensor = t::f(%x, 5)");
}

TEST(BindReport, AConstantIsOneHoweverTheGraphSpellsIt) {
  const auto history =
      MakeHistory({{"1", "t::f(Tensor x) -> Tensor", ""},
                   {"2", "t::f(Tensor x, int[2] p=[0, 0]) -> Tensor", ""}});
  const OperatorEntryPtr f = history->At("2")->Find("t::f")->current();
  ModuleBuilder b;
  b.AddOpset("t", "2");
  const TypeId tensor = b.InternType(Type(TypeKind::kTensor));
  const TypeId integer = b.InternType(Type(TypeKind::kInt));
  const TypeId list = b.InternType(Type::List(Type(TypeKind::kInt)));
  b.BeginFunction("forward");
  const ValueId x = b.BeginBlock({{tensor, "x"}});
  const ValueId zero =
      b.AddNode(b.Operator(Intrinsic::kConstant), {},
                {{"value", b.Constant(Value::Int(0))}}, {{integer, "c"}});
  const ValueId zeros = b.AddNode(
      b.Operator(Intrinsic::kListConstruct),
      {{Slot::kVariadic, Operand(zero)}, {Slot::kVariadic, Operand(zero)}}, {},
      {{list, "l"}});
  b.AddNode(b.Operator(f), {{0, Operand(x)}, {1, Operand(zeros)}}, {},
            {{tensor, "y"}});
  b.EndBlock({});
  b.EndFunction({});
  const Module module = *std::move(b).Build();
  const BindResult result =
      BindModule(module, *Runtime::Create({*history->At("1")}));
  ASSERT_TRUE(result.accepted()) << result.status();
  EXPECT_EQ(StoryLines(result.module), "%y : Tensor = t::f(%x)");
}

TEST(BindReport, ReadingThroughAThirdVersionMeansTheSameWhereBothAccept) {
  const auto history = MakeHistory(
      {{"1", "t::f(Tensor x, int a=1) -> Tensor", ""},
       {"2", "t::f(Tensor x, int a=2, *, bool k=False) -> Tensor", ""},
       {"3", "t::f(Tensor x, *, bool k=True, Scalar a=2) -> Tensor", ""}});
  const std::vector<std::string> calls = {"%r : Tensor = t::f(%x)",
                                          "%r : Tensor = t::f(%x, 2)",
                                          "%r : Tensor = t::f(%x, %n)"};
  for (const std::string& call : calls) {
    const Module one = StoryModule(*history, "1", call);
    const BindResult two =
        BindModule(one, *Runtime::Create({*history->At("2")}));
    ASSERT_TRUE(two.accepted());
    const BindResult by_two =
        BindModule(two.module, *Runtime::Create({*history->At("3")}));
    const BindResult direct =
        BindModule(one, *Runtime::Create({*history->At("3")}));
    ASSERT_TRUE(by_two.accepted() && direct.accepted());
    EXPECT_EQ(StoryLines(by_two.module), StoryLines(direct.module));
  }
}

}  // namespace
}  // namespace opcompat
