// Changes of a schema on which another checker is known to be wrong, and the
// plain ones beside them: who can still read whom, and what is said of program
// text.
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "check/check.h"
#include "check/testing.h"
#include "gtest/gtest.h"

namespace opcompat {
namespace {

struct Change {
  const char* what;
  const char* before;
  const char* after;
  const char* declared;
  // The rules found, joined by ", "; empty: compatible.
  const char* backward;
  const char* forward;
  const char* source;
};

const Change kChanges[] = {
    // What the other checker says is in parentheses.
    {"keyword-only to positional (fine, fine)", "(Tensor x, *, int p=0)",
     "(Tensor x, int p=0)", "", "", "", "argument-made-positional"},
    {"required argument removed (breaks, fine)", "(Tensor x, int p)",
     "(Tensor x)", "gap {}", "argument-removed",
     "argument-removed-no-retired-value", ""},
    {"required argument removed, retired value declared", "(Tensor x, int p)",
     "(Tensor x)",
     "changes { operator: \"t::f\" retired_value { argument: \"p\" value: "
     "\"7\" } }",
     "argument-removed", "", ""},
    {"defaulted argument removed (breaks, fine)", "(Tensor x, int p=0)",
     "(Tensor x)", "", "argument-removed", "", ""},
    {"default 0.0 to -0.0 (fine, fine)", "(Tensor x, float p=0.0)",
     "(Tensor x, float p=-0.0)", "", "", "", "default-changed"},
    {"int to Scalar (fine, breaks)", "(Tensor x, int p)",
     "(Tensor x, Scalar p)", "", "", "argument-type-widened", ""},
    {"int[2] to int[] (breaks, breaks)", "(Tensor x, int[2] p)",
     "(Tensor x, int[] p)", "", "", "", "list-size-changed"},
    {"int[2] to int[] with a default", "(Tensor x, int[2] p=1)",
     "(Tensor x, int[] p=[1, 1])", "", "", "", "list-size-changed"},
    {"defaulted argument inserted (breaks, breaks)", "(Tensor x, int q=0)",
     "(Tensor x, int p=0, int q=0)", "", "", "argument-added",
     "argument-inserted"},
    {"the same, a hint", "(Tensor x, int q=0)", "(Tensor x, int p=0, int q=0)",
     "changes { operator: \"t::f\" ignorable_argument: \"p\" }", "", "",
     "argument-inserted"},
    {"the same, a hint that is written to", "(Tensor x)",
     "(Tensor x, *, Tensor(a!)? p=None)",
     "changes { operator: \"t::f\" ignorable_argument: \"p\" }", "",
     "argument-added", ""},
    {"result renamed (breaks, fine)", "(Tensor x) -> Tensor values",
     "(Tensor x) -> Tensor result", "", "", "", "result-renamed"},
    {"new out argument, a default after it (fine, breaks)",
     "(Tensor x, int p=0)", "(Tensor x, int p=0, *, Tensor(a!) out)", "",
     "argument-added-required", "argument-added", ""},
    {"default after an out argument", "(Tensor x, *, Tensor(a!) out)",
     "(Tensor x, *, Tensor(a!) out, int p=0)", "", "", "argument-added", ""},

    // By place.
    {"defaulted argument added at the end", "(Tensor x)", "(Tensor x, int p=0)",
     "", "", "argument-added", ""},
    {"keyword-only argument added", "(Tensor x, *, int q=0)",
     "(Tensor x, *, int p=0, int q=0)", "", "", "argument-added", ""},
    {"required argument added first", "(Tensor x)", "(int p, Tensor x)", "",
     "argument-added-required", "argument-added", "argument-inserted"},
    {"required argument added with a neutral value", "(Tensor x)",
     "(Tensor x, int p)",
     "changes { operator: \"t::f\" neutral_value { argument: \"p\" value: "
     "\"0\" } }",
     "", "argument-added", ""},
    {"defaulted argument added across a gap", "(Tensor x)",
     "(Tensor x, int p=0)", "gap {}", "argument-added-no-neutral-value",
     "argument-added", ""},
    {"the same, asserted", "(Tensor x)", "(Tensor x, int p=0)",
     "gap { added_defaults_are_neutral: true }", "", "argument-added", ""},
    {"positional arguments reordered", "(Tensor x, int p, int q)",
     "(Tensor x, int q, int p)", "", "", "", "arguments-reordered"},
    {"keyword-only arguments reordered", "(Tensor x, *, int p, int q)",
     "(Tensor x, *, int q, int p)", "", "", "", ""},
    {"made keyword-only", "(Tensor x, int p)", "(Tensor x, *, int p)", "", "",
     "", "argument-made-keyword-only"},

    // By name.
    {"renamed, declared", "(Tensor x, int dim)", "(Tensor x, int axis)",
     "changes { operator: \"t::f\" renamed_argument { from: \"dim\" to: "
     "\"axis\" } }",
     "", "", "argument-renamed"},
    {"renamed, undeclared", "(Tensor x, int dim=0)", "(Tensor x, int axis=0)",
     "", "argument-removed", "argument-added", ""},

    // By type and default.
    {"default added", "(Tensor x, int p)", "(Tensor x, int p=0)", "", "", "",
     "default-added"},
    {"default removed", "(Tensor x, int p=0)", "(Tensor x, int p)", "", "", "",
     "default-removed"},
    {"default changed", "(Tensor x, int p=0)", "(Tensor x, int p=1)", "", "",
     "", "default-changed"},
    {"default changed to NaN", "(Tensor x, float p=0.0)",
     "(Tensor x, float p=nan)", "", "", "", "default-changed"},
    {"default NaN stays, the type widens", "(Tensor x, float p=nan)",
     "(Tensor x, float? p=nan)", "", "", "argument-type-widened", ""},
    {"optional", "(Tensor x, int p=0)", "(Tensor x, int? p=None)", "", "",
     "argument-type-widened", "default-changed"},
    {"optional, None declared equal to 0", "(Tensor x, int p=0)",
     "(Tensor x, int? p=None)",
     "changes { operator: \"t::f\" equal_value { argument: \"p\" value: "
     "\"None\" means: \"0\" } }",
     "", "argument-type-widened", ""},
    {"int to SymInt", "(Tensor x, int p)", "(Tensor x, SymInt p)", "", "", "",
     ""},
    {"int? to ScalarType?", "(Tensor x, int? p=None)",
     "(Tensor x, ScalarType? p=None)", "", "", "", ""},
    {"no longer optional", "(Tensor x, int? p)", "(Tensor x, int p)", "",
     "argument-type-narrowed", "", ""},

    // The whole operator.
    {"result added", "(Tensor x) -> Tensor", "(Tensor x) -> (Tensor, Tensor)",
     "", "", "result-added", ""},
    {"result removed", "(Tensor x) -> (Tensor, Tensor)", "(Tensor x) -> Tensor",
     "", "result-removed", "", ""},
    {"result widened", "(Tensor x) -> int", "(Tensor x) -> Scalar", "",
     "result-type-changed", "result-type-changed", ""},
    {"write mark lost", "(Tensor(a!) x) -> Tensor(a!)", "(Tensor x) -> Tensor",
     "", "alias-changed", "alias-changed", ""},
    {"write mark lost, it was only the mark", "(Tensor(a!) x) -> Tensor(a!)",
     "(Tensor x) -> Tensor",
     "changes { operator: \"t::f\" annotation_fixed: true }", "", "", ""},
    {"alias sets renamed", "(Tensor(a) x) -> Tensor(a)",
     "(Tensor(b) x) -> Tensor(b)", "", "", "", ""},
};

std::string RulesOf(const std::vector<Finding>& findings,
                    FindingCategory category) {
  std::set<std::string> rules;
  for (const Finding& finding : findings) {
    if (finding.category == category) rules.insert(finding.rule);
  }
  return absl::StrJoin(rules, ", ");
}

class SchemaChangeTest : public testing::TestWithParam<Change> {};

TEST_P(SchemaChangeTest, VerdictsInBothDirectionsAndForText) {
  const Change& change = GetParam();
  SCOPED_TRACE(change.what);
  const auto line = [](const std::string& schema) {
    return absl::StrCat(
        "t::f", schema,
        schema.find("->") == std::string::npos ? " -> Tensor" : "");
  };
  const LoadedHistory loaded = LoadGoodText(
      {{"1", line(change.before)},
       {"2", line(change.after), absl::StrCat(change.declared, "\n")}});
  ASSERT_NE(loaded.history, nullptr);
  const std::vector<Finding> findings =
      CheckHistory(*loaded.history, &loaded.declared);
  EXPECT_EQ(RulesOf(findings, FindingCategory::kBackward), change.backward);
  EXPECT_EQ(RulesOf(findings, FindingCategory::kForward), change.forward);
  EXPECT_EQ(RulesOf(findings, FindingCategory::kSource), change.source);
}

INSTANTIATE_TEST_SUITE_P(Table, SchemaChangeTest, testing::ValuesIn(kChanges));

}  // namespace
}  // namespace opcompat
