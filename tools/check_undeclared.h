// What the rules of histories say of two lists of schemas. Nobody declared
// anything there, so a change that only a declaration can settle is no mistake
// of the lists but a finding, and what helps is that declaration.
#ifndef OPCOMPAT_TOOLS_CHECK_UNDECLARED_H_
#define OPCOMPAT_TOOLS_CHECK_UNDECLARED_H_

#include <memory>
#include <vector>

#include "check/finding.h"
#include "schema/declared_history.h"
#include "schema/history.h"

namespace opcompat {

struct UndeclaredHistory {
  // Null if there are faults.
  std::shared_ptr<const OpsetHistory> history;
  // All, if one of them is not about an operator of the newer version.
  std::vector<HistoryFault> faults;
  // kBackward, of the rules `argument-type-changed` and `needs-declaration`;
  // most have no counterexample yet.
  std::vector<Finding> findings;
};

// Builds the history of two versions. Where faults about operators of the newer
// one stand in the way, `declared` gets a one-way semantic_change for each of
// these operators, so that everything else can be checked. An operator which
// that does not settle (`_0` and `_1` changed places) is left out of both.
UndeclaredHistory BuildUndeclared(DeclaredHistory* declared);

// Puts `undeclared` (BuildUndeclared's) among the findings of CheckHistory,
// which has found that the semantic_changes are one-way: that is left out, and
// its calls are the counterexamples.
std::vector<Finding> WithUndeclared(std::vector<Finding> undeclared,
                                    std::vector<Finding> findings);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_CHECK_UNDECLARED_H_
