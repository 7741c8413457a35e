// What becomes of the calls of an operator, and who says so.
#ifndef OPCOMPAT_BINDING_OPERATOR_RULE_H_
#define OPCOMPAT_BINDING_OPERATOR_RULE_H_

#include <functional>
#include <string>
#include <vector>

#include "binding/call.h"
#include "binding/written_versions.h"
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
  // The same of constants that are no words.
  std::vector<bool> passes_non_words;
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
  // Asked once for each operator with an entry. `versions` are of the module
  // that calls it: the module that is rewritten, or a step graph.
  virtual OperatorRule RuleFor(const OperatorEntryPtr& entry,
                               const WrittenVersions& versions) = 0;
  // An operator and its version for messages: `aten::gelu (torch 2.6.0)`.
  virtual std::string Describe(const OperatorEntry& entry,
                               const WrittenVersions& versions) const = 0;
};

// The rules of the module's operators, in their order; none of intrinsics.
// `versions` are its own.
std::vector<OperatorRule> RulesFor(const Module& module,
                                   const WrittenVersions& versions,
                                   CallRules& rules);

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_OPERATOR_RULE_H_
