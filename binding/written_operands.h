// Which values of a graph something may write to, as binding sees it: there a
// container cannot pass by covariance.
#ifndef OPCOMPAT_BINDING_WRITTEN_OPERANDS_H_
#define OPCOMPAT_BINDING_WRITTEN_OPERANDS_H_

#include <vector>

#include "ir/module.h"
#include "schema/type.h"

namespace opcompat {

// Whether a value of the type is or may be a container. Others never pass by
// covariance.
bool MayBeContainer(const Type& type);

// What is known of a graph that stands inside another one, in the place of a
// node; each flag is "something around it writes to it".
struct WrittenAround {
  std::vector<bool> parameters;
  std::vector<bool> results;
};

// By value: operands at written arguments and, since they may be written
// through another name, what is stored, yielded, or given to other functions.
// Only of values that may be containers; of others it does not matter.
std::vector<bool> WrittenValues(const Module& module, const Graph& graph,
                                const WrittenAround& around = {});

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_WRITTEN_OPERANDS_H_
