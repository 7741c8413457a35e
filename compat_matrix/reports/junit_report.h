// The matrix as JUnit XML, which CI systems show as a list of tests. For people
// who look for what broke: it has no LoadReports and nothing on cells that are
// as they should be.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_JUNIT_REPORT_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_JUNIT_REPORT_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "compat_matrix/reports/report.h"
#include "compat_matrix/result.h"
#include "serializer/byte_sink.h"

namespace opcompat {

// A <testsuite> for each group of histories (and testee and author, if
// several), a <testcase> for each module and writer: `name` is the module,
// ` (HISTORY)` after it if the group has several, and ` written by VERSION`. It
// has a <failure> if a cell is misread or unexpected, else an <error> if one
// crashed or hung; both list all such cells. Nothing is ever <skipped>. Test
// cases are kept as text until the end, since a suite says first how many it
// has.
class JunitReport : public MatrixReport {
 public:
  // `sink` must outlive the report.
  JunitReport(RunNames names, ByteSink* sink)
      : names_(std::move(names)), sink_(*sink) {}

  absl::Status Add(const ModuleCells& module) override;
  absl::Status Finish(const MatrixSummary& summary) override;

 private:
  struct Suite {
    std::string name;
    uint64_t tests = 0;
    uint64_t failures = 0;
    uint64_t errors = 0;
    std::string cases;
  };

  Suite& SuiteOf(const ModuleCells& module, const Cell& cell);
  // `cells` are of one module, writer, testee and author.
  void AddCase(const ModuleCells& module, const std::vector<const Cell*>& cells,
               Suite* suite) const;

  RunNames names_;
  ByteSink& sink_;
  std::vector<Suite> suites_;  // in the order in which they come
  std::map<std::string, size_t> suite_of_name_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_JUNIT_REPORT_H_
