// Alias sets and write marks of two entries: whether they agree.
#ifndef OPCOMPAT_BINDING_MARKS_H_
#define OPCOMPAT_BINDING_MARKS_H_

#include <string>
#include <vector>

#include "binding/identity.h"
#include "schema/operator_entry.h"

namespace opcompat {

// Where two entries' marks differ, over the arguments that both expose and the
// results that both have. Empty: they agree, up to the naming of alias sets, or
// one side declares that only the annotation was wrong.
struct MarkDifference {
  // The writer's name of the argument; empty for a result.
  std::string argument;
  // Index of the result, if it is one.
  size_t result = 0;
  std::string writer_marks;  // `Tensor(a!)`
  std::string reader_marks;
};

std::vector<MarkDifference> CompareMarks(
    const OperatorEntry& writer, const OperatorEntry& reader,
    const std::vector<ArgumentLink>& links);

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_MARKS_H_
