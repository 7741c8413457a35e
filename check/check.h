// The evolution rules on whole histories: whether each change keeps every
// valid call's meaning, in both directions, against every earlier version.
//
// A verdict is exact: a pair of versions has no finding about an operator in a
// direction (backward, forward) iff every valid call is read: any constants
// that its arguments' types have, any graph values of any subtypes, any
// arguments left out, results used or not. (Never is one misread: binding does
// not.) proof_test.cc shows it against the oracle. Forward is plain reading:
// steps down serve targets only, but a call goes out at the lowest revision
// that unchanged steps reach.
//
// Not claimed:
//   * of constants that opcompat cannot decode, only defaults count: words
//     without a number, any literal at a type that it does not know, None at
//     `T?[]`. Passed by hand, such a constant is read only where the operator
//     has not changed at all;
//   * where type variables, many conditions, or graphs with operators of
//     another history are at work, a finding may be there although every call
//     is read: rules `type-variables-changed`, `undecided`,
//     `upgrader-does-not-bind`. See entry_rules.h and revision_rules.h.
//
// Source findings are about program text and what a history leaves unsaid;
// nothing is proved of them.
#ifndef OPCOMPAT_CHECK_CHECK_H_
#define OPCOMPAT_CHECK_CHECK_H_

#include <string>
#include <vector>

#include "check/finding.h"
#include "schema/declared_history.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {

struct CheckOptions {
  // Only findings whose newer version is this one; empty: all.
  std::string newer;
};

// Every finding of a history: of each pair of versions the ones that no nearer
// pair has (neither a later older version nor an earlier newer one). In order
// of newer version, then operator, category, rule, argument. `declared` gives
// the places; may be null. Linear in the sum of the versions' operators, but
// for operators that change in many versions (each of their states is compared
// with each), and those with steps.
std::vector<Finding> CheckHistory(const OpsetHistory& history,
                                  const DeclaredHistory* declared,
                                  const CheckOptions& options = {});

// The findings of one pair of versions of one history, all of them, without
// places. (Rule `name-reused` needs the versions between: CheckHistory has it.)
// If they are not of one history, that is what the findings say.
std::vector<Finding> CheckPair(const Opset& older, const Opset& newer);

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_CHECK_H_
