#include "tools/check_undeclared.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "check/check.h"
#include "gtest/gtest.h"
#include "schema/text/schema_parser.h"

namespace opcompat {
namespace {

DeclaredVersion Version(const std::string& id, absl::string_view text) {
  DeclaredVersion version;
  version.id = id;
  version.operators_file = absl::StrCat(id, ".ops");
  version.place = {version.operators_file, 1};
  for (SchemaLine& line : ParseSchemaFile(text).lines) {
    EXPECT_TRUE(line.schema.ok()) << line.schema.status();
    version.schemas.push_back(*std::move(line.schema));
    version.schema_lines.push_back(line.line);
  }
  return version;
}

DeclaredHistory TwoLists(absl::string_view older, absl::string_view newer) {
  DeclaredHistory declared;
  declared.name = "t";
  declared.place = {"new.ops", 1};
  declared.versions.push_back(Version("old", older));
  declared.versions.push_back(Version("new", newer));
  return declared;
}

std::vector<Finding> Check(DeclaredHistory declared) {
  UndeclaredHistory built = BuildUndeclared(&declared);
  for (const HistoryFault& fault : built.faults) {
    ADD_FAILURE() << fault.ToString();
  }
  if (built.history == nullptr) return {};
  return WithUndeclared(std::move(built.findings),
                        CheckHistory(*built.history, &declared));
}

std::string Texts(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    absl::StrAppend(&text, FindingText(finding), "\n");
  }
  return text;
}

TEST(CheckUndeclaredTest, UnrelatedTypesAreAFindingBesideAllOthers) {
  const std::vector<Finding> findings = Check(
      TwoLists("t::a(Tensor x) -> Tensor\nt::f(Tensor x, int n) -> Tensor",
               "t::a(Tensor x, int p) -> Tensor\nt::f(Tensor x, str n) -> "
               "Tensor\nt::z() -> ()"));
  EXPECT_EQ(
      Texts(findings),
      "t::a old->new backward argument-added-required: argument `p` was added "
      "without a default, and calls of old do not have it\n"
      "t::a old->new forward argument-added: argument `p` is not known to old, "
      "and it has no neutral value at which that version behaves\n"
      "t::f old->new backward argument-type-changed: argument `n`: values of "
      "type `str` cannot be compared with those of `int`; a change of meaning "
      "needs a semantic_change\n"
      "t::z old->new forward operator-added: the operator is not there in "
      "old\n");
  const auto found = std::find_if(
      findings.begin(), findings.end(),
      [](const Finding& f) { return f.rule == "argument-type-changed"; });
  ASSERT_NE(found, findings.end());
  EXPECT_EQ(found->argument, "n");
  EXPECT_EQ(found->counterexample,
            "%r : Tensor = t::f(%x, %n)  # %x : Tensor, %n : int");
  EXPECT_EQ(found->remedy,
            "changes { operator: \"t::f\" semantic_change { revision: 2 "
            "one_way_up: true one_way_down: true } }");
  EXPECT_EQ(found->place.file, "new.ops");
  EXPECT_EQ(found->place.line, 2);
}

// No declaration settles that; the others are told all the same.
TEST(CheckUndeclaredTest, PlacesThatChangedHideNothingElse) {
  const std::vector<Finding> findings =
      Check(TwoLists("t::f(Tensor x, int _0, int _1) -> Tensor\nt::g() -> ()",
                     "t::f(Tensor x, int _1, int _0) -> Tensor\nt::h() -> ()"));
  std::vector<std::string> rules;
  for (const Finding& finding : findings) {
    rules.push_back(
        absl::StrCat(finding.op, " ", finding.rule, " ", finding.argument));
    if (finding.op != "t::f") continue;
    EXPECT_EQ(finding.category, FindingCategory::kBackward);
    EXPECT_EQ(finding.counterexample,
              "%r : Tensor = t::f(%x, %_0, %_1)  # %x : Tensor, %_0 : int, %_1 "
              ": int");
    EXPECT_EQ(finding.remedy, "keep such arguments at their places");
    EXPECT_EQ(finding.place.line, 1);
  }
  EXPECT_EQ(rules, (std::vector<std::string>{
                       "t::f needs-declaration _0", "t::f needs-declaration _1",
                       "t::g operator-removed ", "t::h operator-added "}));
}

// Two arguments at once, and what is told of the same operator besides.
TEST(CheckUndeclaredTest, OneDeclarationSettlesAnOperator) {
  DeclaredHistory declared =
      TwoLists("t::f(Tensor x, int n, int m, int k=0) -> Tensor",
               "t::f(Tensor x, str n, str m, int k=1) -> Tensor");
  EXPECT_EQ(Texts(Check(declared)),
            "t::f old->new backward argument-type-changed: argument `m`: "
            "values of type `str` cannot be compared with those of `int`; a "
            "change of meaning needs a semantic_change\n"
            "t::f old->new backward argument-type-changed: argument `n`: "
            "values of type `str` cannot be compared with those of `int`; a "
            "change of meaning needs a semantic_change\n"
            "t::f old->new source default-changed: the default of argument `k` "
            "was `0` and is `1`: files keep their meaning, text that leaves it "
            "out does not\n");
  BuildUndeclared(&declared);
  EXPECT_EQ(declared.versions[1].changes.size(), 1u);
}

TEST(CheckUndeclaredTest, NothingIsAddedWhereNothingIsAtFault) {
  DeclaredHistory declared = TwoLists("t::f(Tensor x, int n) -> Tensor",
                                      "t::f(Tensor x, float n) -> Tensor");
  const UndeclaredHistory built = BuildUndeclared(&declared);
  EXPECT_NE(built.history, nullptr);
  EXPECT_TRUE(built.findings.empty());
  EXPECT_TRUE(declared.versions[1].changes.empty());
}

TEST(CheckUndeclaredTest, OtherFaultsStayFaults) {
  DeclaredHistory declared = TwoLists("t::f(Tensor x, int n) -> Tensor",
                                      "t::f(Tensor x, str n) -> Tensor");
  // As of no two files of schemas: there is no such operator.
  DeclaredChange change;
  change.place = {"new.ops", 7};
  change.op = "t::nothing";
  change.what = DeclaredChange::AnnotationFixed();
  declared.versions[1].changes.push_back(change);
  const UndeclaredHistory built = BuildUndeclared(&declared);
  EXPECT_EQ(built.history, nullptr);
  EXPECT_EQ(built.faults.size(), 2u);
  EXPECT_TRUE(built.findings.empty());
  EXPECT_EQ(declared.versions[1].changes.size(), 1u);
}

}  // namespace
}  // namespace opcompat
