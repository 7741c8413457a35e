// Replaces every call of a module by another call of the same meaning, or by a
// graph of such calls: what binding and lowering do to whole modules. Work is
// done once per shape of call (form, constants that matter, types of values,
// used results). A node costs a look-up if it changes and next to nothing if
// not: columns are changed where they are, unless a call becomes a graph or
// gets other results.
#ifndef OPCOMPAT_BINDING_REWRITE_CALLS_H_
#define OPCOMPAT_BINDING_REWRITE_CALLS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "binding/call.h"
#include "binding/report.h"
#include "ir/module.h"
#include "schema/operator_entry.h"

namespace opcompat {

// What becomes of the calls of one operator.
struct OperatorRule {
  // Every call passes as it is, now with this (equal) entry.
  OperatorEntryPtr same;
  // Else: reasons against every call,
  std::vector<Refusal> refusals;
  // or a function of the call. Where it gives a graph, the graph is applied to
  // the call and then rewritten like the module itself.
  std::function<void(const Call& call, RewrittenCall* rewritten)> rewrite;
  // By exposed argument: constants pass as they are whatever their value
  // (CallArgument::State::kPassedConstant). Empty: none.
  std::vector<bool> passes_constants;
  // The results of every call are what they were, and `rewrite` does not ask
  // which are used.
  bool keeps_results = false;
  // Who reads, for messages: `torch 1.7.1`.
  std::string reader_name;
  // A call that cannot be rewritten stays as it is, instead of being a reason.
  bool keeps_refused = false;
};

// Says what becomes of the calls of a module, and of the graphs that take the
// place of some.
class CallRules {
 public:
  virtual ~CallRules() = default;
  // Asked once for each operator with an entry. `module` is the one that calls
  // it: the module that is rewritten, or a step graph.
  virtual OperatorRule RuleFor(const OperatorEntryPtr& entry,
                               const Module& module) = 0;
  // An operator and its version for messages: `aten::gelu (torch 2.6.0)`.
  virtual std::string Describe(const OperatorEntry& entry,
                               const Module& module) const = 0;
};

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
  // How many shapes of calls were thought about, those in graphs included: what
  // costs time beside a copy of each node.
  size_t num_plans = 0;
};

// Linear in the module that comes out. A call that would become more than
// kMaxExpandedNodes nodes, or that needs graphs in graphs deeper than
// kMaxGraphDepth, is a reason (kLimit).
RewriteResult RewriteCalls(Module module, CallRules& rules);

inline constexpr size_t kMaxExpandedNodes = 100000;
inline constexpr int kMaxGraphDepth = 200;

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_REWRITE_CALLS_H_
