// Rules about files: what is refused backward or forward.
#include <vector>

#include "check/rules_cases.h"

namespace opcompat {

std::vector<RuleCase> FileRuleCases() {
  return {
      {"alias-changed",
       "backward",
       {{"1.0", "t::f(Tensor(a!) x) -> Tensor(a!)"},
        {"2.0", "t::f(Tensor x) -> Tensor"}},
       {},
       "t::f 1.0->2.0 backward alias-changed: the alias marks of argument `x` "
       "were `Tensor(a!)` and are `Tensor`",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "changes { operator: \"t::f\" annotation_fixed: true }"},
      {"alias-changed",
       "forward",
       {{"1.0", "t::f(Tensor(a!) x) -> Tensor(a!)"},
        {"2.0", "t::f(Tensor x) -> Tensor"}},
       {},
       "t::f 1.0->2.0 forward alias-changed: the alias marks of argument `x` "
       "were `Tensor(a!)` and are `Tensor`",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "changes { operator: \"t::f\" annotation_fixed: true }"},
      {"argument-added",
       "forward",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x, int p=0) -> Tensor"}},
       {},
       "t::f 1.0->2.0 forward argument-added: argument `p` is not known to "
       "1.0, which behaves as at `0` and refuses calls that pass anything else",
       "%r : Tensor = t::f(%x, 1)  # %x : Tensor",
       "changes { operator: \"t::f\" ignorable_argument: \"p\" }"},
      {"argument-added-no-neutral-value",
       "backward",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x, int p=0) -> Tensor", "gap {}\n"}},
       {},
       "t::f 1.0->2.0 backward argument-added-no-neutral-value: argument `p` "
       "was added, nothing says that its default `0` is what the operator did "
       "before, and calls of 1.0 do not have it",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "changes { operator: \"t::f\" neutral_value { argument: \"p\" value: "
       "\"0\" } }"},
      {"argument-added-required",
       "backward",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x, str mode) -> Tensor"}},
       {},
       "t::f 1.0->2.0 backward argument-added-required: argument `mode` was "
       "added without a default, and calls of 1.0 do not have it",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "changes { operator: \"t::f\" neutral_value { argument: \"mode\" value: "
       "\"\\\"\\\"\" } }"},
      {"argument-added-required",
       "backward",
       {{"1.0", "t::f(Tensor x, int dim=0) -> Tensor"},
        {"2.0", "t::f(Tensor x, int axis) -> Tensor"}},
       {},
       "t::f 1.0->2.0 backward argument-added-required: argument `axis` was "
       "added without a default, and calls of 1.0 do not have it",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "changes { operator: \"t::f\" renamed_argument { from: \"dim\" to: "
       "\"axis\" } }"},
      {"argument-removed",
       "backward",
       {{"1.0", "t::f(Tensor x, int dim=0) -> Tensor"},
        {"2.0", "t::f(Tensor x, int axis=0) -> Tensor"}},
       {},
       "t::f 1.0->2.0 backward argument-removed: argument `dim` is not there "
       "any more in 2.0, which behaves as at `0` and refuses calls that pass "
       "anything else",
       "%r : Tensor = t::f(%x, 1)  # %x : Tensor",
       "changes { operator: \"t::f\" renamed_argument { from: \"dim\" to: "
       "\"axis\" } }"},
      {"argument-came-and-went",
       "backward",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x, int p=0) -> Tensor"},
        {"3.0", "t::f(Tensor x) -> Tensor",
         "changes { operator: \"t::f\" retired_value { argument: \"p\" value: "
         "\"1\" } }\n"}},
       {},
       "t::f 1.0->3.0 backward argument-came-and-went: without argument `p` "
       "1.0 behaves as at `0`, 3.0 as at `1`",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "retire it at the value at which both agree, or make it a "
       "semantic_change"},
      {"argument-came-and-went",
       "forward",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x, int p=0) -> Tensor"},
        {"3.0", "t::f(Tensor x) -> Tensor",
         "changes { operator: \"t::f\" retired_value { argument: \"p\" value: "
         "\"1\" } }\n"}},
       {},
       "t::f 1.0->3.0 forward argument-came-and-went: without argument `p` 3.0 "
       "behaves as at `1`, 1.0 as at `0`",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "retire it at the value at which both agree, or make it a "
       "semantic_change"},
      {"argument-removed",
       "backward",
       {{"1.0", "t::f(Tensor x, int p=0) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor"}},
       {},
       "t::f 1.0->2.0 backward argument-removed: argument `p` is not there any "
       "more in 2.0, which behaves as at `0` and refuses calls that pass "
       "anything else",
       "%r : Tensor = t::f(%x, 1)  # %x : Tensor",
       "keep the argument, or make it a semantic_change with an upgrader"},
      {"argument-removed-no-retired-value",
       "forward",
       {{"1.0", "t::f(Tensor x, int p) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor", "gap {}\n"}},
       {},
       "t::f 1.0->2.0 forward argument-removed-no-retired-value: argument `p` "
       "was removed without a retired value, and 1.0 needs one",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "changes { operator: \"t::f\" retired_value { argument: \"p\" value: "
       "\"0\" } }"},
      {"argument-type-changed",
       "backward",
       {{"1.0", "t::f(Tensor x, int p) -> Tensor"},
        {"2.0", "t::f(Tensor x, int[2] p) -> Tensor"}},
       {},
       "t::f 1.0->2.0 backward argument-type-changed: argument `p` was `int` "
       "and is `int[2]`, and 2.0 does not take a value of type `int`",
       "%r : Tensor = t::f(%x, %p)  # %x : Tensor, %p : int",
       "keep the type, add an overload, or make it a semantic_change with an "
       "upgrader"},
      {"argument-type-changed",
       "forward",
       {{"1.0", "t::f(Tensor x, int p) -> Tensor"},
        {"2.0", "t::f(Tensor x, int[2] p) -> Tensor"}},
       {},
       "t::f 1.0->2.0 forward argument-type-changed: argument `p` was `int` "
       "and is `int[2]`, and 1.0 does not take `[1]`",
       "%r : Tensor = t::f(%x, [1])  # %x : Tensor",
       "keep the type, add an overload, or make it a semantic_change with an "
       "upgrader"},
      {"argument-type-narrowed",
       "backward",
       {{"1.0", "t::f(Tensor x, int? p=None) -> Tensor"},
        {"2.0", "t::f(Tensor x, int p=0) -> Tensor"}},
       {},
       "t::f 1.0->2.0 backward argument-type-narrowed: argument `p` was `int?` "
       "and is `int`, and 2.0 does not take the default `None`",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "keep the type, add an overload, or make it a semantic_change with an "
       "upgrader"},
      {"argument-type-narrowed",
       "forward",
       {{"1.0", "t::f(Tensor x, Scalar[] p) -> Tensor"},
        {"2.0", "t::f(Tensor x, int[] p) -> Tensor"}},
       {},
       "t::f 1.0->2.0 forward argument-type-narrowed: argument `p` was "
       "`Scalar[]` and is `int[]`, and 1.0 does not take a list of type "
       "`int[]` that something writes to",
       " = prim::CallFunction[name=\"fill\"](%p)\n%r : Tensor = t::f(%x, %p)  "
       "# %x : Tensor, %p : int[]",
       "keep the type, add an overload, or make it a semantic_change with an "
       "upgrader"},
      {"argument-type-widened",
       "forward",
       {{"1.0", "t::f(Tensor x, int p) -> Tensor"},
        {"2.0", "t::f(Tensor x, Scalar p) -> Tensor"}},
       {},
       "t::f 1.0->2.0 forward argument-type-widened: argument `p` was `int` "
       "and is `Scalar`, and 1.0 does not take `0.5`",
       "%r : Tensor = t::f(%x, 0.5)  # %x : Tensor",
       "keep the type, add an overload, or make it a semantic_change with an "
       "upgrader"},
      {"argument-type-widened",
       "backward",
       {{"1.0", "t::f(Tensor x, int[] p) -> Tensor"},
        {"2.0", "t::f(Tensor x, Scalar[] p) -> Tensor"}},
       {},
       "t::f 1.0->2.0 backward argument-type-widened: argument `p` was `int[]` "
       "and is `Scalar[]`, and 2.0 does not take a list of type `int[]` that "
       "something writes to",
       " = prim::CallFunction[name=\"fill\"](%p)\n%r : Tensor = t::f(%x, %p)  "
       "# %x : Tensor, %p : int[]",
       "keep the type, add an overload, or make it a semantic_change with an "
       "upgrader"},
      {"neutral-value-does-not-fit",
       "backward",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x, Scalar p=0.5) -> Tensor"},
        {"3.0", "t::f(Tensor x, int p=1) -> Tensor"}},
       {},
       "t::f 1.0->3.0 backward neutral-value-does-not-fit: the neutral value "
       "`0.5` of argument `p` is no value of type `int`, which it has in 3.0",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "keep a type that has that value, or make it a semantic_change with an "
       "upgrader"},
      {"opaque-default",
       "backward",
       {{"1.0",
         "t::f(Tensor x, QScheme q=per_tensor_affine, int p=0) -> Tensor"},
        {"2.0",
         "t::f(Tensor x, QScheme q=per_channel_affine, int p=0) -> Tensor"}},
       {},
       "t::f 1.0->2.0 backward opaque-default: the default `per_tensor_affine` "
       "of argument `q` cannot be decoded, so it passes only between equal "
       "schemas, and something else of the operator changed",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "give the argument a type and a default that opcompat knows"},
      {"opaque-default",
       "forward",
       {{"1.0",
         "t::f(Tensor x, QScheme q=per_tensor_affine, int p=0) -> Tensor"},
        {"2.0",
         "t::f(Tensor x, QScheme q=per_channel_affine, int p=0) -> Tensor"}},
       {},
       "t::f 1.0->2.0 forward opaque-default: the default `per_channel_affine` "
       "of argument `q` cannot be decoded, so it passes only between equal "
       "schemas, and something else of the operator changed",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "give the argument a type and a default that opcompat knows"},
      {"operator-added",
       "forward",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor"}},
       {},
       "t::g 1.0->2.0 forward operator-added: the operator is not there in 1.0",
       "%r : Tensor = t::g(%x)  # %x : Tensor",
       "write for the older version as a target, with an `added` step (a "
       "downgrader)"},
      {"operator-removed",
       "backward",
       {{"1.0", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor"}},
       {},
       "t::g 1.0->2.0 backward operator-removed: the operator is not there in "
       "2.0",
       "%r : Tensor = t::g(%x)  # %x : Tensor",
       "changes { operator: \"t::g\" removed { steps { graph: \"FILE.graph\" } "
       "} }"},
      {"operator-removed",
       "backward",
       {{"1.0", "t::f(Tensor x, int p=0) -> Tensor"},
        {"2.0", "t::g(Tensor x, int p=0) -> Tensor"}},
       {},
       "t::f 1.0->2.0 backward operator-removed: the operator is not there in "
       "2.0",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "changes { operator: \"t::g\" renamed_from: \"t::f\" }"},
      {"operator-unusable",
       "backward",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x, int a, int a) -> Tensor"}},
       {},
       "t::f 1.0->2.0 backward operator-unusable: calls are refused by 2.0: "
       "the schema repeats an argument name: t::f(Tensor x, int a, int a) -> "
       "Tensor",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "correct the schema"},
      {"operator-unusable",
       "forward",
       {{"1.0", "t::f(Tensor x, int a, int a) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor"}},
       {},
       "t::f 1.0->2.0 forward operator-unusable: calls are refused by 1.0: the "
       "schema repeats an argument name: t::f(Tensor x, int a, int a) -> "
       "Tensor",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "correct the schema"},
      {"result-added",
       "forward",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> (Tensor, Tensor)"}},
       {},
       "t::f 1.0->2.0 forward result-added: result 1 of type `Tensor` is not "
       "there in 1.0, which refuses calls that use it",
       "%r0 : Tensor, %r1 : Tensor = t::f(%x)  # %x : Tensor",
       "add an overload instead"},
      {"result-removed",
       "backward",
       {{"1.0", "t::f(Tensor x) -> (Tensor, Tensor)"},
        {"2.0", "t::f(Tensor x) -> Tensor"}},
       {},
       "t::f 1.0->2.0 backward result-removed: result 1 of type `Tensor` is "
       "not there in 2.0, which refuses calls that use it",
       "%r0 : Tensor, %r1 : Tensor = t::f(%x)  # %x : Tensor",
       "keep the result, or make it a semantic_change with an upgrader"},
      {"result-type-changed",
       "backward",
       {{"1.0", "t::f(Tensor x) -> int"}, {"2.0", "t::f(Tensor x) -> Scalar"}},
       {},
       "t::f 1.0->2.0 backward result-type-changed: result 0 was `int` and is "
       "`Scalar`, and calls that use it as `int` are refused by 2.0",
       "%r : int = t::f(%x)  # %x : Tensor",
       "keep the type, add an overload, or make it a semantic_change with an "
       "upgrader"},
      {"result-type-changed",
       "forward",
       {{"1.0", "t::f(Tensor x) -> int"}, {"2.0", "t::f(Tensor x) -> Scalar"}},
       {},
       "t::f 1.0->2.0 forward result-type-changed: result 0 was `int` and is "
       "`Scalar`, and calls that declare it `float` are refused by 1.0",
       "%r : float = t::f(%x)  # %x : Tensor",
       "keep the type, add an overload, or make it a semantic_change with an "
       "upgrader"},
      {"retired-value-changed",
       "backward",
       {{"1.0", "t::f(Tensor x, int p=0) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor"},
        {"3.0", "t::f(Tensor x, int p=0) -> Tensor"},
        {"4.0", "t::f(Tensor x) -> Tensor",
         "changes { operator: \"t::f\" retired_value { argument: \"p\" value: "
         "\"1\" } }\n"}},
       {},
       "t::f 2.0->4.0 backward retired-value-changed: without argument `p` 2.0 "
       "behaves as at `0`, 4.0 as at `1`",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "retire it at the value at which both agree, or make it a "
       "semantic_change"},
      {"retired-value-changed",
       "forward",
       {{"1.0", "t::f(Tensor x, int p=0) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor"},
        {"3.0", "t::f(Tensor x, int p=0) -> Tensor"},
        {"4.0", "t::f(Tensor x) -> Tensor",
         "changes { operator: \"t::f\" retired_value { argument: \"p\" value: "
         "\"1\" } }\n"}},
       {},
       "t::f 2.0->4.0 forward retired-value-changed: without argument `p` 4.0 "
       "behaves as at `1`, 2.0 as at `0`",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "retire it at the value at which both agree, or make it a "
       "semantic_change"},
      {"retired-value-does-not-fit",
       "forward",
       {{"1.0", "t::f(Tensor x, int p) -> Tensor"},
        {"2.0", "t::f(Tensor x, Scalar p=0.5) -> Tensor"},
        {"3.0", "t::f(Tensor x) -> Tensor"}},
       {},
       "t::f 1.0->3.0 forward retired-value-does-not-fit: the retired value "
       "`0.5` of argument `p` is no value of type `int`, which it has in 1.0",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "keep a type that has that value, or make it a semantic_change with an "
       "upgrader"},
      {"type-variables-changed",
       "backward",
       {{"1.0", "t::f(t a) -> Tensor"}, {"2.0", "t::f(t a) -> t"}},
       {},
       "t::f 1.0->2.0 backward type-variables-changed: types are solved "
       "together here, and `result 0` changed: it is not certain that every "
       "call type-checks",
       "%r : Tensor = t::f(%a)  # %a : int",
       "keep arguments and results that have type variables as they are, or "
       "add an overload"},
      {"type-variables-changed",
       "forward",
       {{"1.0", "t::f(t a) -> Tensor"}, {"2.0", "t::f(t a) -> t"}},
       {},
       "t::f 1.0->2.0 forward type-variables-changed: types are solved "
       "together here, and `result 0` changed: it is not certain that every "
       "call type-checks",
       "%r : int = t::f(%a)  # %a : int",
       "keep arguments and results that have type variables as they are, or "
       "add an overload"},
      {"vararg-added",
       "forward",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x, ...) -> Tensor"}},
       {},
       "t::f 1.0->2.0 forward vararg-added: 1.0 takes no operands after the "
       "named ones (`...`)",
       "%r : Tensor = t::f(%x, %more0)  # %x : Tensor, %more0 : Tensor",
       "add an overload instead"},
      {"vararg-removed",
       "backward",
       {{"1.0", "t::f(Tensor x, ...) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor"}},
       {},
       "t::f 1.0->2.0 backward vararg-removed: 2.0 takes no operands after the "
       "named ones (`...`)",
       "%r : Tensor = t::f(%x, %more0)  # %x : Tensor, %more0 : Tensor",
       "add an overload instead"},
      {"varret-changed",
       "backward",
       {{"1.0", "t::f(Tensor x) -> ..."}, {"2.0", "t::f(Tensor x) -> ()"}},
       {},
       "t::f 1.0->2.0 backward varret-changed: a call may have any number of "
       "further results in 1.0, but not in 2.0",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "add an overload instead"},
      {"varret-changed",
       "forward",
       {{"1.0", "t::f(Tensor x) -> Tensor"}, {"2.0", "t::f(Tensor x) -> ..."}},
       {},
       "t::f 1.0->2.0 forward varret-changed: a call may have any number of "
       "further results in 2.0, but not in 1.0",
       "%r0 : Tensor, %r1 : Tensor = t::f(%x)  # %x : Tensor",
       "add an overload instead"},
  };
}

std::vector<RuleCase> RuleCases() {
  std::vector<RuleCase> cases = FileRuleCases();
  for (const auto& more : {SourceRuleCases(), RevisionRuleCases()}) {
    cases.insert(cases.end(), more.begin(), more.end());
  }
  return cases;
}

}  // namespace opcompat
