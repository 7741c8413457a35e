// What the evolution rules say of a change between two versions of a history:
// which calls would not keep their meaning, and what to declare.
#ifndef OPCOMPAT_CHECK_FINDING_H_
#define OPCOMPAT_CHECK_FINDING_H_

#include <string>

#include "schema/declared_history.h"

namespace opcompat {

// Whom the change breaks.
enum class FindingCategory {
  // The newer version refuses calls that the older one wrote.
  kBackward,
  // The older version refuses calls that the newer one wrote.
  kForward,
  // Files keep their meaning, but program text that calls the operator may not
  // (an unqualified call becomes ambiguous, a keyword is gone), or the history
  // does not say what it must (a revision without steps).
  kSource,
};

struct Finding {
  // The rule's id: lower case, words joined by `-`: `argument-added-required`.
  // Stable: known-breaks files and suppressions name it.
  std::string rule;
  FindingCategory category = FindingCategory::kBackward;
  std::string history;
  // The pair of versions that shows it: the nearest one. (A break between two
  // versions is not told again of each pair around them.)
  std::string older;
  std::string newer;
  // By its name in the newer version (in the older one, if it is removed).
  std::string op;
  std::string argument;  // empty: not about one
  // One sentence without operator, versions and place: "argument `mode` was
  // added without a default, and calls of 1.0 do not have it".
  std::string message;
  // A statement in module text, valid at the version that wrote it, that is
  // refused by the other. For kSource it is no module text but program text
  // that one of the versions takes: a whole call, operands by position and by
  // keyword, each named after its argument: `t::f(x, count=count)`.
  std::string counterexample;
  // A declaration of history.textproto that would make the change safe, if it
  // is true; else what to do instead.
  std::string remedy;
  // The schema line, or the declaration, that makes the change.
  SourcePlace place;
};

// `backward`, `forward`, `source`.
const char* FindingCategoryName(FindingCategory category);

// The line of a finding, as known-breaks files have it:
// `aten::full 1.7.1->1.13.1 backward argument-added-required: MESSAGE`
std::string FindingText(const Finding& finding);

// The remedy as advice to a person: a declaration only with what it asserts.
std::string Advice(const Finding& finding);

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_FINDING_H_
