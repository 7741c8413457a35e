// Each rule with the smallest history that breaks it: what is said, that the
// counterexample is refused, and that the declaration that is proposed makes
// the finding disappear.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "binding/bind_module.h"
#include "binding/lower_revisions.h"
#include "check/call_text.h"
#include "check/check.h"
#include "check/rules_cases.h"
#include "check/rules_table.h"
#include "check/testing.h"
#include "gtest/gtest.h"
#include "ir/text/module_parser.h"

namespace opcompat {
namespace {

const Finding* Find(const std::vector<Finding>& findings,
                    const RuleCase& expected) {
  for (const Finding& finding : findings) {
    if (finding.rule == expected.rule &&
        FindingCategoryName(finding.category) == expected.category) {
      return &finding;
    }
  }
  return nullptr;
}

std::string AllTexts(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    absl::StrAppend(&text, FindingText(finding), "\n");
  }
  return text;
}

// Not empty: why reading the call is not refused.
std::string Refute(const OpsetHistory& history, const Finding& finding) {
  const bool backward = finding.category == FindingCategory::kBackward;
  const Runtime writer =
      RuntimeOf(OpsetAt(history, backward ? finding.older : finding.newer));
  const Runtime reader =
      RuntimeOf(OpsetAt(history, backward ? finding.newer : finding.older));
  const std::string text =
      FunctionOfStatement("forward", finding.counterexample);
  const absl::StatusOr<Module> module = ParseModule(text, writer);
  if (!module.ok()) {
    return absl::StrCat(module.status().ToString(), "\n", text);
  }
  const bool accepted =
      BindModule(LowerRevisions(*module, writer), reader).accepted();
  return accepted ? "it is accepted" : "";
}

// `t::f(x, p=p)`, as a function in module text: operands that are names become
// values of their arguments' types.
absl::StatusOr<Module> ParseProgramCall(absl::string_view call,
                                        const Runtime& runtime,
                                        const Opset& opset) {
  const size_t open = call.find('(');
  const size_t close = call.find(')');
  const OperatorInfo* info = opset.Find(call.substr(0, open));
  if (info == nullptr || close == absl::string_view::npos) {
    return absl::InvalidArgumentError("no call of an operator");
  }
  const OperatorEntry& entry = *info->current();
  std::vector<std::string> operands;
  std::vector<std::string> parameters;
  for (const absl::string_view operand : absl::StrSplit(
           call.substr(open + 1, close - open - 1), ", ", absl::SkipEmpty())) {
    const size_t equals = operand.find('=');
    const bool by_name = equals != absl::string_view::npos;
    const absl::optional<size_t> i =
        by_name ? entry.FindExposed(operand.substr(0, equals))
                : absl::optional<size_t>(operands.size());
    if (!i.has_value() || *i >= entry.num_exposed()) {
      return absl::InvalidArgumentError(absl::StrCat("operand ", operand));
    }
    const EntryArgument& argument = entry.arguments[*i];
    std::string value(by_name ? operand.substr(equals + 1) : operand);
    if (!absl::ascii_isdigit(value[0])) {
      if (value != argument.name()) {
        return absl::InvalidArgumentError(absl::StrCat("value ", value));
      }
      value = absl::StrCat("%", value);
      parameters.push_back(
          absl::StrCat(value, " : ", argument.type.ToString()));
    }
    operands.push_back(by_name ? absl::StrCat(argument.name(), "=", value)
                               : value);
  }
  std::vector<std::string> results;
  for (size_t i = 0; i < entry.results.size(); ++i) {
    results.push_back(
        absl::StrCat("%r", i, " : ", entry.results[i].type.ToString()));
  }
  return ParseModule(
      FunctionOfStatement(
          "forward",
          absl::StrCat(absl::StrJoin(results, ", "), " = ", entry.name(), "(",
                       absl::StrJoin(operands, ", "), ")  # ",
                       absl::StrJoin(parameters, ", "))),
      runtime);
}

// Not empty: why neither version takes the call.
std::string FaultOfProgramCall(const OpsetHistory& history,
                               const Finding& finding) {
  std::string fault;
  for (const std::string& id : {finding.older, finding.newer}) {
    const Opset opset = OpsetAt(history, id);
    const absl::StatusOr<Module> module =
        ParseProgramCall(finding.counterexample, RuntimeOf(opset), opset);
    if (module.ok()) return "";
    absl::StrAppend(&fault, id, ": ", module.status().ToString(), "\n");
  }
  return fault;
}

class RuleTest : public testing::TestWithParam<RuleCase> {};

TEST_P(RuleTest, FindsTheBreakAndSaysWhatHelps) {
  const RuleCase& expected = GetParam();
  const LoadedHistory loaded = LoadGoodText(expected.versions, expected.graphs);
  ASSERT_NE(loaded.history, nullptr);
  const std::vector<Finding> findings =
      CheckHistory(*loaded.history, &loaded.declared);
  const Finding* finding = Find(findings, expected);
  ASSERT_NE(finding, nullptr) << AllTexts(findings);
  EXPECT_EQ(FindingText(*finding), expected.text);
  EXPECT_EQ(finding->counterexample, expected.counterexample);
  EXPECT_EQ(finding->remedy, expected.remedy);
  EXPECT_EQ(finding->history, "t");
  EXPECT_NE(finding->place.line, 0);
  EXPECT_FALSE(finding->place.file.empty());

  if (finding->category != FindingCategory::kSource) {
    EXPECT_EQ(Refute(*loaded.history, *finding), "") << finding->counterexample;
  } else {
    EXPECT_EQ(FaultOfProgramCall(*loaded.history, *finding), "")
        << finding->counterexample;
  }
  // A declaration that is whole, not one with a file to be written.
  if (!absl::StartsWith(finding->remedy, "changes {") ||
      absl::StrContains(finding->remedy, "FILE")) {
    return;
  }
  std::vector<TextVersion> versions = expected.versions;
  for (TextVersion& version : versions) {
    if (version.id == finding->newer) {
      absl::StrAppend(&version.declared, finding->remedy, "\n");
    }
  }
  const LoadedHistory remedied = LoadGoodText(versions, expected.graphs);
  ASSERT_NE(remedied.history, nullptr) << finding->remedy;
  const std::vector<Finding> left =
      CheckHistory(*remedied.history, &remedied.declared);
  EXPECT_EQ(Find(left, expected), nullptr) << AllTexts(left);
}

INSTANTIATE_TEST_SUITE_P(AllRules, RuleTest, testing::ValuesIn(RuleCases()),
                         [](const testing::TestParamInfo<RuleCase>& info) {
                           std::string name =
                               absl::StrCat(info.index, "_", info.param.rule,
                                            "_", info.param.category);
                           for (char& c : name) {
                             if (c == '-') c = '_';
                           }
                           return name;
                         });

TEST(RulesTableTest, EveryRuleHasACaseForEachCategoryAndIsInTheTable) {
  std::set<std::string> produced;
  for (const RuleCase& rule_case : RuleCases()) {
    EXPECT_NE(FindRule(rule_case.rule), nullptr) << rule_case.rule;
    produced.insert(absl::StrCat(rule_case.rule, " ", rule_case.category));
  }
  // OtherHistoryTest has these: no single history does.
  produced.insert("other-history backward");
  produced.insert("other-history forward");
  // Faults of a history that two files of schemas make: whoever reads these
  // tells it.
  produced.insert("needs-declaration backward");
  std::set<std::string> listed;
  std::string last;
  for (const Rule& rule : Rules()) {
    EXPECT_LT(last, rule.id);
    last = std::string(rule.id);
    EXPECT_EQ(FindRule(rule.id), &rule);
    EXPECT_FALSE(rule.summary.empty());
    for (const absl::string_view category :
         absl::StrSplit(rule.categories, ", ")) {
      listed.insert(absl::StrCat(rule.id, " ", category));
    }
  }
  for (const std::string& one : listed) {
    EXPECT_TRUE(produced.count(one) == 1) << "no case for " << one;
  }
  for (const std::string& one : produced) {
    EXPECT_TRUE(listed.count(one) == 1) << "not in the table: " << one;
  }
}

// Whatever a case finds besides is in the table too.
TEST(RulesTableTest, EveryFindingIsOfARuleInTheTable) {
  for (const RuleCase& rule_case : RuleCases()) {
    const LoadedHistory loaded =
        LoadGoodText(rule_case.versions, rule_case.graphs);
    ASSERT_NE(loaded.history, nullptr);
    for (const Finding& finding : CheckHistory(*loaded.history, nullptr)) {
      const Rule* rule = FindRule(finding.rule);
      ASSERT_NE(rule, nullptr) << finding.rule;
      EXPECT_TRUE(absl::StrContains(rule->categories,
                                    FindingCategoryName(finding.category)))
          << FindingText(finding);
      EXPECT_FALSE(finding.message.empty());
      EXPECT_FALSE(finding.remedy.empty()) << FindingText(finding);
      EXPECT_FALSE(finding.counterexample.empty()) << FindingText(finding);
    }
  }
}

}  // namespace
}  // namespace opcompat
