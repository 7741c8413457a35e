// Alias and write marks of two entries of one operator ("Alias sets and write
// marks must agree" in docs/compatibility.md).
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_MARKS_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_MARKS_H_

#include <string>
#include <utility>
#include <vector>

#include "schema/operator_entry.h"

namespace opcompat {
namespace oracle {

// Where the marks differ on the arguments `shared` (index at the writer, at the
// reader) and on the results that both have: names of arguments, and an empty
// name for results. None if they agree, or a side says that its marks and those
// of the other mean the same. Names of alias sets do not matter, only where
// they stand.
std::vector<std::string> ChangedMarks(
    const OperatorEntry& writer, const OperatorEntry& reader,
    const std::vector<std::pair<size_t, size_t>>& shared);

}  // namespace oracle
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_MARKS_H_
