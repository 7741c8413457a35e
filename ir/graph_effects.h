// What a function does to the objects that it is given: which it writes to, and
// which its results may be. Decides whether a step graph may stand for a call
// whose schema promises something about that by its alias marks.
#ifndef OPCOMPAT_IR_GRAPH_EFFECTS_H_
#define OPCOMPAT_IR_GRAPH_EFFECTS_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "ir/module.h"
#include "schema/operator_entry.h"

namespace opcompat {

// As far as alias marks show, and never less. Objects are numbered by the value
// that introduced them: parameters by their index, others by the result of the
// node that made them. Numbers, strings and other values without identity are
// no objects.
struct GraphEffects {
  std::set<uint32_t> written;
  // By result: what it may be, or be a part of, or hold.
  std::vector<std::set<uint32_t>> results;
};

// Precondition: the module verifies, and `function` uses no attributes, methods
// or other functions.
GraphEffects EffectsOf(const Module& module, const Function& function);

// Empty if calls of `entry` may be replaced by `function`, whose parameters are
// the entry's exposed arguments: it writes to the arguments that the entry
// marks as written and to no others, its results are the arguments that they
// share an alias set with and no others, and two results are one object only if
// they share one. Else the first difference, in words. Conservative: what
// cannot be seen to agree differs.
std::string EffectsDiffer(const Module& module, const Function& function,
                          const OperatorEntry& entry);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_GRAPH_EFFECTS_H_
