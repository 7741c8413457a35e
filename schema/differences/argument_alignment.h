// Which arguments of one operator may have been renamed between two versions:
// the arguments of both schemas laid side by side so that as much as possible
// agrees. For rename_proposals.h; proves nothing.
#ifndef OPCOMPAT_SCHEMA_DIFFERENCES_ARGUMENT_ALIGNMENT_H_
#define OPCOMPAT_SCHEMA_DIFFERENCES_ARGUMENT_ALIGNMENT_H_

#include <string>
#include <vector>

#include "schema/declared_history.h"
#include "schema/operator_schema.h"

namespace opcompat {

struct LikelyArgumentRename {
  std::string from;
  std::string to;
  // Place, type and default agree, and the neighbours too.
  bool sure = false;
  // From 0 to 1.
  double score = 0;
  std::string reason;
};

// Positional arguments keep their order; keyword-only ones may change theirs.
// Pairs of an argument that only the older schema has and one that only the
// newer one has, of the same type (SymInt is int); those in `declared` are not
// asked about. In the newer order, one to one.
std::vector<LikelyArgumentRename> AlignArguments(
    const OperatorSchema& older, const OperatorSchema& newer,
    const std::vector<DeclaredRename>& declared);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_DIFFERENCES_ARGUMENT_ALIGNMENT_H_
