// What each version of a history knows: small histories as text, and what must
// come of them. The faults are in history_faults_test.cc.
#include "schema/history_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "schema/text/history_text.h"

namespace opcompat {
namespace {

struct Known {
  std::string version;
  // As DescribeVersion says it.
  std::string entries;
};

struct Case {
  std::string name;
  std::vector<VersionText> versions;
  std::vector<Known> known;
};

const char kGapThatAsserts[] =
    "gap { added_defaults_are_neutral: true removed_defaults_are_retired: "
    "true }";

const std::vector<Case>& Cases() {
  static const auto* const kCases = new std::vector<Case>{
      {"ArgumentsOfTheFirstSchemaHaveTheOriginOfTheOperatorAndNoNeutral",
       {{"t::f(Tensor x, int p=1) -> Tensor"},
        {"t::f(Tensor x, int p=1) -> Tensor\nt::g(int q=2) -> int"},
        {"t::h(int r=3) -> int", "gap {}"}},
       {{"1",
         "t::f(Tensor x, int p=1) -> Tensor from base\n"
         "  x from base\n"
         "  p from base\n"},
        {"2",
         "t::f(Tensor x, int p=1) -> Tensor from base\n"
         "  x from base\n"
         "  p from base\n"
         "t::g(int q=2) -> int from 2\n"
         "  q from 2\n"},
        {"3",
         "t::h(int r=3) -> int from (2, 3]\n"
         "  r from (2, 3]\n"}}},

      {"NeutralIsTheDeclaredValueElseTheDefaultElseNone",
       {{"t::f(Tensor x) -> Tensor"},
        {"t::f(Tensor x, int q, int r, *, int a=1, int b=2, int? c=None) -> "
         "Tensor",
         "changes { operator: 't::f' neutral_value { argument: 'r' value: '7' "
         "} }\n"
         "changes { operator: 't::f' neutral_value { argument: 'b' value: '8' "
         "} }\n"
         "changes { operator: 't::f' neutral_value { argument: 'c' none: true "
         "} }\n"},
        // It stays what it was, whatever becomes of type and default.
        {"t::f(Tensor x, int? q=None, Scalar r=0, *, float a=5., int b=3, "
         "int? c=1) -> Tensor"}},
       {{"2",
         "t::f(Tensor x, int q, int r, *, int a=1, int b=2, int? c=None) -> "
         "Tensor from base\n"
         "  x from base\n"
         "  q from 2\n"
         "  r from 2, neutral 7 : int\n"
         "  a from 2, neutral 1 : int\n"
         "  b from 2, neutral 8 : int\n"
         "  c from 2\n"},
        {"3",
         "t::f(Tensor x, int? q=None, Scalar r=0, *, float a=5., int b=3, "
         "int? c=1) -> Tensor from base\n"
         "  x from base\n"
         "  q from 2\n"
         "  r from 2, neutral 7 : int\n"
         "  a from 2, neutral 1 : int\n"
         "  b from 2, neutral 8 : int\n"
         "  c from 2\n"}}},

      {"NeutralMayBeDeclaredForArgumentsOfTheFirstSchema",
       {{"t::f(Tensor x, int p=1) -> Tensor",
         "changes { operator: 't::f' neutral_value { argument: 'p' value: '0' "
         "} }"}},
       {{"1",
         "t::f(Tensor x, int p=1) -> Tensor from base\n"
         "  x from base\n"
         "  p from base, neutral 0 : int\n"}}},

      {"AcrossAGapThereIsNoNeutralUnlessDeclared",
       {{"t::f(Tensor x) -> Tensor"},
        {"t::f(Tensor x, int p=1, int q=2) -> Tensor",
         "gap {}\n"
         "changes { operator: 't::f' neutral_value { argument: 'q' value: '3' "
         "} }"}},
       {{"2",
         "t::f(Tensor x, int p=1, int q=2) -> Tensor from base\n"
         "  x from base\n"
         "  p from (1, 2]\n"
         "  q from (1, 2], neutral 3 : int\n"}}},

      {"AGapMayAssertThatDefaultsAreNeutralAndRetiredWithExceptions",
       {{"t::f(Tensor x, int a=1, int b=2, *, int c) -> Tensor"},
        {"t::f(Tensor x, int p=3, int q=4, *, int r) -> Tensor",
         "gap { added_defaults_are_neutral: true\n"
         "removed_defaults_are_retired: true\n"
         "except { operator: 't::f' argument: 'q' }\n"
         "except { operator: 't::f' argument: 'b' } }"}},
       {{"2",
         "t::f(Tensor x, int p=3, int q=4, *, int r) -> Tensor from base\n"
         "  x from base\n"
         "  p from (1, 2], neutral 3 : int\n"
         "  q from (1, 2]\n"
         "  r from (1, 2]\n"
         "  a from base, retired 1 : int\n"
         "  b from base, retired none\n"
         "  c from base, retired none\n"}}},

      {"EachAssertionOfAGapIsForItsOwnSide",
       {{"t::f(int a=1) -> int\nt::g(int a=1) -> int"},
        {"t::f(int p=2) -> int\nt::g(int a=1) -> int",
         "gap { added_defaults_are_neutral: true }"},
        {"t::f(int p=2) -> int\nt::g(int p=2) -> int",
         "gap { removed_defaults_are_retired: true }"}},
       {{"3",
         "t::f(int p=2) -> int from base\n"
         "  p from (1, 2], neutral 2 : int\n"
         "  a from base, retired none\n"
         "t::g(int p=2) -> int from base\n"
         "  p from (2, 3]\n"
         "  a from base, retired 1 : int\n"}}},

      {"RetiredIsTheDeclaredValueElseTheLastDefaultAtItsType",
       {{"t::f(int a=1, int b=2, int c=3, *, int d) -> int"},
        {"t::f(float a=4., int b=2, int c=3, *, int d) -> int"},
        {"t::f(int c=3) -> int",
         "changes { operator: 't::f' retired_value { argument: 'b' value: '9' "
         "} }\n"
         "changes { operator: 't::f' retired_value { argument: 'd' value: '0' "
         "} }\n"},
        // Retired ones stand in the order in which they were retired.
        {"t::f() -> int"}},
       {{"3",
         "t::f(int c=3) -> int from base\n"
         "  c from base\n"
         "  a from base, retired 4.0 : float\n"
         "  b from base, retired 9 : int\n"
         "  d from base, retired 0 : int\n"},
        {"4",
         "t::f() -> int from base\n"
         "  a from base, retired 4.0 : float\n"
         "  b from base, retired 9 : int\n"
         "  d from base, retired 0 : int\n"
         "  c from base, retired 3 : int\n"}}},

      {"AnArgumentThatReturnsIsTheSameWithItsNeutralAndOrigin",
       {{"t::f(int x) -> int"},
        {"t::f(int x, int p=1) -> int"},
        {"t::f(int x) -> int"},
        {"t::f(int x, int p=2) -> int"},
        {"t::f(int x) -> int",
         "changes { operator: 't::f' retired_value { argument: 'p' value: '5' "
         "} }"}},
       {{"3",
         "t::f(int x) -> int from base\n"
         "  x from base\n"
         "  p from 2, neutral 1 : int, retired 1 : int\n"},
        {"4",
         "t::f(int x, int p=2) -> int from base\n"
         "  x from base\n"
         "  p from 2, neutral 1 : int\n"},
        {"5",
         "t::f(int x) -> int from base\n"
         "  x from base\n"
         "  p from 2, neutral 1 : int, retired 5 : int\n"}}},

      {"AnOperatorThatReturnsIsTheSameAndKnowsItsArguments",
       {{"t::f(int x, int p=1) -> int"},
        {"t::g() -> int"},
        {"t::f(int x, int q=2) -> int\nt::g() -> int"}},
       {{"2", "t::g() -> int from 2\n"},
        {"3",
         "t::f(int x, int q=2) -> int from base\n"
         "  x from base\n"
         "  q from 3, neutral 2 : int\n"
         "  p from base, retired 1 : int\n"
         "t::g() -> int from 2\n"}}},

      {"AGapWhileTheOperatorWasAwayCounts",
       {{"t::f(int x, int p=1) -> int"},
        {"t::g() -> int", "gap {}"},
        {"t::f(int x, int q=2) -> int"}},
       {{"3",
         "t::f(int x, int q=2) -> int from base\n"
         "  x from base\n"
         "  q from 3\n"
         "  p from base, retired none\n"}}},

      {"GapsWhileTheOperatorWasAwayMustAllAssert",
       {{"t::f(int x, int p=1) -> int\nt::k(int x, int p=1) -> int"},
        {"t::k(int x, int p=1) -> int", kGapThatAsserts},
        {"", kGapThatAsserts},
        {"t::f(int x, int q=2) -> int"},
        {"t::f(int x, int q=2) -> int\nt::k(int x, int q=2) -> int",
         "gap { removed_defaults_are_retired: true }"}},
       {{"4",
         "t::f(int x, int q=2) -> int from base\n"
         "  x from base\n"
         "  q from 4, neutral 2 : int\n"
         "  p from base, retired 1 : int\n"},
        {"5",
         "t::f(int x, int q=2) -> int from base\n"
         "  x from base\n"
         "  q from 4, neutral 2 : int\n"
         "  p from base, retired 1 : int\n"
         "t::k(int x, int q=2) -> int from base\n"
         "  x from base\n"
         "  q from (4, 5]\n"
         "  p from base, retired 1 : int\n"}}},

      {"RenamesKeepIdentityAndNamesMostRecentFirst",
       {{"t::f(int a=1) -> int"},
        {"t::g.x(int b=2) -> int",
         "changes { operator: 't::g.x' renamed_from: 't::f' }\n"
         "changes { operator: 't::g.x' renamed_argument { from: 'a' to: 'b' } "
         "}"},
        {"t::h(int c=3) -> int",
         "changes { operator: 't::h' renamed_from: 't::g.x' }\n"
         "changes { operator: 't::h' renamed_argument { from: 'b' to: 'c' } }"},
        // Back to names of its own past.
        {"t::f(int a=4) -> int",
         "changes { operator: 't::f' renamed_from: 't::h' }\n"
         "changes { operator: 't::f' renamed_argument { from: 'c' to: 'a' } }"},
        {"t::f() -> int"}},
       {{"3",
         "t::h(int c=3) -> int was t::g.x, t::f from base\n"
         "  c (was b, a) from base\n"},
        {"4",
         "t::f(int a=4) -> int was t::h, t::g.x from base\n"
         "  a (was c, b) from base\n"},
        {"5",
         "t::f() -> int was t::h, t::g.x from base\n"
         "  a (was c, b) from base, retired 4 : int\n"}}},

      {"ReorderingAndKindsOfPassingChangeNothingElse",
       {{"t::f(int a, int b=1, *, int c=2, int d=3) -> int"},
        {"t::f(int a, int c=2, *, int d=3, int b=1) -> int"}},
       {{"2",
         "t::f(int a, int c=2, *, int d=3, int b=1) -> int from base\n"
         "  a from base\n"
         "  c from base\n"
         "  d from base\n"
         "  b from base\n"}}},

      {"IgnorableAndEqualValuesLastUntilANewRevisionUnlessRepeated",
       {{"t::f(int x, int s=0) -> int"},
        {"t::f(int x, int? s=None, bool h=False, bool k=False) -> int",
         "changes { operator: 't::f' ignorable_argument: 'h' }\n"
         "changes { operator: 't::f' ignorable_argument: 'k' }\n"
         "changes { operator: 't::f' equal_value { argument: 's' value: "
         "'None' means: '0' } }"},
        {"t::f(int x, int? s=1, bool k=False) -> int"},
        {"t::f(int x, int? s=1, bool k=False) -> int",
         "changes { operator: 't::f' semantic_change { revision: 2 } }\n"
         "changes { operator: 't::f' ignorable_argument: 'h' }"},
        {"t::f(int x, int? s=1, bool k=False) -> int",
         "changes { operator: 't::f' semantic_change { revision: 3 } }\n"
         "changes { operator: 't::f' equal_value { argument: 's' value: "
         "'None' means: '5' } }"}},
       {{"3",
         "t::f(int x, int? s=1, bool k=False) -> int from base\n"
         "  x from base\n"
         "  s from base, None : int? means 0 : int?\n"
         "  k from 2, neutral False : bool, ignorable\n"
         "  h from 2, neutral False : bool, retired False : bool, "
         "ignorable\n"},
        {"4",
         "t::f(int x, int? s=1, bool k=False) -> int from base revision 2 "
         "from 4\n"
         "  x from base\n"
         "  s from base\n"
         "  k from 2, neutral False : bool\n"
         "  h from 2, neutral False : bool, retired False : bool, ignorable\n"},
        {"5",
         "t::f(int x, int? s=1, bool k=False) -> int from base revision 3 "
         "from 5\n"
         "  x from base\n"
         "  s from base, None : int? means 5 : int?\n"
         "  k from 2, neutral False : bool\n"
         "  h from 2, neutral False : bool, retired False : bool\n"}}},

      {"IgnorableAndEqualValuesMayComeWithTheOperator",
       {{"t::f(int? s=None, bool h=False) -> int",
         "changes { operator: 't::f' ignorable_argument: 'h' }\n"
         "changes { operator: 't::f' equal_value { argument: 's' value: "
         "'None' means: '0' } }"}},
       {{"1",
         "t::f(int? s=None, bool h=False) -> int from base\n"
         "  s from base, None : int? means 0 : int?\n"
         "  h from base, ignorable\n"}}},

      {"ANewRevisionMayRemoveWithoutValueAndChangeTypesAndResults",
       {{"t::f(int x, int p, int q=1) -> (int, int)"},
        {"t::f(str x, int r=2) -> int",
         "changes { operator: 't::f' semantic_change { revision: 2 } }"},
        {"t::f(str x, int r=2) -> (int, int)",
         "gap {}\n"
         "changes { operator: 't::f' semantic_change { revision: 3 } }"}},
       {{"2",
         "t::f(str x, int r=2) -> int from base revision 2 from 2\n"
         "  x from base\n"
         "  r from 2, neutral 2 : int\n"
         "  p from base, retired none\n"
         "  q from base, retired 1 : int\n"},
        {"3",
         "t::f(str x, int r=2) -> (int, int) from base revision 3 from (2, "
         "3]\n"
         "  x from base\n"
         "  r from 2, neutral 2 : int\n"
         "  p from base, retired none\n"
         "  q from base, retired 1 : int\n"}}},

      {"ANewRevisionMayDeclareNeutralAndRetiredAnew",
       {{"t::f(int x=0, int p=1) -> int"},
        {"t::f(int x=0) -> int"},
        {"t::f(int x=0) -> int",
         "changes { operator: 't::f' semantic_change { revision: 2 } }\n"
         "changes { operator: 't::f' neutral_value { argument: 'x' value: '4' "
         "} }\n"
         "changes { operator: 't::f' retired_value { argument: 'p' value: '5' "
         "} }"}},
       {{"3",
         "t::f(int x=0) -> int from base revision 2 from 3\n"
         "  x from base, neutral 4 : int\n"
         "  p from base, retired 5 : int\n"}}},

      {"CoveredMarksAddUpUntilMarksChangeUndeclared",
       {{"t::f(Tensor x, int n) -> Tensor"},
        {"t::f(Tensor(a) x, int n) -> Tensor(a)",
         "changes { operator: 't::f' annotation_fixed: true }"},
        // Another name of the set says nothing else; nor do new arguments.
        {"t::f(Tensor(b) x, int n, *, Tensor(c)? y=None) -> Tensor(b)"},
        {"t::f(Tensor(b!) x, int n, *, Tensor(c)? y=None) -> Tensor(b!)",
         "changes { operator: 't::f' annotation_fixed: true }"},
        {"t::f(Tensor x, int n, *, Tensor? y=None) -> Tensor"}},
       {{"2",
         "t::f(Tensor(a) x, int n) -> Tensor(a) from base covers (Tensor "
         "x, Tensor n) -> Tensor\n"
         "  x from base\n"
         "  n from base\n"},
        {"3",
         "t::f(Tensor(b) x, int n, *, Tensor(c)? y=None) -> Tensor(b) from "
         "base covers (Tensor x, Tensor n) -> Tensor\n"
         "  x from base\n"
         "  n from base\n"
         "  y from 3, neutral None : Tensor?\n"},
        {"4",
         "t::f(Tensor(b!) x, int n, *, Tensor(c)? y=None) -> Tensor(b!) from "
         "base covers (Tensor x, Tensor n) -> Tensor covers (Tensor(b) x, "
         "Tensor n, Tensor(c)? y) -> Tensor(b)\n"
         "  x from base\n"
         "  n from base\n"
         "  y from 3, neutral None : Tensor?\n"},
        {"5",
         "t::f(Tensor x, int n, *, Tensor? y=None) -> Tensor from base\n"
         "  x from base\n"
         "  n from base\n"
         "  y from 3, neutral None : Tensor?\n"}}},

      {"CoveredMarksOfOlderRevisionsAreLeftBehind",
       {{"t::f(Tensor x) -> Tensor"},
        {"t::f(Tensor(a) x) -> Tensor(a)",
         "changes { operator: 't::f' annotation_fixed: true }"},
        {"t::f(Tensor(a!) x) -> Tensor(a!)",
         "changes { operator: 't::f' annotation_fixed: true }\n"
         "changes { operator: 't::f' semantic_change { revision: 2 } }"},
        {"t::f(Tensor(a!) x) -> Tensor(a!)",
         "changes { operator: 't::f' semantic_change { revision: 3 } }"}},
       {{"3",
         "t::f(Tensor(a!) x) -> Tensor(a!) from base revision 2 from 3 covers "
         "(Tensor(a) x) -> Tensor(a)\n"
         "  x from base\n"},
        {"4",
         "t::f(Tensor(a!) x) -> Tensor(a!) from base revision 3 from 4\n"
         "  x from base\n"}}},

      {"AnUnusableSchemaIsNoFaultOfTheHistory",
       {{"t::f(int x, int p=1) -> int\nt::g(int x, int x) -> int"},
        {"t::f(int x, int x) -> int\nt::g(int x, int y=1) -> int"},
        {"t::f(int x) -> int\nt::g(int x, int y=1) -> int"}},
       {{"1",
         "t::f(int x, int p=1) -> int from base\n"
         "  x from base\n"
         "  p from base\n"
         "t::g fault: the schema repeats an argument name: t::g(int x, "
         "int x) -> int\n"},
        {"2",
         "t::f fault: the schema repeats an argument name: t::f(int x, "
         "int x) -> int\n"
         "t::g(int x, int y=1) -> int from base\n"
         "  x from base\n"
         "  y from base\n"},
        {"3",
         "t::f(int x) -> int from base\n"
         "  x from base\n"
         "  p from base, retired 1 : int\n"
         "t::g(int x, int y=1) -> int from base\n"
         "  x from base\n"
         "  y from base\n"}}},

      {"ManyChangesAtOnce",
       {{"t::g1(Tensor x, int? q1) -> Tensor\n"
         "t::h2(Tensor x, Scalar q1=9007199254740993) -> Tensor"},
        {"t::g1(Tensor x, int? q1) -> Tensor\n"
         "t::h2(Tensor x, Scalar q1=9007199254740993, *, int[2]? a2=None) -> "
         "Tensor"},
        {"t::g1(Tensor x, int q1=9007199254740993, *, int? "
         "a2=9007199254740993) -> Tensor\n"
         "t::h2(Tensor x, int? b3=1, Scalar q1=9007199254740993) -> Tensor",
         "changes { operator: 't::h2' retired_value { argument: 'a2' value: "
         "'[0, 1]' } }"},
        {"t::g1(Tensor x, int q1=9007199254740993, *, int? a2=1) -> Tensor\n"
         "t::h2(Tensor x, int? b3=1, *, SymInt k4=-1) -> Tensor\n"
         "t::f3.alt(Tensor x, *, int? q1=None) -> Tensor"}},
       {{"4",
         "t::g1(Tensor x, int q1=9007199254740993, *, int? a2=1) -> Tensor "
         "from base\n"
         "  x from base\n"
         "  q1 from base\n"
         "  a2 from 3, neutral 9007199254740993 : int?\n"
         "t::h2(Tensor x, int? b3=1, *, SymInt k4=-1) -> Tensor from base\n"
         "  x from base\n"
         "  b3 from 3, neutral 1 : int?\n"
         "  k4 from 4, neutral -1 : SymInt\n"
         "  a2 from 2, neutral None : int[2]?, retired [0, 1] : int[2]?\n"
         "  q1 from base, retired 9007199254740993 : Scalar\n"
         "t::f3.alt(Tensor x, *, int? q1=None) -> Tensor from 4\n"
         "  x from 4\n"
         "  q1 from 4\n"}}},

      {"ARequiredArgumentAcrossAGapIsRetiredWithADeclaredValue",
       {{"t::g1(Tensor(a!) x, bool? q1=False) -> Tensor(a!)"},
        {"t::g1(Tensor(a!) x, bool a2, bool? q1=False) -> Tensor(a!)",
         "gap { removed_defaults_are_retired: true }\n"
         "changes { operator: 't::g1' ignorable_argument: 'a2' }"},
        {"t::g1(Tensor(a!) x, bool? q1=False) -> Tensor(a!)",
         "changes { operator: 't::g1' retired_value { argument: 'a2' value: "
         "'False' } }"}},
       {{"2",
         "t::g1(Tensor(a!) x, bool a2, bool? q1=False) -> Tensor(a!) from "
         "base\n"
         "  x from base\n"
         "  a2 from (1, 2], ignorable\n"
         "  q1 from base\n"},
        {"3",
         "t::g1(Tensor(a!) x, bool? q1=False) -> Tensor(a!) from base\n"
         "  x from base\n"
         "  q1 from base\n"
         "  a2 from (1, 2], retired False : bool, ignorable\n"}}},

      {"VarargsAndTypesOfResultsMayChange",
       {{"t::f(int x) -> int"}, {"t::f(int x, ...) -> str"}},
       {{"2",
         "t::f(int x, ...) -> str from base\n"
         "  x from base\n"}}},

      {"PlaceholdersMayBeAddedAndRemovedAtTheEnd",
       {{"t::f(Tensor _0, int _1=1) -> int"},
        {"t::f(Tensor _0, int _1=1, int _2=2) -> int"},
        {"t::f(Tensor _0) -> int"}},
       {{"3",
         "t::f(Tensor _0) -> int from base\n"
         "  _0 from base\n"
         "  _1 from base, retired 1 : int\n"
         "  _2 from 2, neutral 2 : int, retired 2 : int\n"}}},
  };
  return *kCases;
}

class HistoryBuilderTest : public ::testing::TestWithParam<size_t> {
 protected:
  const Case& c() const { return Cases()[GetParam()]; }
};

TEST_P(HistoryBuilderTest, EachVersionKnowsWhatItShould) {
  const LoadedHistory loaded = LoadFromText(c().versions);
  ASSERT_NE(loaded.history, nullptr)
      << ::testing::PrintToString(FaultStrings(loaded));
  for (const Known& known : c().known) {
    EXPECT_EQ(DescribeVersion(*loaded.history, known.version), known.entries)
        << "version " << known.version;
  }
}

TEST_P(HistoryBuilderTest, NoVersionDependsOnLaterOnes) {
  const LoadedHistory whole = LoadFromText(c().versions);
  ASSERT_NE(whole.history, nullptr);
  std::vector<VersionText> prefix;
  for (const VersionText& version : c().versions) {
    prefix.push_back(version);
    const LoadedHistory cut = LoadFromText(prefix);
    ASSERT_NE(cut.history, nullptr);
    const Opset& newest = cut.history->newest();
    const auto at = whole.history->At(newest.version());
    ASSERT_TRUE(at.ok()) << at.status();
    EXPECT_EQ(at->versions(), newest.versions());
    ASSERT_EQ(at->operators().size(), newest.operators().size());
    for (size_t i = 0; i < newest.operators().size(); ++i) {
      const OperatorInfo& a = *at->operators()[i];
      const OperatorInfo& b = *newest.operators()[i];
      EXPECT_EQ(a.fault, b.fault);
      ASSERT_EQ(a.revisions.size(), b.revisions.size());
      for (size_t r = 0; r < a.revisions.size(); ++r) {
        EXPECT_EQ(*a.revisions[r].first, *b.revisions[r].first);
        EXPECT_EQ(*a.revisions[r].last, *b.revisions[r].last);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, HistoryBuilderTest,
                         ::testing::Range<size_t>(0, Cases().size()),
                         [](const ::testing::TestParamInfo<size_t>& info) {
                           return Cases()[info.param].name;
                         });

TEST(HistorySharingTest, VersionsShareWhatDoesNotChange) {
  const LoadedHistory loaded =
      LoadFromText({{"t::f(int x) -> int\nt::g(int x) -> int"},
                    {"t::g(int x) -> int\nt::f(int x, int p=1) -> int"},
                    {"t::f(int x, int p=1) -> int\nt::g(int x) -> int"}});
  ASSERT_NE(loaded.history, nullptr);
  const std::vector<Opset>& versions = loaded.history->versions();
  EXPECT_EQ(versions[0].Find("t::g"), versions[1].Find("t::g"));
  EXPECT_EQ(versions[1].Find("t::g"), versions[2].Find("t::g"));
  EXPECT_NE(versions[0].Find("t::f"), versions[1].Find("t::f"));
  EXPECT_EQ(versions[1].Find("t::f"), versions[2].Find("t::f"));
  // The revision began with another schema than it has now.
  const OperatorRevision& revision = versions[2].Find("t::f")->revisions[0];
  EXPECT_EQ(revision.first, versions[0].Find("t::f")->current());
  EXPECT_EQ(revision.last, versions[2].Find("t::f")->current());
}

TEST(HistorySharingTest, AnOperatorIsFoundByTheNamesThatItHadSoFar) {
  const LoadedHistory loaded = LoadFromText(
      {{"t::f() -> int"},
       {"t::g() -> int", "changes { operator: 't::g' renamed_from: 't::f' }"}});
  ASSERT_NE(loaded.history, nullptr);
  const std::vector<Opset>& versions = loaded.history->versions();
  EXPECT_NE(versions[1].FindByAnyName("t::f"), nullptr);
  EXPECT_EQ(versions[1].Find("t::f"), nullptr);
  EXPECT_EQ(versions[0].FindByAnyName("t::g"), nullptr);
}

TEST(SemanticChangeTest, StepsAreReadOnTheSchemasOnEitherSide) {
  auto files = HistoryFiles(
      {{"t::f(int p, int q=1) -> int"},
       {"t::f(float r, bool s=False) -> int",
        "changes { operator: 't::f' renamed_argument { from: 'p' to: 'r' } }\n"
        "changes { operator: 't::f' semantic_change { revision: 2\n"
        "upgraders { when { all { argument: 'p' one_of: '1' one_of: '2' } } "
        "graph: 'up.graph' }\n"
        "downgraders { when { all { argument: 'r' types: 'float' types: "
        "'Scalar?' } all { argument: 's' one_of: 'True' } } graph: "
        "'down.graph' }\n"
        "unchanged_when { all { argument: 'r' one_of: '3' } }\n"
        "unchanged_when {} } }"},
       {"t::f(float r) -> int"}});
  files["h/up.graph"] = files["h/down.graph"] = "";
  const LoadedHistory loaded = LoadFromFiles(files);
  ASSERT_NE(loaded.history, nullptr)
      << ::testing::PrintToString(FaultStrings(loaded));
  const OperatorInfo& info = *loaded.history->newest().Find("t::f");
  ASSERT_EQ(info.revisions.size(), 2u);
  EXPECT_EQ(info.revisions[0].step, nullptr);
  EXPECT_EQ(info.revisions[0].last->ToString(), "t::f(int p, int q=1) -> int");
  EXPECT_EQ(info.revisions[1].first->ToString(),
            "t::f(float r, bool s=False) -> int");
  EXPECT_EQ(info.revisions[1].last->ToString(), "t::f(float r) -> int");
  const RevisionStep& step = *info.revisions[1].step;
  ASSERT_EQ(step.upgraders.size(), 1u);
  EXPECT_EQ(step.upgraders[0].path, "up.graph");
  const Type int_type(TypeKind::kInt), float_type(TypeKind::kFloat);
  EXPECT_EQ(step.upgraders[0].when[0].one_of,
            (std::vector<TypedValue>{{int_type, Value::Int(1)},
                                     {int_type, Value::Int(2)}}));
  ASSERT_EQ(step.downgraders.size(), 1u);
  EXPECT_EQ(step.downgraders[0].path, "down.graph");
  ASSERT_EQ(step.downgraders[0].when.size(), 2u);
  EXPECT_EQ(
      step.downgraders[0].when[0].types,
      (std::vector<Type>{float_type, Type::Optional(Type(TypeKind::kScalar))}));
  // A literal takes the form of the argument's type.
  ASSERT_EQ(step.unchanged_when.size(), 2u);
  EXPECT_EQ(step.unchanged_when[0][0].one_of,
            (std::vector<TypedValue>{{float_type, Value::Float(3)}}));
  EXPECT_TRUE(step.unchanged_when[1].empty());
}

TEST(SemanticChangeTest, OneWayStepsAndStepsWithoutGraphsLoad) {
  const LoadedHistory loaded = LoadFromText(
      {{"t::f() -> int"},
       {"t::f() -> int",
        "changes { operator: 't::f' semantic_change { revision: 2 one_way_up: "
        "true } }"},
       {"t::f() -> int",
        "changes { operator: 't::f' semantic_change { revision: 3 } }"}});
  ASSERT_NE(loaded.history, nullptr);
  const OperatorInfo& info = *loaded.history->newest().Find("t::f");
  EXPECT_TRUE(info.revisions[1].step->one_way_up);
  EXPECT_FALSE(info.revisions[1].step->one_way_down);
  EXPECT_FALSE(info.revisions[2].step->one_way_up);
  std::vector<std::string> warnings;
  for (const HistoryFault& warning : loaded.warnings) {
    warnings.push_back(warning.ToString());
  }
  EXPECT_THAT(
      warnings,
      ::testing::ElementsAre(
          "h/history.textproto:5: t::f (t 2): revision 2 has no downgrader and "
          "is not declared one_way_down: targets before it are refused",
          "h/history.textproto:8: t::f (t 3): revision 3 has no upgrader and "
          "is not declared one_way_up: older calls are refused",
          "h/history.textproto:8: t::f (t 3): revision 3 has no downgrader and "
          "is not declared one_way_down: targets before it are refused"));
}

TEST(SemanticChangeTest, AGraphBehindOneWithoutConditionsIsWarnedAbout) {
  auto files = HistoryFiles(
      {{"t::f(int p) -> int"},
       {"t::f(int p) -> int",
        "changes { operator: 't::f' semantic_change { revision: 2 "
        "upgraders { when { all { argument: 'p' one_of: '1' } } graph: 'a' } "
        "upgraders { graph: 'b' } upgraders { graph: 'c' } "
        "one_way_down: true } }"}});
  files["h/a"] = files["h/b"] = files["h/c"] = "";
  const LoadedHistory loaded = LoadFromFiles(files);
  ASSERT_NE(loaded.history, nullptr);
  ASSERT_EQ(loaded.warnings.size(), 1u);
  EXPECT_EQ(loaded.warnings[0].ToString(),
            "h/history.textproto:5: t::f (t 2): `c` is never taken: `b` before "
            "it has no conditions");
}

}  // namespace
}  // namespace opcompat
