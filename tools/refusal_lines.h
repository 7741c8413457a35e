// The shortest lines that a file of expected refusals (expected_refusals.h) can
// have for the cells of one module that are refused with one message.
#ifndef OPCOMPAT_TOOLS_REFUSAL_LINES_H_
#define OPCOMPAT_TOOLS_REFUSAL_LINES_H_

#include <string>
#include <vector>

namespace opcompat {

// By writer and reader of a history.
using VersionGrid = std::vector<std::vector<bool>>;

// `WRITERS->READERS` of each line, which match the cells of `wanted` and, of
// those in `existing`, no others. Versions that do the same share a line, by
// whichever side gives fewer; `*` stands for all that there are, if that is
// more than one. Precondition: `wanted` is part of `existing`.
std::vector<std::string> WaysOf(const VersionGrid& wanted,
                                const VersionGrid& existing,
                                const std::vector<std::string>& versions);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_REFUSAL_LINES_H_
