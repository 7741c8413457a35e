#include "schema/differences/declaration_proposals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "schema/declared_history.h"
#include "schema/history.h"
#include "schema/text/history_file.h"
#include "schema/text/history_text.h"

namespace opcompat {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The proposals for the last version.
std::vector<DeclarationProposal> Propose(std::vector<VersionText> versions) {
  const LoadedHistory loaded = LoadFromText(versions);
  versions.pop_back();
  const LoadedHistory before = LoadFromText(versions);
  EXPECT_THAT(FaultStrings(before), IsEmpty());
  return ProposeDeclarations(loaded.declared, before.history->newest(),
                             loaded.faults);
}

// "needed t::f: neutral_value { ... }", one for each.
std::vector<std::string> Strings(
    const std::vector<DeclarationProposal>& proposals) {
  std::vector<std::string> strings;
  for (const DeclarationProposal& p : proposals) {
    std::string what = absl::StrReplaceAll(p.declaration, {{"\n", " "}});
    what = what.substr(what.find(p.op) + p.op.size() + 1);
    what.resize(what.rfind('}'));
    while (absl::StrReplaceAll({{"  ", " "}}, &what) > 0) {
    }
    strings.push_back(absl::StrCat(p.needed ? "needed " : "", p.op, ":", what));
  }
  return strings;
}

struct Case {
  const char* older;
  const char* newer;
  const char* declarations;
  std::vector<std::string> proposals;
};

TEST(DeclarationProposalsTest, EachKindOfChange) {
  const std::vector<Case> cases = {
      // The default is neutral, the default at removal is the retired value.
      {"t::f(int a) -> int", "t::f(int a, int b=0) -> int", "", {}},
      {"t::f(int a, int b=0) -> int", "t::f(int a) -> int", "", {}},
      {"t::f(int a) -> int",
       "t::f(int a, int b=0) -> int",
       "gap {}",
       {R"(t::f: neutral_value { argument: "b" value: "0" } )"}},
      {"t::f(int a) -> int",
       "t::f(int a, int b=0) -> int",
       "gap { added_defaults_are_neutral: true }",
       {}},
      {"t::f(int a) -> int",
       "t::f(int a, int b=0) -> int",
       "gap { added_defaults_are_neutral: true except { operator: 't::f' "
       "argument: 'b' } }",
       {R"(t::f: neutral_value { argument: "b" value: "0" } )"}},
      {"t::f(int a) -> int",
       "t::f(int a, str b) -> int",
       "",
       {R"(t::f: neutral_value { argument: "b" value: "?" } )"}},
      {"t::f(int a) -> int",
       "t::f(int a, str b) -> int",
       "changes { operator: 't::f' neutral_value { argument: 'b' value: "
       "'\"x\"' } }",
       {}},
      {"t::f(int a, str b=\"x\") -> int",
       "t::f(int a) -> int",
       "gap {}",
       {R"(t::f: retired_value { argument: "b" value: "\"x\"" } )"}},
      {"t::f(int a, str b) -> int",
       "t::f(int a) -> int",
       "",
       {R"(needed t::f: retired_value { argument: "b" value: "?" } )"}},
      {"t::f(int a=0) -> int",
       "t::f(int? a=None) -> int",
       "",
       {R"(t::f: equal_value { argument: "a" value: "None" means: "0" } )"}},
      {"t::f(Tensor a) -> Tensor",
       "t::f(Tensor(x) a) -> Tensor(x)",
       "",
       {"t::f: annotation_fixed: true "}},
      {"t::f(Tensor a) -> Tensor",
       "t::f(Tensor(x) a) -> Tensor(x)",
       "changes { operator: 't::f' annotation_fixed: true }",
       {}},
      // A fault that nothing else explains.
      {"t::f(int a) -> int",
       "t::f(Tensor a) -> int",
       "",
       {"needed t::f: semantic_change { revision: 2 one_way_up: true "
        "one_way_down: true } "}},
      // One question, not three.
      {"t::f(int a) -> int",
       "t::f(int b) -> int",
       "",
       {R"(needed t::f: renamed_argument { from: "a" to: "b" } )"}},
      {"t::minium(int a) -> int",
       "t::minimum(int a) -> int",
       "",
       {R"(t::minimum: renamed_from: "t::minium" )"}},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(Strings(Propose({{c.older}, {c.newer, c.declarations}})),
                ElementsAreArray(c.proposals))
        << c.older << "\n"
        << c.newer << "\n"
        << c.declarations;
  }
}

TEST(DeclarationProposalsTest, TheNeededOnesComeFirst) {
  EXPECT_THAT(Strings(Propose(
                  {{"t::a(Tensor x) -> Tensor\nt::b(int x) -> int"},
                   {"t::a(Tensor(c) x) -> Tensor(c)\nt::b(str x) -> int"}})),
              ElementsAre(HasSubstr("needed t::b"), HasSubstr("t::a")));
}

TEST(DeclarationProposalsTest, WhatIsNeededMakesTheHistoryLoad) {
  const std::vector<VersionText> versions = {
      {"t::f(int a) -> int\nt::g(int a) -> int\nt::h(str s, int n) -> int"},
      {"t::f(int b) -> int\nt::g(Tensor a) -> int\nt::h(str s) -> int"}};
  EXPECT_EQ(LoadFromText(versions).history, nullptr);
  std::vector<VersionText> declared = versions;
  for (const DeclarationProposal& p : Propose(versions)) {
    EXPECT_TRUE(p.needed) << p.declaration;
    declared[1].declarations +=
        absl::StrReplaceAll(p.declaration, {{"\"?\"", "\"3\""}});
  }
  EXPECT_THAT(FaultStrings(LoadFromText(declared)), IsEmpty());
}

TEST(DeclarationProposalsTest, AsCommentsTheyChangeNothing) {
  const std::vector<VersionText> versions = {
      {"t::f(Tensor a) -> Tensor"}, {"t::f(Tensor(x) a) -> Tensor(x)"}};
  std::vector<VersionText> commented = versions;
  for (const DeclarationProposal& p : Propose(versions)) {
    commented[1].declarations += CommentOf(p);
  }
  EXPECT_THAT(commented[1].declarations, HasSubstr("  #   annotation_fixed"));
  const LoadedHistory loaded = LoadFromText(commented);
  EXPECT_THAT(FaultStrings(loaded), IsEmpty());
  EXPECT_THAT(loaded.declared.versions[1].changes, IsEmpty());
}

}  // namespace
}  // namespace opcompat
