// Binding where nothing changes, which is the common case: a reader of the
// writer's version, or of one to which all that the module calls is the same.
#ifndef OPCOMPAT_BINDING_PASS_ALL_H_
#define OPCOMPAT_BINDING_PASS_ALL_H_

#include <vector>

#include "binding/operator_rule.h"
#include "binding/report.h"
#include "ir/module.h"

namespace opcompat {

// Whether every call passes as it is, and operators stay apart.
bool AllPass(const Module& module, const std::vector<OperatorRule>& rules);

// Gives the operators the reader's (equal) entries. Precondition: AllPass.
LoadReport PassAll(const std::vector<OperatorRule>& rules, Module* module);

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_PASS_ALL_H_
