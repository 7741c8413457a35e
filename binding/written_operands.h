// Which values of a graph something may write to, as binding sees it: there a
// container cannot pass by covariance.
#ifndef OPCOMPAT_BINDING_WRITTEN_OPERANDS_H_
#define OPCOMPAT_BINDING_WRITTEN_OPERANDS_H_

#include <vector>

#include "ir/module.h"

namespace opcompat {

// What is known of a graph that stands inside another one, in the place of a
// node; each flag is "something around it writes to it".
struct WrittenAround {
  std::vector<bool> parameters;
  std::vector<bool> results;
};

// By value: operands at written arguments and, since they may be written
// through another name, what is stored, yielded, or given to other functions.
std::vector<bool> WrittenValues(const Module& module, const Graph& graph,
                                const WrittenAround& around = {});

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_WRITTEN_OPERANDS_H_
