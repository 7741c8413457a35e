// The outcomes of one module's cells, equal ones once.
#ifndef OPCOMPAT_COMPAT_MATRIX_OUTCOME_TABLE_H_
#define OPCOMPAT_COMPAT_MATRIX_OUTCOME_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "compat_matrix/result.h"

namespace opcompat {

class OutcomeTable {
 public:
  // The place of `outcome` in what Take() gives.
  uint32_t Add(CellOutcome outcome);
  // In the order in which they were first added. Nothing is left.
  std::vector<CellOutcome> Take();

 private:
  std::vector<CellOutcome> outcomes_;
  absl::flat_hash_map<std::string, uint32_t> places_;  // by all that they say
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_OUTCOME_TABLE_H_
