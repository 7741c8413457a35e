#include "check/rules_table.h"

#include <algorithm>
#include <vector>

#include "absl/strings/string_view.h"

namespace opcompat {

const std::vector<Rule>& Rules() {
  // Sorted by id, which FindRule relies on.
  static const auto* const rules = new std::vector<Rule>{
      {"alias-changed", "backward, forward",
       "alias sets or write marks say something else"},
      {"argument-added", "forward",
       "an added argument: the older version knows its neutral value only"},
      {"argument-added-no-neutral-value", "backward",
       "an argument with a default was added, and nothing says that the "
       "default is what the operator did before"},
      {"argument-added-required", "backward",
       "an argument was added without a default"},
      {"argument-came-and-went", "backward, forward",
       "an argument was added and removed again, and what it is worth without "
       "it differs before and after"},
      {"argument-inserted", "source",
       "an argument was added before others that go by position"},
      {"argument-made-keyword-only", "source",
       "an argument cannot be passed by position any more"},
      {"argument-made-positional", "source",
       "a keyword-only argument can now be passed by position"},
      {"argument-removed", "backward",
       "a removed argument: the newer version knows its retired value only"},
      {"argument-removed-no-retired-value", "forward",
       "an argument was removed, and nothing says at which value the newer "
       "version behaves"},
      {"argument-renamed", "source",
       "an argument has another name, as declared"},
      {"argument-type-changed", "backward, forward",
       "an argument's types before and after do not contain each other"},
      {"argument-type-narrowed", "backward, forward",
       "an argument's type takes fewer values"},
      {"argument-type-widened", "backward, forward",
       "an argument's type takes more values"},
      {"arguments-reordered", "source",
       "arguments that go by position have another order"},
      {"default-added", "source", "a required argument became optional"},
      {"default-changed", "source",
       "text that leaves the argument out means another value"},
      {"default-removed", "source", "an optional argument became required"},
      {"list-size-changed", "source",
       "a lone value at `T[n]` stands for another number of copies, or for "
       "none"},
      {"name-reused", "source",
       "an operator or argument that an earlier version removed is back, and "
       "is read as the same one"},
      {"needs-declaration", "backward",
       "two lists of schemas break a rule of histories about an operator"},
      {"neutral-value-does-not-fit", "backward",
       "the neutral value of an added argument is no value of its type now"},
      {"opaque-default", "backward, forward",
       "a default that opcompat cannot decode passes between equal schemas "
       "only"},
      {"operator-added", "forward", "the older version lacks the operator"},
      {"operator-removed", "backward", "the newer version lacks the operator"},
      {"operator-renamed", "source",
       "the operator has another name, as declared"},
      {"operator-unusable", "backward, forward",
       "the operator's schema repeats an argument name"},
      {"other-history", "backward, forward",
       "the two versions do not agree on where the operator or an argument "
       "came from"},
      {"overload-ambiguous", "source",
       "a new overload takes a call that an older one takes too"},
      {"overload-steals-call", "source",
       "a new overload takes a call of an older one that stands behind it"},
      {"result-added", "forward", "the older version has fewer results"},
      {"result-removed", "backward", "the newer version has fewer results"},
      {"result-renamed", "source", "a result has another name"},
      {"result-type-changed", "backward, forward", "a result has another type"},
      {"retired-value-changed", "backward, forward",
       "the versions disagree on the value of an argument that both retired"},
      {"retired-value-does-not-fit", "forward",
       "the retired value of an argument is no value of its type before"},
      {"revision-added", "forward",
       "the meaning changed, and calls of the newer revision reach the older "
       "version"},
      {"revision-no-upgrader", "backward",
       "the meaning changed, and no upgrader takes some call"},
      {"revision-one-way-up", "backward",
       "the meaning changed, and the history says that older calls cannot be "
       "upgraded"},
      {"revision-step-undeclared-down", "source",
       "a new revision has neither a downgrader nor one_way_down"},
      {"revision-step-undeclared-up", "source",
       "a new revision has neither an upgrader nor one_way_up"},
      {"step-refuses", "backward",
       "a call is refused on the way from one revision to another"},
      {"type-variables-changed", "backward, forward",
       "arguments whose types are solved together changed; calls may not "
       "type-check"},
      {"undecided", "backward, forward",
       "too many conditions to decide whether every call passes"},
      {"upgrader-does-not-bind", "backward",
       "an upgrader calls operators that have changed since it was written"},
      {"vararg-added", "forward",
       "the older version takes no further operands"},
      {"vararg-removed", "backward",
       "the newer version takes no further operands"},
      {"varret-changed", "backward, forward",
       "only one of the versions has any number of results"},
  };
  return *rules;
}

const Rule* FindRule(absl::string_view id) {
  const std::vector<Rule>& rules = Rules();
  const auto found =
      std::lower_bound(rules.begin(), rules.end(), id,
                       [](const Rule& rule, absl::string_view wanted) {
                         return rule.id < wanted;
                       });
  return found != rules.end() && found->id == id ? &*found : nullptr;
}

}  // namespace opcompat
