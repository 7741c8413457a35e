// Results made by hand, for tests of reports: every state, and every kind of
// string that a report must not stumble over.
#ifndef OPCOMPAT_COMPAT_MATRIX_REPORTS_TESTING_H_
#define OPCOMPAT_COMPAT_MATRIX_REPORTS_TESTING_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "compat_matrix/result.h"

namespace opcompat {

// Quotes, markup, ends of scripts and CDATA, control characters, bytes that are
// not UTF-8, line separators, an emoji.
extern const char kNastyText[];

std::shared_ptr<const MatrixHistory> MakeHistory(
    std::string name, std::string group, std::vector<std::string> versions);

// A cell with what each state says: reasons of a refusal, a LoadReport of an
// acceptance, a detail of what is bad.
void AddCell(size_t writer, size_t reader, CellState state, bool for_target,
             ModuleCells* module, size_t testee = 0, size_t author = 0);

// Two testees, two authors, two groups (one of two histories), targets; each
// state, with kNastyText in every string that there is.
MatrixResult EveryState();

// `modules` modules over `versions` versions, each pair with a cell and (but
// for the diagonal) one for the target; some refused, `bad` misread.
MatrixResult LargeResult(size_t modules, size_t versions, size_t bad);

MatrixSummary SummaryOf(const MatrixResult& result);

}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_REPORTS_TESTING_H_
