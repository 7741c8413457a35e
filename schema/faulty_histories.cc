#include "schema/faulty_histories.h"

#include <string>
#include <vector>

namespace opcompat {
namespace {

// A change of `t::f`, or of `op`, as one line of a declaration.
std::string Of(const std::string& what, const std::string& op = "t::f") {
  return "changes { operator: '" + op + "' " + what + " }\n";
}

}  // namespace

const std::vector<FaultyHistory>& FaultyHistories() {
  static const auto* const kHistories = new std::vector<FaultyHistory>{
      // The history as a whole.
      {"NoVersion",
       {},
       {"history.textproto:1: history `t` has no version; it "
        "needs at least one"}},
      {"VersionTwice",
       {{"t::f() -> int"}, {"t::f() -> int", "", "1"}},
       {"history.textproto:4: version 1 occurs twice; ids are unique in a "
        "history"}},
      {"OutOfOrder",
       {{"t::f() -> int", "", "1.13.1"},
        {"t::f() -> int", "", "1.7.1"},
        {"t::f() -> int", "", "2.0"},
        {"t::f() -> int", "", "nightly"},
        {"t::f() -> int", "", "1.9"}},
       {"history.textproto:4: version 1.7.1 stands after 1.13.1; versions are "
        "in order, oldest first"}},
      // What a command line, a header or a path would take otherwise.
      {"IdThatStandsForAllVersions",
       {{"t::f() -> int", "", "all"}},
       {"history.textproto:2: version id `all` stands for every version of a "
        "history; choose another"}},
      {"IdWithAPath",
       {{"t::f() -> int", "", "../7"}},
       {"history.textproto:2: version id \"../7\" has the character `/`; "
        "expected no whitespace, no control characters and none of @ \" \\ / > "
        "# ,"}},

      // Names of operators.
      {"UnknownOperator",
       {{"t::f() -> int"},
        {"t::f() -> int", Of("annotation_fixed: true", "t::g")}},
       {"history.textproto:5: t::g (t 2): the change is about an operator that "
        "this version lacks"}},
      {"ChangeOfAnOperatorThatIsGone",
       {{"t::f(int p) -> int\nt::g() -> int"},
        {"t::g() -> int", Of("retired_value { argument: 'p' value: '1' }")}},
       {"history.textproto:5: t::f (t 2): the operator is not in this version "
        "any more; of such only `removed` can be declared (or, if it has a new "
        "name, changes under that)"}},
      {"ChangeThatSaysNothing",
       {{"t::f() -> int", Of("note: 'x'") + Of("annotation_fixed: false")}},
       {"history.textproto:3: t::f (t 1): the change says nothing",
        "history.textproto:4: t::f (t 1): the change says nothing"}},
      {"RenameOfWhatDoesNotExist",
       {{"t::f() -> int"},
        {"t::f() -> int\nt::g() -> int", Of("renamed_from: 't::e'", "t::g")}},
       {"history.textproto:5: t::g (t 2): cannot be renamed from `t::e`: the "
        "version before has no such operator"}},
      {"RenameInTheFirstVersion",
       {{"t::f() -> int", Of("renamed_from: 't::e'")}},
       {"history.textproto:3: t::f (t 1): cannot be renamed from `t::e`: the "
        "version before has no such operator"}},
      {"RenameOfWhatStillExists",
       {{"t::f() -> int"},
        {"t::f() -> int\nt::g() -> int", Of("renamed_from: 't::f'", "t::g")}},
       {"history.textproto:5: t::g (t 2): cannot be renamed from `t::f`: this "
        "version still has an operator of that name"}},
      {"TwoRenamesFromOneName",
       {{"t::f() -> int"},
        {"t::g() -> int\nt::h() -> int",
         Of("renamed_from: 't::f'", "t::g") +
             Of("renamed_from: 't::f'", "t::h")}},
       {"history.textproto:6: t::h (t 2): cannot be renamed from `t::f`: "
        "`t::g` is renamed from that already"}},
      {"TwoRenamesToOneName",
       {{"t::e() -> int\nt::f() -> int"},
        {"t::g() -> int", Of("renamed_from: 't::e'", "t::g") +
                              Of("renamed_from: 't::f'", "t::g")}},
       {"history.textproto:6: t::g (t 2): cannot be renamed from `t::f`: it is "
        "renamed from `t::e` already"}},
      {"RenameToATakenName",
       {{"t::e() -> int\nt::f() -> int"},
        {"t::f() -> int", Of("renamed_from: 't::e'")}},
       {"history.textproto:5: t::f (t 2): cannot be renamed from `t::e`: "
        "another operator has or had the new name, and names stay reserved"}},
      {"RenameToANameOfThePast",
       {{"t::e() -> int\nt::f() -> int"},
        {"t::f() -> int"},
        {"t::e() -> int", Of("renamed_from: 't::f'", "t::e")}},
       {"history.textproto:7: t::e (t 3): cannot be renamed from `t::f`: "
        "another operator has or had the new name, and names stay reserved"}},
      {"NewOperatorTakesANameOfThePast",
       {{"t::f() -> int"},
        {"t::g() -> int", Of("renamed_from: 't::f'", "t::g")},
        {"t::g() -> int\nt::f() -> int"}},
       {"3.ops:3: t::f (t 3): the operator takes an earlier name of `t::g`; "
        "names stay reserved (is a renamed_from missing?)"}},

      // Names of arguments.
      {"RenameOfAnArgumentThatDoesNotExist",
       {{"t::f(int a=1) -> int"},
        {"t::f(int a=1, int b=1) -> int",
         Of("renamed_argument { from: 'c' to: 'b' }")}},
       {"history.textproto:5: t::f (t 2): argument `c` cannot be renamed to "
        "`b`: the version before has no argument `c`"}},
      {"RenameOfAnArgumentThatStillExists",
       {{"t::f(int a=1) -> int"},
        {"t::f(int a=1, int b=1) -> int",
         Of("renamed_argument { from: 'a' to: 'b' }")}},
       {"history.textproto:5: t::f (t 2): argument `a` cannot be renamed to "
        "`b`: this version still has an argument of the old name"}},
      {"RenameToAnArgumentThatDoesNotExist",
       {{"t::f(int a=1) -> int"},
        {"t::f() -> int", Of("renamed_argument { from: 'a' to: 'b' }")}},
       {"history.textproto:5: t::f (t 2): argument `a` cannot be renamed to "
        "`b`: this version has no argument of the new name"}},
      {"ArgumentRenamedToTwoNames",
       {{"t::f(int a=1) -> int"},
        {"t::f(int b=1, int c=1) -> int",
         Of("renamed_argument { from: 'a' to: 'b' }") +
             Of("renamed_argument { from: 'a' to: 'c' }")}},
       {"history.textproto:6: t::f (t 2): argument `a` cannot be renamed to "
        "`c`: it is already renamed to `b`"}},
      {"TwoArgumentsRenamedToOneName",
       {{"t::f(int a=1, int b=1) -> int"},
        {"t::f(int c=1) -> int",
         Of("renamed_argument { from: 'a' to: 'c' }") +
             Of("renamed_argument { from: 'b' to: 'c' }")}},
       {"history.textproto:6: t::f (t 2): argument `b` cannot be renamed to "
        "`c`: another argument is renamed to that"}},
      {"ArgumentRenamedToATakenName",
       {{"t::f(int a=1, int b=1) -> int"},
        {"t::f(int b=1) -> int", Of("renamed_argument { from: 'a' to: 'b' }")}},
       {"history.textproto:5: t::f (t 2): argument `a` cannot be renamed to "
        "`b`: another argument has or had the new name, and names stay "
        "reserved"}},
      {"NamesOfArgumentsSwapped",
       {{"t::f(int a=1, int b=1) -> int"},
        {"t::f(int a=1, int b=1) -> int",
         Of("renamed_argument { from: 'a' to: 'b' }") +
             Of("renamed_argument { from: 'b' to: 'a' }")}},
       {"history.textproto:5: t::f (t 2): argument `a` cannot be renamed to "
        "`b`: this version still has an argument of the old name",
        "history.textproto:6: t::f (t 2): argument `b` cannot be renamed to "
        "`a`: this version still has an argument of the old name"}},
      {"RetiredArgumentRenamed",
       {{"t::f(int a=1) -> int"},
        {"t::f() -> int"},
        {"t::f(int b=1) -> int", Of("renamed_argument { from: 'a' to: 'b' }")}},
       {"history.textproto:7: t::f (t 3): argument `a` cannot be renamed to "
        "`b`: it is retired; only its own name brings it back"}},
      {"ArgumentTakesANameOfThePast",
       {{"t::f(int a=1) -> int"},
        {"t::f(int b=1) -> int", Of("renamed_argument { from: 'a' to: 'b' }")},
        {"t::f(int b=1, int a=2) -> int"}},
       {"3.ops:2: t::f (t 3): argument `a` takes an earlier name of argument "
        "`b`; names stay reserved (is a renamed_argument missing?)"}},
      {"PlaceholdersReordered",
       {{"t::f(Tensor _0, int _1) -> int"}, {"t::f(int _1, Tensor _0) -> int"}},
       {"2.ops:2: t::f (t 2): argument `_1` moved from place 2 to place 1; "
        "such "
        "names stand for places, so it is open which argument it is (give the "
        "arguments names)",
        "2.ops:2: t::f (t 2): argument `_0` moved from place 1 to place 2; "
        "such "
        "names stand for places, so it is open which argument it is (give the "
        "arguments names)"}},

      // Types.
      {"TypesThatDoNotRelate",
       {{"t::f(int a) -> int"}, {"t::f(str a) -> int"}, {"t::f(str a) -> int"}},
       {"2.ops:2: t::f (t 2): argument `a`: values of type `str` cannot be "
        "compared with those of `int`; a change of meaning needs a "
        "semantic_change"}},
      {"TooManyTypes",
       {{"t::f(int a) -> int"},
        {"t::f(Scalar a) -> int"},
        {"t::f(float a) -> int"}},
       {"3.ops:2: t::f (t 3): argument `a`: type `float` is one too many "
        "beside "
        "`int`, `Scalar`: values of more than two kinds of types cannot all be "
        "compared; a change of meaning needs a semantic_change"}},
      {"TypesOfAnArgumentThatReturnsCountToo",
       {{"t::f(int a=1) -> int"}, {"t::f() -> int"}, {"t::f(str a) -> int"}},
       {"3.ops:2: t::f (t 3): argument `a`: values of type `str` cannot be "
        "compared with those of `int`; a change of meaning needs a "
        "semantic_change"}},

      // Neutral and retired values.
      {"NeutralOfNoArgument",
       {{"t::f() -> int"},
        {"t::f(int p=1) -> int",
         Of("neutral_value { argument: 'q' value: '1' }")}},
       {"history.textproto:5: t::f (t 2): neutral_value: this version has no "
        "argument `q`: t::f(int p=1) -> int"}},
      {"NeutralDeclaredTooLate",
       {{"t::f(int x) -> int"},
        {"t::f(int x, int p=1) -> int"},
        {"t::f(int x, int p=1) -> int",
         Of("neutral_value { argument: 'x' value: '1' }") +
             Of("neutral_value { argument: 'p' value: '1' }")}},
       {"history.textproto:7: t::f (t 3): neutral_value belongs to the version "
        "that adds the argument, and `x` is known from the beginning",
        "history.textproto:8: t::f (t 3): neutral_value belongs to the version "
        "that adds the argument, and `p` is known since 2"}},
      {"NeutralDeclaredWhenTheArgumentReturns",
       {{"t::f(int p=1) -> int"},
        {"t::f() -> int"},
        {"t::f(int p=1) -> int",
         Of("neutral_value { argument: 'p' value: '1' }")}},
       {"history.textproto:7: t::f (t 3): neutral_value belongs to the version "
        "that adds the argument, and `p` is known from the beginning"}},
      {"ValueThatIsNoneOfTheType",
       {{"t::f() -> int"},
        {"t::f(int p=1, str s=\"\") -> int",
         Of("neutral_value { argument: 'p' value: '1.5' }") +
             Of("neutral_value { argument: 's' }")}},
       {"history.textproto:5: t::f (t 2): `1.5` is no value of type `int`, "
        "which argument `p` has: 1:1: expected int, found 1.5",
        "history.textproto:6: t::f (t 2): `` is no value of type `str`, which "
        "argument `s` has: 1:1: expected a literal, found the end"}},
      {"ValueAndNone",
       {{"t::f(int p=1) -> int"},
        {"t::f(int q=1) -> int",
         "gap {}\n" +
             Of("neutral_value { argument: 'q' value: '1' none: true "
                "}") +
             Of("retired_value { argument: 'p' value: '1' none: true }")}},
       {"history.textproto:6: t::f (t 2): neutral_value gives a value and says "
        "`none` too",
        "history.textproto:7: t::f (t 2): retired_value gives a value and says "
        "`none` too"}},
      {"DeclaredTwice",
       {{"t::f(int p=1) -> int"},
        {"t::f(int q=1) -> int",
         Of("neutral_value { argument: 'q' value: '1' }") +
             Of("neutral_value { argument: 'q' none: true }") +
             Of("retired_value { argument: 'p' value: '1' }") +
             Of("retired_value { argument: 'p' value: '1' }") +
             Of("ignorable_argument: 'q'") + Of("ignorable_argument: 'q'")}},
       {"history.textproto:6: t::f (t 2): the neutral value of argument `q` is "
        "declared twice",
        "history.textproto:8: t::f (t 2): the retired value of argument `p` is "
        "declared twice",
        "history.textproto:10: t::f (t 2): the ignorable mark of argument `q` "
        "is declared twice"}},
      {"RetiredOfNoArgument",
       {{"t::f() -> int"},
        {"t::f(int p=1) -> int",
         Of("retired_value { argument: 'q' value: '1' }") +
             Of("retired_value { argument: 'p' value: '1' }")}},
       {"history.textproto:5: t::f (t 2): retired_value: the version before "
        "has "
        "no argument `q`",
        "history.textproto:6: t::f (t 2): retired_value: the version before "
        "has "
        "no argument `p`"}},
      {"RetiredOfAnArgumentThatIsThere",
       {{"t::f(int p=1) -> int"},
        {"t::f(int p=1) -> int",
         Of("retired_value { argument: 'p' value: '1' }")}},
       {"history.textproto:5: t::f (t 2): retired_value belongs to the version "
        "that removes the argument, and this one has `p`"}},
      {"RetiredDeclaredTooLate",
       {{"t::f(int p=1) -> int"},
        {"t::f() -> int"},
        {"t::f() -> int", Of("retired_value { argument: 'p' value: '2' }")}},
       {"history.textproto:7: t::f (t 3): retired_value belongs to the version "
        "that removes the argument, and `p` was removed before"}},
      {"RetiredByAnEarlierName",
       {{"t::f(int a=1) -> int"},
        {"t::f(int b=1) -> int", Of("renamed_argument { from: 'a' to: 'b' }")},
        {"t::f() -> int", Of("retired_value { argument: 'a' value: '2' }")}},
       {"history.textproto:8: t::f (t 3): retired_value: the last name of "
        "argument `a` is `b`"}},
      {"RequiredArgumentRemoved",
       {{"t::f(int p) -> int"}, {"t::f() -> int"}},
       {"2.ops:2: t::f (t 2): argument `p` is removed; it has no default, so "
        "declare its retired_value, or a semantic_change (or a "
        "renamed_argument, if it has another name now)"}},
      {"RemovedWithoutValue",
       {{"t::f(int p=1) -> int"},
        {"t::f() -> int", Of("retired_value { argument: 'p' none: true }")}},
       {"history.textproto:5: t::f (t 2): argument `p` is removed without a "
        "retired value, which is a change of meaning: declare a "
        "semantic_change"}},
      {"ExceptionOfAGap",
       {{"t::f(int p=1) -> int"},
        {"t::f(int p=1) -> int",
         "gap { except { operator: 't::f' argument: 'p' }\n"
         "except { operator: 't::f' argument: 'q' }\n"
         "except { operator: 't::g' argument: 'p' } }"}},
       {"history.textproto:7: t::g (t 2): the gap excepts an argument of an "
        "operator that this version lacks",
        "history.textproto:5: t::f (t 2): the gap excepts argument `p`, which "
        "is neither added nor removed across it",
        "history.textproto:6: t::f (t 2): the gap excepts argument `q`, which "
        "is neither added nor removed across it"}},

      // Ignorable and equal.
      {"IgnorableTooLate",
       {{"t::f(int p=1) -> int"},
        {"t::f(int p=1) -> int",
         Of("ignorable_argument: 'p'") + Of("ignorable_argument: 'q'")}},
       {"history.textproto:5: t::f (t 2): ignorable_argument belongs to the "
        "version that adds the argument, and `p` is known from the beginning",
        "history.textproto:6: t::f (t 2): ignorable_argument: this version has "
        "no argument `q`: t::f(int p=1) -> int"}},
      {"EqualTooLate",
       {{"t::f(int? p=None) -> int"},
        {"t::f(int? p=0) -> int",
         Of("equal_value { argument: 'p' value: 'None' means: '0' }")}},
       {"history.textproto:5: t::f (t 2): equal_value belongs to the version "
        "that makes both values possible, and type `int?`, which argument `p` "
        "had before, has both `None` and `0`"}},
      {"EqualTooLateBecauseOfAnOlderVersion",
       {{"t::f(int? p=None) -> int"},
        {"t::f(int p=0) -> int"},
        {"t::f(Scalar? p=None) -> int",
         Of("equal_value { argument: 'p' value: 'None' means: '0' }")}},
       {"history.textproto:7: t::f (t 3): equal_value belongs to the version "
        "that makes both values possible, and type `int?`, which argument `p` "
        "had before, has both `None` and `0`"}},
      {"EqualValuesThatAreNoValues",
       {{"t::f() -> int"},
        {"t::f(int p=0) -> int",
         Of("equal_value { argument: 'p' value: 'None' means: '0.5' }") +
             Of("equal_value { argument: 'p' value: '1' means: '1' }") +
             Of("equal_value { argument: 'p' value: '2' means: '1' }") +
             Of("equal_value { argument: 'p' value: '2' means: '3' }") +
             Of("equal_value { argument: 'p' value: '1' means: '5' }")}},
       {"history.textproto:5: t::f (t 2): `None` is no value of type `int`, "
        "which argument `p` has: 1:1: expected int, found None",
        "history.textproto:5: t::f (t 2): `0.5` is no value of type `int`, "
        "which argument `p` has: 1:1: expected int, found 0.5",
        "history.textproto:6: t::f (t 2): equal_value of argument `p`: `1` and "
        "`1` are one value already",
        "history.textproto:8: t::f (t 2): equal_value of argument `p`: what "
        "`2` means is declared from `2` to `1` already; name the final value "
        "on the right, and each value once on the left",
        "history.textproto:9: t::f (t 2): equal_value of argument `p`: what "
        "`1` means is declared from `2` to `1` already; name the final value "
        "on the right, and each value once on the left"}},

      // Revisions and steps.
      {"RevisionSkips",
       {{"t::f() -> int"},
        {"t::f() -> int", Of("semantic_change { revision: 3 }")},
        {"t::f() -> int", Of("semantic_change { revision: 2 }")}},
       {"history.textproto:5: t::f (t 2): semantic_change to revision 3, but "
        "the next one is 2",
        "history.textproto:8: t::f (t 3): semantic_change to revision 2, but "
        "the next one is 3"}},
      {"RevisionOfANewOperator",
       {{"t::f() -> int", Of("semantic_change { revision: 2 }")}},
       {"history.textproto:3: t::f (t 1): a new operator begins at revision 1, "
        "so it has no semantic_change"}},
      {"TwoRevisionsAtOnce",
       {{"t::f() -> int"},
        {"t::f() -> int", Of("semantic_change { revision: 2 }") +
                              Of("semantic_change { revision: 3 }")}},
       {"history.textproto:6: t::f (t 2): a version can make one new revision "
        "of an operator, and this is its second semantic_change"}},
      {"ConditionsOnTheWrongSide",
       {{"t::f(int p=1) -> int"},
        {"t::f(int q=1) -> int",
         Of("semantic_change { revision: 2 unchanged_when { all { argument: "
            "'p' one_of: '1' } } }")}},
       {"history.textproto:5: t::f (t 2): a condition is about argument `p`, "
        "but the schema that it is read on has none of that name: t::f(int "
        "q=1) -> int"}},
      {"ConditionsOfUpgradersOnTheWrongSide",
       {{"t::f(int p=1) -> int"},
        {"t::f(int q=1) -> int",
         Of("semantic_change { revision: 2 upgraders { graph: '1.ops' when { "
            "all { argument: 'q' one_of: '1' } } } }")}},
       {"history.textproto:5: t::f (t 2): a condition is about argument `q`, "
        "but the schema that it is read on has none of that name: t::f(int "
        "p=1) -> int"}},
      {"ConditionsThatCannotBeRead",
       {{"t::f(int p=1) -> int"},
        {"t::f(int p=1) -> int",
         Of("semantic_change { revision: 2 unchanged_when { all { argument: "
            "'p' one_of: 'None' types: 'int??[' } all { argument: 'p' } } }")}},
       {"history.textproto:5: t::f (t 2): in the condition on argument `p`, "
        "`None` is no value of type `int`: 1:1: expected int, found None",
        "history.textproto:5: t::f (t 2): in the condition on argument `p`, "
        "`int??[` is no type: 1:5: found '?' after an optional type: the type "
        "is "
        "optional already",
        "history.textproto:5: t::f (t 2): the condition on argument `p` never "
        "holds: give it values (one_of) or types"}},
      {"StepsThatContradict",
       {{"t::f() -> int"},
        {"t::f() -> int",
         Of("semantic_change { revision: 2 one_way_up: true one_way_down: "
            "true upgraders { graph: '1.ops' } downgraders {} }")}},
       {"history.textproto:5: t::f (t 2): one_way_up says that there is no "
        "upgrader, but there is one",
        "history.textproto:5: t::f (t 2): one_way_down says that there is no "
        "downgrader, but there is one",
        "history.textproto:5: t::f (t 2): this downgrader names no graph"}},
      {"MissingGraph",
       {{"t::f() -> int"},
        {"t::f() -> int",
         Of("semantic_change { revision: 2 upgraders { graph: 'up.graph' } "
            "}")}},
       {"history.textproto:5: step graph `up.graph`: no file h/up.graph"}},
      {"RemovedOfWhatIsThere",
       {{"t::f() -> int\nt::g() -> int"},
        {"t::f() -> int\nt::h() -> int",
         Of("removed {}") + Of("removed {}", "t::e") +
             Of("renamed_from: 't::g'", "t::h") + Of("removed {}", "t::g")}},
       {"history.textproto:5: t::f (t 2): `removed` belongs to the version "
        "that "
        "removes the operator, and this one has it",
        "history.textproto:6: t::e (t 2): `removed` is about an operator that "
        "the version before lacks",
        "history.textproto:8: t::g (t 2): `removed` belongs to the version "
        "that "
        "removes the operator, and this one has it as `t::h`"}},
      {"ConditionsOfRemoved",
       {{"t::f(int p) -> int"},
        {"t::g() -> int",
         Of("removed { steps { graph: '1.ops' when { all { argument: 'q' "
            "one_of: '1' } } } }")}},
       {"history.textproto:5: t::f (t 2): a condition is about argument `q`, "
        "but the schema that it is read on has none of that name: t::f(int p) "
        "-> int"}},
      {"AddedOfWhatWasThere",
       {{"t::f() -> int"}, {"t::f() -> int", Of("added {}")}},
       {"history.textproto:5: t::f (t 2): `added` belongs to the version that "
        "adds the operator, and the version before has it already"}},
      {"ConditionsOfAdded",
       {{"t::g() -> int"},
        {"t::f(int p) -> int",
         Of("added { steps { graph: '1.ops' when { all { argument: 'q' one_of: "
            "'1' } } } }")}},
       {"history.textproto:5: t::f (t 2): a condition is about argument `q`, "
        "but the schema that it is read on has none of that name: t::f(int p) "
        "-> int"}},

      // Marks and results.
      {"FixedWithoutAChange",
       {{"t::f(Tensor(a) x) -> Tensor(a)"},
        {"t::f(Tensor(a) x) -> Tensor(a)\nt::g() -> int",
         Of("annotation_fixed: true") + Of("annotation_fixed: true") +
             Of("annotation_fixed: true", "t::g")}},
       {"history.textproto:6: t::f (t 2): annotation_fixed is declared twice",
        "history.textproto:6: t::f (t 2): annotation_fixed: this version "
        "changes no alias annotation",
        "history.textproto:7: t::g (t 2): annotation_fixed: the operator is "
        "new "
        "in this version"}},
      {"ResultsShrinkAndGrow",
       {{"t::f() -> (int, int)"},
        {"t::f() -> (int, int, int)"},
        {"t::f() -> int"},
        {"t::f() -> int"},
        {"t::f() -> (int, int)"}},
       {"5.ops:2: t::f (t 5): the list of results grows from 1 to 2 after it "
        "had shrunk, which is a change of meaning: declare a "
        "semantic_change"}},
      {"DeclarationsAboutAnUnusableSchema",
       {{"t::f(int x) -> int"},
        {"t::f(int x, int x) -> int", Of("ignorable_argument: 'x'")}},
       {"history.textproto:5: t::f (t 2): nothing can be declared about an "
        "operator whose schema repeats an argument name"}},

      // All of them at once.
      {"EveryFaultIsReportedInTheOrderOfTheVersions",
       {{"t::f(int a) -> int\nt::g(int a) -> int", Of("note: ''")},
        {"t::f(str a) -> int\nt::g() -> int", Of("ignorable_argument: 'a'")},
        {"t::f(str a) -> int\nt::g() -> int",
         Of("annotation_fixed: true", "t::h")}},
       {"history.textproto:3: t::f (t 1): the change says nothing",
        "2.ops:2: t::f (t 2): argument `a`: values of type `str` cannot be "
        "compared with those of `int`; a change of meaning needs a "
        "semantic_change",
        "history.textproto:6: t::f (t 2): ignorable_argument belongs to the "
        "version that adds the argument, and `a` is known from the beginning",
        "2.ops:3: t::g (t 2): argument `a` is removed; it has no default, so "
        "declare its retired_value, or a semantic_change (or a "
        "renamed_argument, if it has another name now)",
        "history.textproto:9: t::h (t 3): the change is about an operator that "
        "this version lacks"}},
  };
  return *kHistories;
}

}  // namespace opcompat
