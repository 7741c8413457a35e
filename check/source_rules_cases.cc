// Rules about program text.
#include <vector>

#include "check/rules_cases.h"

namespace opcompat {

std::vector<RuleCase> SourceRuleCases() {
  return {
      {"argument-inserted",
       "source",
       {{"1.0", "t::f(Tensor x, int q=0) -> Tensor"},
        {"2.0", "t::f(Tensor x, int p=0, int q=0) -> Tensor"}},
       {},
       "t::f 1.0->2.0 source argument-inserted: argument `p` was added before "
       "`q`: files are read, text that passes that by position means another "
       "call",
       "t::f(x, q)",
       "add it at the end, or keyword-only"},
      {"argument-made-keyword-only",
       "source",
       {{"1.0", "t::f(Tensor x, int p) -> Tensor"},
        {"2.0", "t::f(Tensor x, *, int p) -> Tensor"}},
       {},
       "t::f 1.0->2.0 source argument-made-keyword-only: argument `p` is "
       "keyword-only now: text that passes it by position is refused",
       "t::f(x, p)",
       "pass it by name"},
      {"argument-made-positional",
       "source",
       {{"1.0", "t::f(Tensor x, *, int p) -> Tensor"},
        {"2.0", "t::f(Tensor x, int p) -> Tensor"}},
       {},
       "t::f 1.0->2.0 source argument-made-positional: argument `p` may go by "
       "position now, which text for 1.0 cannot",
       "t::f(x, p)",
       "pass it by name as long as that version is in use"},
      {"argument-renamed",
       "source",
       {{"1.0", "t::f(Tensor x, int dim) -> Tensor"},
        {"2.0", "t::f(Tensor x, int axis) -> Tensor",
         "changes { operator: \"t::f\" renamed_argument { from: \"dim\" to: "
         "\"axis\" } }\n"}},
       {},
       "t::f 1.0->2.0 source argument-renamed: argument `axis` was called "
       "`dim` in 1.0: files are read, text that passes it by name is not",
       "t::f(x, dim=dim)",
       "take the old keyword in the front end too"},
      // What stands between is left out, and what comes behind is by keyword.
      {"argument-renamed",
       "source",
       {{"1.0",
         "t::f(Tensor x, int p=0, int dim=1, *, Tensor w, int q=2) -> Tensor"},
        {"2.0",
         "t::f(Tensor x, int p=0, int axis=1, *, Tensor w, int q=2) -> Tensor",
         "changes { operator: \"t::f\" renamed_argument { from: \"dim\" to: "
         "\"axis\" } }\n"}},
       {},
       "t::f 1.0->2.0 source argument-renamed: argument `axis` was called "
       "`dim` in 1.0: files are read, text that passes it by name is not",
       "t::f(x, dim=dim, w=w)",
       "take the old keyword in the front end too"},
      {"arguments-reordered",
       "source",
       {{"1.0", "t::f(Tensor x, int p, int q) -> Tensor"},
        {"2.0", "t::f(Tensor x, int q, int p) -> Tensor"}},
       {},
       "t::f 1.0->2.0 source arguments-reordered: arguments that go by "
       "position have another order: files are read, text that passes them by "
       "position means another call",
       "t::f(x, p, q)",
       "keep the order, or make them keyword-only first"},
      {"default-added",
       "source",
       {{"1.0", "t::f(Tensor x, int p) -> Tensor"},
        {"2.0", "t::f(Tensor x, int p=0) -> Tensor"}},
       {},
       "t::f 1.0->2.0 source default-added: argument `p` has the default `0` "
       "now: text that leaves it out is not for 1.0",
       "t::f(x)",
       "pass it as long as that version is in use"},
      {"default-changed",
       "source",
       {{"1.0", "t::f(Tensor x, float p=0.0) -> Tensor"},
        {"2.0", "t::f(Tensor x, float p=-0.0) -> Tensor"}},
       {},
       "t::f 1.0->2.0 source default-changed: the default of argument `p` was "
       "`0.0` and is `-0.0`: files keep their meaning, text that leaves it out "
       "does not",
       "t::f(x)",
       "keep the default, or add an overload"},
      {"default-changed",
       "source",
       {{"1.0", "t::f(Tensor x, float p=0.0) -> Tensor"},
        {"2.0", "t::f(Tensor x, float p=nan) -> Tensor"}},
       {},
       "t::f 1.0->2.0 source default-changed: the default of argument `p` was "
       "`0.0` and is `nan`: files keep their meaning, text that leaves it out "
       "does not",
       "t::f(x)",
       "keep the default, or add an overload"},
      {"default-removed",
       "source",
       {{"1.0", "t::f(Tensor x, int p=0) -> Tensor"},
        {"2.0", "t::f(Tensor x, int p) -> Tensor"}},
       {},
       "t::f 1.0->2.0 source default-removed: argument `p` had the default `0` "
       "and is required now: files are read, text that leaves it out is "
       "refused",
       "t::f(x)",
       "keep the default"},
      {"list-size-changed",
       "source",
       {{"1.0", "t::f(Tensor x, int[2] p) -> Tensor"},
        {"2.0", "t::f(Tensor x, int[] p) -> Tensor"}},
       {},
       "t::f 1.0->2.0 source list-size-changed: argument `p` was `int[2]` and "
       "is `int[]`: a lone value stood for 2 copies of it, and stands for none "
       "now",
       "t::f(x, p=1)",
       "pass a list"},
      {"list-size-changed",
       "source",
       {{"1.0", "t::f(Tensor x, int[2] p) -> Tensor"},
        {"2.0", "t::f(Tensor x, int[3] p) -> Tensor"}},
       {},
       "t::f 1.0->2.0 source list-size-changed: argument `p` was `int[2]` and "
       "is `int[3]`: a lone value stood for 2 copies of it, and stands for 3 "
       "now",
       "t::f(x, p=1)",
       "pass a list"},
      {"name-reused",
       "source",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::g(Tensor x) -> Tensor"},
        {"3.0", "t::f(Tensor x) -> Tensor\nt::g(Tensor x) -> Tensor"}},
       {},
       "t::f 1.0->3.0 source name-reused: the operator was there in 1.0, not "
       "in 2.0, and is back: it is read as the same operator",
       "t::f(x)",
       "if it is another operator, give it another name"},
      {"name-reused",
       "source",
       {{"1.0", "t::f(Tensor x, int p=0) -> Tensor"},
        {"2.0", "t::f(Tensor x) -> Tensor"},
        {"3.0", "t::f(Tensor x, int p=0) -> Tensor"}},
       {},
       "t::f 1.0->3.0 source name-reused: argument `p` was there in 1.0, not "
       "in 2.0, and is back: it is read as the same argument",
       "t::f(x, p=p)",
       "if it is another argument, give it another name"},
      {"operator-renamed",
       "source",
       {{"1.0", "t::f(Tensor x) -> Tensor"},
        {"2.0", "t::g(Tensor x) -> Tensor",
         "changes { operator: \"t::g\" renamed_from: \"t::f\" }\n"}},
       {},
       "t::g 1.0->2.0 source operator-renamed: was called t::f in 1.0: files "
       "are read, text of that name is not",
       "t::f(x)",
       "keep the old name as an alias in the front end"},
      {"overload-ambiguous",
       "source",
       {{"1.0", "t::f(Tensor x, int p) -> Tensor"},
        {"2.0",
         "t::f(Tensor x, int p) -> Tensor\nt::f.wide(Tensor x, Scalar p, int "
         "q=0) -> Tensor"}},
       {},
       "t::f.wide 1.0->2.0 source overload-ambiguous: the new overload takes a "
       "call that t::f takes too",
       "t::f(x, p)  # x : Tensor, p : int",
       "give it a name of its own, or an argument without a default that tells "
       "it apart"},
      {"overload-steals-call",
       "source",
       {{"1.0", "t::f(Tensor x, int p) -> Tensor"},
        {"2.0",
         "t::f.wide(Tensor x, Scalar p, int q=0) -> Tensor\nt::f(Tensor x, int "
         "p) -> Tensor"}},
       {},
       "t::f.wide 1.0->2.0 source overload-steals-call: the new overload "
       "stands before t::f and takes a call that was its",
       "t::f(x, p)  # x : Tensor, p : int",
       "give it a name of its own, or an argument without a default that tells "
       "it apart"},
      {"result-renamed",
       "source",
       {{"1.0", "t::f(Tensor x) -> (Tensor values, Tensor indices)"},
        {"2.0", "t::f(Tensor x) -> (Tensor values, Tensor places)"}},
       {},
       "t::f 1.0->2.0 source result-renamed: result 1 was called `indices` and "
       "is `places`: files are read, text that takes it by name is not",
       "t::f(x).indices",
       "keep the name"},
  };
}

}  // namespace opcompat
