// Differences between operators as the commands print them.
#ifndef OPCOMPAT_TOOLS_DIFFERENCE_LINES_H_
#define OPCOMPAT_TOOLS_DIFFERENCE_LINES_H_

#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "schema/differences/operator_difference.h"

namespace opcompat {

// What became of it, on one line: `int -> int?`, `+ str mode="sum"`. With
// `color`, the old part is red and the new one green.
std::string BeforeAndAfter(const Difference& difference, bool color);

// Grouped by kind, each group under its title with its count, one line each:
// "types changed: 1\n  aten::slice.Tensor start: int -> int?\n". Empty if there
// is none.
std::string DifferencesText(const std::vector<Difference>& differences,
                            bool color);

// The titles and counts alone, one a line. Empty if there is none.
std::string DifferenceCountsText(const std::vector<Difference>& differences);

// {"argument_added": 3, ...}; kinds that do not occur are left out.
nlohmann::ordered_json DifferenceCountsToJson(
    const std::vector<Difference>& differences);

// [{"kind", "operator", "argument", "before", "after"}, ...]; parts that there
// are not are left out.
nlohmann::ordered_json DifferencesToJson(
    const std::vector<Difference>& differences);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_DIFFERENCE_LINES_H_
