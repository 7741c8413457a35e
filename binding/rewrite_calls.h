// Replaces every call of a module by another call of the same meaning, one for
// one: what binding and lowering do to whole modules. Work is done once per
// shape of call (form, constants that matter, types of values, used results);
// a node costs a look-up and a copy of its operands.
#ifndef OPCOMPAT_BINDING_REWRITE_CALLS_H_
#define OPCOMPAT_BINDING_REWRITE_CALLS_H_

#include <functional>
#include <string>
#include <vector>

#include "binding/call.h"
#include "binding/report.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/typing.h"

namespace opcompat {

// What becomes of one call.
struct RewrittenCall {
  Call call;
  TypeVariables variables;
  CallNotes notes;
  std::vector<Refusal> refusals;  // not empty: `call` means nothing
};

// What becomes of the calls of one operator.
struct OperatorRule {
  // Every call passes as it is, now with this (equal) entry.
  OperatorEntryPtr same;
  // Else: reasons against every call,
  std::vector<Refusal> refusals;
  // or a function of the call.
  std::function<void(const Call& call, RewrittenCall* rewritten)> rewrite;
  // By exposed argument: constants pass as they are whatever their value
  // (CallArgument::State::kPassedConstant). Empty: none.
  std::vector<bool> passes_constants;
  // A call that cannot be rewritten stays as it is, instead of being a reason.
  bool keeps_refused = false;
};

struct RewriteResult {
  std::vector<Reason> reasons;
  Module module;  // if there are no reasons; header data as in the input
  LoadReport report;
};

// Asks `rule_for` once for each operator with an entry. `describe` names an
// operator and its version in messages: `aten::gelu (torch 2.6.0)`.
RewriteResult RewriteCalls(
    const Module& module,
    const std::function<OperatorRule(const OperatorEntryPtr&)>& rule_for,
    const std::function<std::string(const OperatorEntry&)>& describe);

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_REWRITE_CALLS_H_
