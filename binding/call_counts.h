// Counts what happened to the calls of a module, by operator, for the
// LoadReport.
#ifndef OPCOMPAT_BINDING_CALL_COUNTS_H_
#define OPCOMPAT_BINDING_CALL_COUNTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "binding/call.h"
#include "binding/report.h"
#include "ir/ids.h"
#include "ir/module.h"

namespace opcompat {

class CallCounts {
 public:
  explicit CallCounts(size_t num_operators) : reports_(num_operators) {}

  // So many calls that passed as they are.
  void CountIdentical(OperatorId op, uint64_t calls) {
    reports_[op.index].calls += calls;
    reports_[op.index].identical += calls;
  }
  // So many calls that were rewritten.
  void Count(OperatorId op, const CallNotes& notes, uint64_t calls = 1);

  // The counts by name of operator; `operators` are those whose calls were
  // counted, by OperatorId.
  void Fill(absl::Span<const ModuleOperator> operators,
            LoadReport* report) const;

 private:
  std::vector<OperatorReport> reports_;  // by operator
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_CALL_COUNTS_H_
