// Rules about revisions and their steps.
#include <vector>

#include "check/rules_cases.h"

namespace opcompat {

std::vector<RuleCase> RevisionRuleCases() {
  return {
      {"revision-added",
       "forward",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 "
         "one_way_up: true one_way_down: true } }\n"}},
       {},
       "t::f 1.0->2.0 forward revision-added: the meaning changed with "
       "revision 2, which 1.0 does not have, and a call goes out at it",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "say when old and new meaning agree (unchanged_when); no target helps, "
       "as revision 2 is declared one_way_down"},
      {"revision-added",
       "forward",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 "
         "one_way_up: true } }\n"}},
       {},
       "t::f 1.0->2.0 forward revision-added: the meaning changed with "
       "revision 2, which 1.0 does not have, and a call goes out at it",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "write for the older version as a target, with a downgrader; or say "
       "when old and new meaning agree (unchanged_when)"},
      {"revision-added",
       "forward",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 "
         "one_way_up: true downgraders { graph: \"down.graph\" } } }\n"}},
       {{"down.graph",
         "func down(%x : Tensor) -> (Tensor):\n  %r : Tensor = t::f(%x)\n  "
         "return (%r)\n"}},
       "t::f 1.0->2.0 forward revision-added: the meaning changed with "
       "revision 2, which 1.0 does not have, and a call goes out at it",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "write for the older version as a target, which the declared "
       "downgraders serve; or say when old and new meaning agree "
       "(unchanged_when)"},
      {"revision-no-upgrader",
       "backward",
       {{"1.0", "t::f(Tensor x, int p=0) -> Tensor"},
        {"2.0", "t::f(Tensor x, int p=0) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 "
         "unchanged_when { all { argument: \"p\" one_of: \"0\" } } } }\n"}},
       {},
       "t::f 1.0->2.0 backward revision-no-upgrader: the meaning changed with "
       "revision 2, and no upgrader takes some call of 1.0",
       "%r : Tensor = t::f(%x, 1)  # %x : Tensor",
       "give `semantic_change { revision: 2 }` an upgrader without conditions: "
       "`upgraders { graph: \"FILE.graph\" }`"},
      {"revision-one-way-up",
       "backward",
       {{"1.0", "t::f(Tensor x, int p=0) -> Tensor"},
        {"2.0", "t::f(Tensor x, int p=0) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 "
         "one_way_up: true unchanged_when { all { argument: \"p\" one_of: "
         "\"0\" } } } }\n"}},
       {},
       "t::f 1.0->2.0 backward revision-one-way-up: the meaning changed with "
       "revision 2, declared one_way_up: calls of 1.0 are refused",
       "%r : Tensor = t::f(%x, 1)  # %x : Tensor",
       "give `semantic_change { revision: 2 }` an upgrader without conditions "
       "in place of one_way_up: `upgraders { graph: \"FILE.graph\" }`"},
      {"revision-step-undeclared-down",
       "source",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 "
         "one_way_up: true } }\n"}},
       {},
       "t::f 1.0->2.0 source revision-step-undeclared-down: revision 2 has no "
       "downgrader, and the history does not say that there is none",
       "t::f(x)",
       "in `semantic_change { revision: 2 }`: `downgraders { graph: "
       "\"FILE.graph\" }`, or `one_way_down: true`"},
      {"revision-step-undeclared-up",
       "source",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 "
         "one_way_down: true } }\n"}},
       {},
       "t::f 1.0->2.0 source revision-step-undeclared-up: revision 2 has no "
       "upgrader, and the history does not say that there is none",
       "t::f(x)",
       "in `semantic_change { revision: 2 }`: `upgraders { graph: "
       "\"FILE.graph\" }`, or `one_way_up: true`"},
      {"step-refuses",
       "backward",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::f(Tensor x, int p=1) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 "
         "unchanged_when {} one_way_down: true } }\n"},
        {"3.0", "t::f(Tensor x) -> Tensor",
         "changes { operator: \"t::f\" retired_value { argument: \"p\" value: "
         "\"0\" } }\n"}},
       {},
       "t::f 1.0->3.0 backward step-refuses: a call is refused on its way "
       "between revisions: retired_argument of argument `p`",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "give the step an upgrader that takes the call"},
      {"undecided",
       "backward",
       {{"1.0", "t::f(Tensor x, Scalar p=5, Scalar q=5, Scalar r=5) -> Tensor"},
        {"2.0", "t::f(Tensor x, Scalar p=5, Scalar q=5, Scalar r=5) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 "
         "unchanged_when { all { argument: \"p\" one_of: \"0\" one_of: \"1\" } "
         "all { argument: \"q\" one_of: \"0\" one_of: \"1\" } all { argument: "
         "\"r\" one_of: \"0\" one_of: \"1\" } } } }\n"}},
       {},
       "t::f 1.0->2.0 backward undecided: the conditions of the steps tell "
       "more than 4096 calls apart, which are not all tried",
       "%r_ : Tensor = t::f(%x)  # %x : Tensor",
       "give the step an upgrader without conditions"},
      {"undecided",
       "forward",
       {{"1.0", "t::f(Tensor x, Scalar p=5, Scalar q=5, Scalar r=5) -> Tensor"},
        {"2.0", "t::f(Tensor x, Scalar p=5, Scalar q=5, Scalar r=5) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 "
         "unchanged_when { all { argument: \"p\" one_of: \"0\" one_of: \"1\" } "
         "all { argument: \"q\" one_of: \"0\" one_of: \"1\" } all { argument: "
         "\"r\" one_of: \"0\" one_of: \"1\" } } } }\n"}},
       {},
       "t::f 1.0->2.0 forward undecided: the conditions of the steps tell more "
       "than 4096 calls apart, which are not all tried",
       "%r_ : Tensor = t::f(%x)  # %x : Tensor",
       "give the step an upgrader without conditions"},
      {"upgrader-does-not-bind",
       "backward",
       {{"1.0", "t::f(Tensor x) -> Tensor\nt::g(Tensor x, int p) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor\nt::g(Tensor x, int p) -> Tensor",
         "changes { operator: \"t::f\" semantic_change { revision: 2 upgraders "
         "{ graph: \"up.graph\" } one_way_down: true } }\n"},
        {"3.0", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor",
         "changes { operator: \"t::g\" retired_value { argument: \"p\" value: "
         "\"0\" } }\n"}},
       {{"up.graph",
         "func up(%x : Tensor) -> (Tensor):\n  %r : Tensor = t::g(%x, 3)\n  "
         "return (%r)\n"}},
       "t::f 1.0->3.0 backward upgrader-does-not-bind: the upgrader up.graph, "
       "written at 2.0, does not bind at 3.0: t::g is refused: "
       "retired_argument of argument `p`",
       "%r : Tensor = t::f(%x)  # %x : Tensor",
       "declare what changed in the operator that it calls, or let that change "
       "be a semantic_change with an upgrader of its own"},
  };
}

}  // namespace opcompat
