// Replaces every call of a module by another call of the same meaning, or by a
// graph of such calls: what binding and lowering do to whole modules. Work is
// done once per shape of call (form, constants that matter, types of values,
// used results). A node costs a look-up if it changes and next to nothing if
// not: columns are changed where they are, unless a call becomes a graph or
// gets other results.
#ifndef OPCOMPAT_BINDING_REWRITE_CALLS_H_
#define OPCOMPAT_BINDING_REWRITE_CALLS_H_

#include <cstddef>
#include <vector>

#include "absl/types/optional.h"
#include "binding/operator_rule.h"
#include "binding/report.h"
#include "ir/ids.h"
#include "ir/module.h"

namespace opcompat {

struct RewriteResult {
  std::vector<Reason> reasons;
  Module module;  // if there are no reasons; header data as in the input
  LoadReport report;
  // Whether some node was replaced by a graph: then the module may not be
  // canonical.
  bool expanded = false;
  // Whether the module, if that which went in verified, may not verify: types
  // may not fit that no call shows alone.
  bool needs_verifying = false;
  // By function: which nodes may be wrong then (VerifyOptions::doubtful);
  // nullopt: any may.
  absl::optional<std::vector<std::vector<NodeId>>> doubtful;
  // How many shapes of calls were thought about, those in graphs included: what
  // costs time beside a copy of each node.
  size_t num_plans = 0;
};

// Linear in the module that comes out. A call that would become more than
// kMaxExpandedNodes nodes, or that needs graphs in graphs deeper than
// kMaxGraphDepth, is a reason (kLimit).
// `doubtful`: which nodes of `module` are not right by themselves
// (VerifyOptions::doubtful), as its maker knows; null: nobody does.
RewriteResult RewriteCalls(
    Module module, CallRules& rules,
    const std::vector<std::vector<NodeId>>* doubtful = nullptr);

inline constexpr size_t kMaxExpandedNodes = 100000;
inline constexpr int kMaxGraphDepth = 200;

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_REWRITE_CALLS_H_
