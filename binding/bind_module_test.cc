// The rules of docs/compatibility.md, rule by rule, on small stories. Each row
// is worked out by hand from that page.
#include "binding/bind_module.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "binding/story.h"
#include "gtest/gtest.h"
#include "ir/module.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace {

struct Reading {
  std::string from;
  std::string to;
  std::string call;
  std::string becomes;
};

struct Story {
  std::string name;
  std::vector<StoryVersion> versions;
  std::vector<Reading> readings;
};

void Check(const std::vector<Story>& stories) {
  for (const Story& story : stories) {
    SCOPED_TRACE(story.name);
    const std::shared_ptr<const OpsetHistory> history =
        MakeHistory(story.versions);
    ASSERT_NE(history, nullptr);
    for (const Reading& reading : story.readings) {
      EXPECT_EQ(Retell(*history, reading.from, reading.to, reading.call),
                reading.becomes)
          << reading.call << ", " << reading.from << " -> " << reading.to;
    }
  }
}

TEST(BindModule, AddedArguments) {
  Check({
      {"with a default: neutral is the default that it was added with",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x, int p=0) -> Tensor", ""},
        {"3", "t::f(Tensor x, int p=1) -> Tensor", ""}},
       {{"1", "3", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 0)"},
        {"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 0)"},
        {"2", "3", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 0)"},
        {"3", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 1)"},
        {"3", "1", "%r : Tensor = t::f(%x)", "refused: unknown_argument(p)"},
        {"3", "1", "%r : Tensor = t::f(%x, 0)", "%r : Tensor = t::f(%x)"},
        {"2", "1", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"2", "1", "%r : Tensor = t::f(%x, %n)",
         "refused: unknown_argument(p)"}}},
      {"in the middle, keyword-only, before out",
       {{"1",
         "t::f(Tensor x, int a=1, *, int k=2, Tensor(a!) out) -> Tensor(a!)",
         ""},
        {"2",
         "t::f(Tensor x, bool m=False, int a=1, *, int j=3, int k=2, "
         "Tensor(a!) out) -> Tensor(a!)",
         ""}},
       {{"1", "2", "%r : Tensor = t::f(%x, 5, k=6, out=%y)",
         "%r : Tensor = t::f(%x, False, 5, j=3, k=6, out=%y)"},
        {"2", "1", "%r : Tensor = t::f(%x, a=5, k=6, out=%y)",
         "%r : Tensor = t::f(%x, 5, k=6, out=%y)"},
        {"2", "1", "%r : Tensor = t::f(%x, True, j=4, out=%y)",
         "refused: unknown_argument(m), unknown_argument(j)"}}},
      {"required, without and with a declared neutral value",
       {{"1", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor", ""},
        {"2",
         "t::f(Tensor x, int p) -> Tensor\nt::g(Tensor x, int p) -> Tensor",
         "changes { operator: \"t::g\" neutral_value { argument: \"p\" value: "
         "\"7\" } }"}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "refused: no_neutral_value(p)"},
        {"2", "1", "%r : Tensor = t::f(%x, 1)", "refused: no_neutral_value(p)"},
        {"2", "1", "%r : Tensor = t::f(%x, %n)",
         "refused: no_neutral_value(p)"},
        {"2", "1", "%r : Tensor = t::g(%x, %n)",
         "refused: unknown_argument(p)"},
        {"1", "2", "%r : Tensor = t::g(%x)", "%r : Tensor = t::g(%x, 7)"},
        {"2", "1", "%r : Tensor = t::g(%x, 7)", "%r : Tensor = t::g(%x)"},
        {"2", "1", "%r : Tensor = t::g(%x, 1)",
         "refused: unknown_argument(p)"}}},
      {"neutral declared another value than the default",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x, int p=1) -> Tensor",
         "changes { operator: \"t::f\" neutral_value { argument: \"p\" value: "
         "\"0\" } }"}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 0)"},
        {"2", "1", "%r : Tensor = t::f(%x)", "refused: unknown_argument(p)"},
        {"2", "1", "%r : Tensor = t::f(%x, 0)", "%r : Tensor = t::f(%x)"}}},
      {"across a gap",
       {{"1", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor", ""},
        {"2",
         "t::f(Tensor x, int p=0) -> Tensor\nt::g(Tensor x, int p=0) -> Tensor",
         "gap { added_defaults_are_neutral: true except { operator: \"t::g\" "
         "argument: \"p\" } }"},
        {"3",
         "t::f(Tensor x, int p=0, int q=0) -> Tensor\n"
         "t::g(Tensor x, int p=0) -> Tensor",
         "gap { }"}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 0)"},
        {"1", "2", "%r : Tensor = t::g(%x)", "refused: no_neutral_value(p)"},
        {"2", "1", "%r : Tensor = t::g(%x)", "refused: no_neutral_value(p)"},
        {"2", "3", "%r : Tensor = t::f(%x)", "refused: no_neutral_value(q)"},
        {"2", "3", "%r : Tensor = t::g(%x)", "%r : Tensor = t::g(%x)"}}},
  });
}

TEST(BindModule, DefaultsAndValues) {
  Check({
      {"a changed default is written out; bits decide",
       {{"1", "t::f(Tensor x, float p=0.0) -> Tensor", ""},
        {"2", "t::f(Tensor x, float p=-0.0) -> Tensor", ""},
        {"3", "t::f(Tensor x, float p=nan) -> Tensor", ""},
        {"4", "t::f(Tensor x, *, float p) -> Tensor", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 0.0)"},
        {"2", "1", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, -0.0)"},
        {"2", "3", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, -0.0)"},
        {"3", "3", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"3", "1", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, nan)"},
        {"3", "4", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, p=nan)"},
        {"4", "3", "%r : Tensor = t::f(%x, p=%d)",
         "%r : Tensor = t::f(%x, %d)"}}},
      {"a default spelled otherwise is the same default",
       {{"1", "t::f(Tensor x, int[2] s=1) -> Tensor", ""},
        {"2", "t::f(Tensor x, int[2] s=[1, 1]) -> Tensor", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"2", "1", "%r : Tensor = t::f(%x, [2, 2])",
         "%r : Tensor = t::f(%x, [2, 2])"}}},
      {"int widened to Scalar",
       {{"1", "t::f(Tensor x, int v=1) -> Tensor", ""},
        {"2", "t::f(Tensor x, Scalar v=1) -> Tensor", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"1", "2", "%r : Tensor = t::f(%x, %n)", "%r : Tensor = t::f(%x, %n)"},
        {"2", "1", "%r : Tensor = t::f(%x, 3)", "%r : Tensor = t::f(%x, 3)"},
        {"2", "1", "%r : Tensor = t::f(%x, 3.0)",
         "refused: value_does_not_fit(v)"},
        {"2", "1", "%r : Tensor = t::f(%x, %c)", "refused: type_mismatch(v)"},
        {"2", "1", "%r : Tensor = t::f(%x, %n)",
         "%r : Tensor = t::f(%x, %n)"}}},
      {"int to float where exact",
       {{"1", "t::f(Tensor x, int v=1) -> Tensor", ""},
        {"2", "t::f(Tensor x, float v=1.0) -> Tensor", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"1", "2", "%r : Tensor = t::f(%x, 2)", "%r : Tensor = t::f(%x, 2.0)"},
        {"1", "2", "%r : Tensor = t::f(%x, 9007199254740993)",
         "refused: value_does_not_fit(v)"},
        {"1", "2", "%r : Tensor = t::f(%x, %n)", "refused: type_mismatch(v)"},
        {"2", "1", "%r : Tensor = t::f(%x, 2.0)", "%r : Tensor = t::f(%x, 2)"},
        {"2", "1", "%r : Tensor = t::f(%x, 0.5)",
         "refused: value_does_not_fit(v)"}}},
      {"T to T?",
       {{"1", "t::f(Tensor x, Tensor w) -> Tensor", ""},
        {"2", "t::f(Tensor x, Tensor? w=None) -> Tensor", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x, %y)", "%r : Tensor = t::f(%x, %y)"},
        {"2", "1", "%r : Tensor = t::f(%x, %y)", "%r : Tensor = t::f(%x, %y)"},
        {"2", "1", "%r : Tensor = t::f(%x, %o)", "refused: type_mismatch(w)"},
        {"2", "1", "%r : Tensor = t::f(%x)",
         "refused: value_does_not_fit(w)"}}},
      {"enum words and their numbers; int and SymInt",
       {{"1", "t::f(Tensor x, int? dtype=None, int n=0) -> Tensor", ""},
        {"2", "t::f(Tensor x, ScalarType? dtype=None, SymInt n=0) -> Tensor",
         ""}},
       {{"1", "2", "%r : Tensor = t::f(%x, 6, %n)",
         "%r : Tensor = t::f(%x, 6, %n)"},
        {"2", "1", "%r : Tensor = t::f(%x, long)", "%r : Tensor = t::f(%x, 4)"},
        {"2", "1", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"}}},
      {"a lone n and n copies",
       {{"1", "t::f(Tensor x, int s=1) -> Tensor", ""},
        {"2", "t::f(Tensor x, int[2] s=1) -> Tensor", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"1", "2", "%r : Tensor = t::f(%x, 3)",
         "%r : Tensor = t::f(%x, [3, 3])"},
        {"1", "2", "%r : Tensor = t::f(%x, %n)", "refused: type_mismatch(s)"},
        {"2", "1", "%r : Tensor = t::f(%x, [3, 3])",
         "%r : Tensor = t::f(%x, 3)"},
        {"2", "1", "%r : Tensor = t::f(%x, [3, 4])",
         "refused: value_does_not_fit(s)"}}},
      {"equal values",
       {{"1", "t::f(Tensor x, int start=0) -> Tensor", ""},
        {"2", "t::f(Tensor x, int? start=None) -> Tensor",
         "changes { operator: \"t::f\" equal_value { argument: \"start\" "
         "value: \"None\" means: \"0\" } }"}},
       {{"2", "1", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"2", "1", "%r : Tensor = t::f(%x, None)", "%r : Tensor = t::f(%x, 0)"},
        {"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"1", "2", "%r : Tensor = t::f(%x, 0)", "%r : Tensor = t::f(%x, 0)"},
        {"2", "1", "%r : Tensor = t::f(%x, 5)", "%r : Tensor = t::f(%x, 5)"}}},
      {"equal values of a type that has both",
       {{"1", "t::f(Tensor x, float p=0.0) -> Tensor", ""},
        {"2", "t::f(Tensor x, Scalar p=0.0) -> Tensor",
         "changes { operator: \"t::f\" equal_value { argument: \"p\" value: "
         "\"1\" means: \"1.0\" } }"}},
       {{"2", "1", "%r : Tensor = t::f(%x, 1)", "%r : Tensor = t::f(%x, 1.0)"},
        {"2", "1", "%r : Tensor = t::f(%x, 2)",
         "refused: value_does_not_fit(p)"}}},
  });
}

TEST(BindModule, RetiredArguments) {
  Check({
      {"with the default at removal",
       {{"1", "t::f(Tensor x, int p=1) -> Tensor", ""},
        {"2", "t::f(Tensor x) -> Tensor", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"1", "2", "%r : Tensor = t::f(%x, 1)", "%r : Tensor = t::f(%x)"},
        {"1", "2", "%r : Tensor = t::f(%x, 2)", "refused: retired_argument(p)"},
        {"1", "2", "%r : Tensor = t::f(%x, %n)",
         "refused: retired_argument(p)"},
        {"2", "1", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 1)"}}},
      {"with another value, and added before",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x, int p=1) -> Tensor", ""},
        {"3", "t::f(Tensor x) -> Tensor",
         "changes { operator: \"t::f\" retired_value { argument: \"p\" value: "
         "\"2\" } }"}},
       {{"2", "3", "%r : Tensor = t::f(%x)", "refused: retired_argument(p)"},
        {"2", "3", "%r : Tensor = t::f(%x, 2)", "%r : Tensor = t::f(%x)"},
        {"3", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 2)"},
        // Version 1 behaves as at 1, version 3 as at 2.
        {"3", "1", "%r : Tensor = t::f(%x)", "refused: unknown_argument(p)"},
        {"1", "3", "%r : Tensor = t::f(%x)", "refused: retired_argument(p)"}}},
      {"and back again",
       {{"1", "t::f(Tensor x, int p=1) -> Tensor", ""},
        {"2", "t::f(Tensor x) -> Tensor", ""},
        {"3", "t::f(Tensor x, int p=5) -> Tensor", ""}},
       {{"2", "3", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 1)"},
        {"3", "2", "%r : Tensor = t::f(%x)", "refused: retired_argument(p)"},
        {"3", "2", "%r : Tensor = t::f(%x, 1)", "%r : Tensor = t::f(%x)"},
        {"1", "3", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 1)"}}},
      {"across a gap, without a value",
       {{"1", "t::f(Tensor x, int p=1) -> Tensor", ""},
        {"2", "t::f(Tensor x) -> Tensor", "gap { }"}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "refused: no_neutral_value(p)"},
        {"1", "2", "%r : Tensor = t::f(%x, %n)",
         "refused: no_neutral_value(p)"},
        {"2", "1", "%r : Tensor = t::f(%x)", "refused: no_neutral_value(p)"},
        {"2", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"}}},
      {"without a value on both sides: nothing is to bind",
       {{"1", "t::f(Tensor x, int p=1) -> Tensor", ""},
        {"2", "t::f(Tensor x) -> Tensor", "gap { }"},
        {"3", "t::f(Tensor x, int q=0) -> Tensor", ""}},
       {{"2", "3", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 0)"},
        {"3", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"1", "3", "%r : Tensor = t::f(%x)", "refused: no_neutral_value(p)"}}},
  });
}

TEST(BindModule, NamesAndPlaces) {
  Check({
      {"keyword-only arguments reordered, made positional and back",
       {{"1", "t::f(Tensor x, int p=0, *, int a=1, int b=2) -> Tensor", ""},
        {"2", "t::f(Tensor x, *, int b=2, int p=0, int a=1) -> Tensor", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x, 5, a=6, b=7)",
         "%r : Tensor = t::f(%x, b=7, p=5, a=6)"},
        {"2", "1", "%r : Tensor = t::f(%x, b=7, p=5, a=6)",
         "%r : Tensor = t::f(%x, 5, a=6, b=7)"}}},
      {"positional arguments reordered",
       {{"1", "t::f(Tensor x, Tensor y) -> Tensor", ""},
        {"2", "t::f(Tensor y, Tensor x) -> Tensor", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x, %y)",
         "%r : Tensor = t::f(%y, %x)"}}},
      {"renamed argument, declared",
       {{"1", "t::f(Tensor x, int p=0) -> Tensor", ""},
        {"2", "t::f(Tensor x, *, int q=0) -> Tensor",
         "changes { operator: \"t::f\" renamed_argument { from: \"p\" to: "
         "\"q\" } }"}},
       {{"1", "2", "%r : Tensor = t::f(%x, 1)", "%r : Tensor = t::f(%x, q=1)"},
        {"2", "1", "%r : Tensor = t::f(%x, q=%n)",
         "%r : Tensor = t::f(%x, %n)"}}},
      {"renamed argument, not declared",
       {{"1", "t::f(Tensor x, int p=0) -> Tensor", ""},
        {"2", "t::f(Tensor x, *, int q=0) -> Tensor", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x, 1)", "refused: retired_argument(p)"},
        {"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, q=0)"},
        {"2", "1", "%r : Tensor = t::f(%x, q=1)",
         "refused: unknown_argument(q)"}}},
      {"renamed operator",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::g(Tensor x) -> Tensor",
         "changes { operator: \"t::g\" renamed_from: \"t::f\" }"}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::g(%x)"},
        {"2", "1", "%r : Tensor = t::g(%x)", "%r : Tensor = t::f(%x)"}}},
      {"an operator whose schema repeats a name cannot be used",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x, int x=0) -> Tensor", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "refused: unknown_operator"}}},
      {"added and removed operators",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor", ""}},
       {{"2", "1", "%r : Tensor = t::g(%x)", "refused: unknown_operator"},
        {"2", "1", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"}}},
  });
}

TEST(BindModule, IgnorableArguments) {
  const std::string declared =
      "changes { operator: \"t::f\" ignorable_argument: \"hint\" }";
  Check({
      {"not known, not neutral",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x, bool hint=False) -> Tensor", declared}},
       {{"2", "1", "%r : Tensor = t::f(%x, True)", "%r : Tensor = t::f(%x)"},
        {"2", "1", "%r : Tensor = t::f(%x, %b)", "%r : Tensor = t::f(%x)"},
        {"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, False)"}}},
      {"no value: what stands for nothing",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x, int hint) -> Tensor", declared}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 0)"}}},
      {"no value: a list",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x, int[2] hint) -> Tensor", declared}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, [])"}}},
      {"never what is written to",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x, Tensor(a!)? hint=None) -> Tensor", declared}},
       {{"2", "1", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"2", "1", "%r : Tensor = t::f(%x, %o)",
         "refused: unknown_argument(hint)"}}},
      {"no value, and nothing that stands for it",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x, Device hint) -> Tensor", declared}},
       {{"1", "2", "%r : Tensor = t::f(%x)",
         "refused: no_neutral_value(hint)"}}},
  });
}

TEST(BindModule, ResultsAndMarks) {
  Check({
      {"a result added",
       {{"1", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> ()", ""},
        {"2", "t::f(Tensor x) -> (Tensor, int)\nt::g(Tensor x) -> ()", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x)\n= t::g(%r)",
         "%r : Tensor, %10 : int = t::f(%x)\n= t::g(%r)"},
        {"2", "1", "%r : Tensor, %i : int = t::f(%x)\n= t::g(%r)",
         "%r : Tensor = t::f(%x)\n= t::g(%r)"}}},
      {"whether something is written to is a mark too",
       {{"1", "t::f(Tensor(a) x) -> Tensor(a)", ""},
        {"2", "t::f(Tensor(a!) x) -> Tensor(a!)", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x)",
         "refused: alias_changed(x), alias_changed"},
        {"2", "1", "%r : Tensor = t::f(%x)",
         "refused: alias_changed(x), alias_changed"}}},
      {"what one call uses says nothing of another",
       {{"1", "t::f(Tensor x) -> (Tensor, Tensor)\nt::g(Tensor x) -> ()", ""},
        {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> ()", ""}},
       {{"1", "2",
         "%r : Tensor, %r2 : Tensor = t::f(%x)\n"
         "%q : Tensor, %q2 : Tensor = t::f(%x)\n= t::g(%r)\n= t::g(%q2)",
         "refused: missing_result"}}},
      {"a list of subtypes passes, unless something writes to it",
       {{"1", "t::f(int[] l) -> Tensor\nt::fill(int[](a!) l) -> ()", ""},
        {"2", "t::f(Scalar[] l) -> Tensor\nt::fill(int[](a!) l) -> ()", ""}},
       {{"1", "2", "%r : Tensor = t::f(%l)", "%r : Tensor = t::f(%l)"},
        {"1", "2", "%r : Tensor = t::f(%l)\n= t::fill(%l)",
         "refused: type_mismatch(l)"}}},
      {"a used result is missing",
       {{"1", "t::f(Tensor x) -> (Tensor, Tensor)\nt::g(Tensor x) -> ()", ""},
        {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> ()", ""}},
       {{"1", "2", "%r : Tensor, %s2 : Tensor = t::f(%x)\n= t::g(%s2)",
         "refused: missing_result"},
        {"1", "2", "%r : Tensor, %s2 : Tensor = t::f(%x)\n= t::g(%r)",
         "%r : Tensor = t::f(%x)\n= t::g(%r)"}}},
      {"reasons of arguments and of results are given together",
       {{"1", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> ()", ""},
        {"2",
         "t::f(Tensor x, int p=0) -> (Tensor, Tensor)\nt::g(Tensor x) -> ()",
         ""}},
       {{"2", "1", "%r : Tensor, %q : Tensor = t::f(%x, 1)\n= t::g(%q)",
         "refused: unknown_argument(p), missing_result"}}},
      {"two used results are missing: one reason",
       {{"1",
         "t::f(Tensor x) -> (Tensor, Tensor, Tensor)\nt::g(Tensor x) -> ()",
         ""},
        {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> ()", ""}},
       {{"1", "2",
         "%r : Tensor, %p : Tensor, %q : Tensor = t::f(%x)\n= t::g(%p)\n"
         "= t::g(%q)",
         "refused: missing_result"}}},
      {"a result's type changed",
       {{"1", "t::f(Tensor x) -> Tensor?\nt::g(Tensor? x) -> ()", ""},
        {"2", "t::f(Tensor x) -> Tensor\nt::g(Tensor? x) -> ()", ""}},
       {{"1", "2", "%r : Tensor? = t::f(%x)\n= t::g(%r)",
         "%r : Tensor = t::f(%x)\n= t::g(%r)"},
        {"2", "1", "%r : Tensor = t::f(%x)\n= t::g(%r)",
         "refused: type_mismatch"}}},
      {"marks changed",
       {{"1", "t::f(Tensor(a!) x) -> Tensor(a!)", ""},
        {"2", "t::f(Tensor x) -> Tensor", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x)",
         "refused: alias_changed(x), alias_changed"}}},
      {"alias sets renamed",
       {{"1", "t::f(Tensor(a!) x, Tensor(b) y) -> (Tensor(a!), Tensor(b))", ""},
        {"2", "t::f(Tensor(c!) x, Tensor(d) y) -> (Tensor(c!), Tensor(d))", ""},
        {"3", "t::f(Tensor(a!) x, Tensor(b) y) -> (Tensor(a!), Tensor(a))",
         ""}},
       {{"1", "2", "%r : Tensor, %q : Tensor = t::f(%x, %y)",
         "%r : Tensor, %q : Tensor = t::f(%x, %y)"},
        {"2", "3", "%r : Tensor, %q : Tensor = t::f(%x, %y)",
         "refused: alias_changed(x), alias_changed(y), alias_changed"}}},
      {"T to T? moves no mark; sets are unordered",
       {{"1", "t::f(Tensor(a!) x, Tensor(b) y) -> Tensor(a|b)", ""},
        {"2", "t::f(Tensor(d!)? x, Tensor(c) y) -> Tensor(c|d)", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x, %y)",
         "%r : Tensor = t::f(%x, %y)"}}},
      {"annotation fixed: the marks just before, nothing older",
       {{"1", "t::f(Tensor(a!) x) -> Tensor", ""},
        {"2", "t::f(Tensor x) -> Tensor", ""},
        {"3", "t::f(Tensor(a) x) -> Tensor(a)",
         "changes { operator: \"t::f\" annotation_fixed: true }"}},
       {{"2", "3", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"3", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"1", "3", "%r : Tensor = t::f(%x)",
         "refused: alias_changed(x), alias_changed"},
        {"3", "1", "%r : Tensor = t::f(%x)",
         "refused: alias_changed(x), alias_changed"}}},
  });
}

TEST(BindModule, WhatCannotBeDecodedNeverFits) {
  Check({
      {"not even left out, unless the entries are equal",
       {{"1", "t::f(Tensor x, MemoryFormat m=tomorrow) -> Tensor", ""},
        {"2", "t::f(Tensor x, MemoryFormat m=tomorrow) -> Tensor", ""},
        {"3", "t::f(Tensor x, MemoryFormat m=tomorrow, int p=0) -> Tensor",
         ""}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"1", "3", "%r : Tensor = t::f(%x)", "refused: value_does_not_fit(m)"},
        {"1", "2", "%r : Tensor = t::f(%x, someday)",
         "%r : Tensor = t::f(%x, someday)"},
        {"1", "3", "%r : Tensor = t::f(%x, someday)",
         "refused: value_does_not_fit(m)"}}},
      {"None at a list of optionals is a value there",
       {{"1", "t::f(Tensor x, Tensor?[] l=None) -> Tensor", ""},
        {"2", "t::f(Tensor x, Tensor?[] l=None, int p=0) -> Tensor", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, p=0)"}}},
  });
}

TEST(BindModule, Varargs) {
  Check({
      {"one list; absent is empty",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x, ...) -> Tensor", ""}},
       {{"2", "1", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"2", "2", "%r : Tensor = t::f(%x, %y, 1)",
         "%r : Tensor = t::f(%x, %y, 1)"},
        {"2", "1", "%r : Tensor = t::f(%x, %y)",
         "refused: unknown_argument(...)"}}},
      {"they stay what they are where something else changes",
       {{"1", "t::f(Tensor x, ...) -> Tensor", ""},
        {"2", "t::f(Tensor x, int p=0, ...) -> Tensor", ""}},
       {{"1", "2", "%r : Tensor = t::f(%x, %y, 1)",
         "%r : Tensor = t::f(%x, 0, %y, 1)"}}},
  });
}

TEST(BindModule, Revisions) {
  Check({
      {"unchanged steps go up; others need an upgrader",
       {{"1", "t::f(Tensor x, int p=0) -> Tensor", ""},
        {"2", "t::f(Tensor x, int p=0) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 "
         "unchanged_when { all { argument: \"p\" one_of: \"0\" } } } }"},
        {"3", "t::f(Tensor x, int p=1) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 3 "
         "unchanged_when { all { argument: \"p\" one_of: \"0\" one_of: \"2\" "
         "} } } }"}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x)"},
        {"1", "3", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 0)"},
        {"1", "2", "%r : Tensor = t::f(%x, 1)", "refused: no_upgrader"},
        {"1", "2", "%r : Tensor = t::f(%x, %n)", "refused: no_upgrader"},
        {"2", "3", "%r : Tensor = t::f(%x, 2)", "%r : Tensor = t::f(%x, 2)"},
        {"1", "3", "%r : Tensor = t::f(%x, 2)", "refused: no_upgrader"},
        {"3", "2", "%r : Tensor = t::f(%x, 1)", "refused: newer_revision"}}},
      {"the condition is read on the new schema",
       {{"1", "t::f(Tensor x) -> Tensor", ""},
        {"2", "t::f(Tensor x, int q=0) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 "
         "unchanged_when { all { argument: \"q\" one_of: \"0\" } } } }"}},
       {{"1", "2", "%r : Tensor = t::f(%x)", "%r : Tensor = t::f(%x, 0)"}}},
      {"the condition holds for equal values",
       {{"1", "t::f(Tensor x, int p=1) -> Tensor", ""},
        {"2", "t::f(Tensor x, int? p=1) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 "
         "unchanged_when { all { argument: \"p\" one_of: \"None\" } } } } "
         "changes { operator: \"t::f\" equal_value { argument: \"p\" "
         "value: \"None\" means: \"0\" } }"}},
       {{"1", "2", "%r : Tensor = t::f(%x, 0)", "%r : Tensor = t::f(%x, 0)"},
        {"1", "2", "%r : Tensor = t::f(%x)", "refused: no_upgrader"}}},
      {"a condition that holds does not make other arguments fit",
       {{"1", "t::f(Tensor x, int p=0, float v=0.0) -> Tensor", ""},
        {"2", "t::f(Tensor x, int p=0, int v=0) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 "
         "unchanged_when { all { argument: \"p\" one_of: \"0\" } } } }"}},
       {{"1", "2", "%r : Tensor = t::f(%x, 0, 3.0)",
         "%r : Tensor = t::f(%x, 0, 3)"},
        {"1", "2", "%r : Tensor = t::f(%x, 0, 0.5)", "refused: no_upgrader"}}},
  });
}

TEST(BindModule, TheWholeCallTypeChecks) {
  Check({
      {"type variables are solved together",
       {{"1", "t::f(Tensor x, int n) -> Tensor", ""},
        {"2", "t::f(Tensor x, int n) -> Tensor\nt::g(t[] a, t b) -> t", ""},
        {"3",
         "t::f(Tensor x, int n) -> Tensor\nt::g(t[] a, t b, *, int c=0) "
         "-> t",
         ""}},
       {{"2", "3", "%r : int = t::g(%l, %n)", "%r : int = t::g(%l, %n, c=0)"},
        {"2", "3", "%r : int = t::g([1, 2], 3)",
         "%r : int = t::g([1, 2], 3, c=0)"}}},
  });
}

// The header of a file need not name what the file calls, and may name it
// twice.
TEST(BindModule, TheOpsetsAreTheReadersThatAreNamedOrCalledEachOnce) {
  const std::shared_ptr<const OpsetHistory> history =
      MakeHistory({{"1", "t::f(Tensor x) -> Tensor", ""},
                   {"2", "t::f(Tensor x, int n=0) -> Tensor", ""}});
  ASSERT_NE(history, nullptr);
  const Runtime reader = Runtime::Create({*history->At("2")}).value();
  const std::vector<OpsetVersion> expected = {{"t", "2"}};
  for (const std::vector<OpsetVersion>& written :
       {std::vector<OpsetVersion>{{"t", "1"}}, std::vector<OpsetVersion>{},
        std::vector<OpsetVersion>{{"other", "7"}},
        std::vector<OpsetVersion>{{"t", "1"}, {"t", "0"}}}) {
    Module module = StoryModule(*history, "1", "%r : Tensor = t::f(%x)");
    module.opsets = written;
    const BindResult bound = BindModule(std::move(module), reader);
    ASSERT_TRUE(bound.accepted());
    EXPECT_TRUE(bound.module.opsets == expected) << written.size();
  }
}

}  // namespace
}  // namespace opcompat
