// The evolution rules on whole histories: whether each change keeps every
// valid call's meaning, in both directions, against every earlier version.
// A verdict "compatible" for a pair of versions and a direction is exact: no
// valid call is then refused or misread (check/ proves it against the oracle).
#ifndef OPCOMPAT_CHECK_CHECK_H_
#define OPCOMPAT_CHECK_CHECK_H_

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
// the places; may be null.
std::vector<Finding> CheckHistory(const OpsetHistory& history,
                                  const DeclaredHistory* declared,
                                  const CheckOptions& options = {});

// The findings of one pair of versions of one history, all of them.
std::vector<Finding> CheckPair(const Opset& older, const Opset& newer);

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_CHECK_H_
