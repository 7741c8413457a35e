// Puts the results of a run's shards together.
#ifndef OPCOMPAT_COMPAT_MATRIX_MERGE_SHARDS_H_
#define OPCOMPAT_COMPAT_MATRIX_MERGE_SHARDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "compat_matrix/result.h"

namespace opcompat {

struct ShardResult {
  std::string name;  // for messages: a path
  MatrixResult result;
};

// The result of the whole run: the same as if there were no shards. Returns
// InvalidArgument if these are not all the shards of one run, each once.
absl::StatusOr<MatrixResult> MergeShards(std::vector<ShardResult> shards);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_MERGE_SHARDS_H_
