// A case in a file of its own: a history, a module, who writes and who reads
// it, and what must come of it. What fuzzers print, `opcompat reduce` makes
// small, and fuzz/crashers/ keeps as tests.
//
//   # What happened there.
//   written at 1, read at 2
//   expected: refused unknown_argument
//   --- module
//   func f(%x : Tensor) -> (Tensor):
//     ...
//   --- history.textproto
//   name: "t" ...
//   --- 1.ops
//   ...
//
// The first line names the two versions; `for 2` in place of `read at 2` writes
// for a target. Lines that may follow it, in any order:
//   expected: accepted, or refused CODE, CODE: all codes of the reasons
//   known: REASON       it fails, and everybody knows; must fail
//   secret: VERSION | KIND | OPERATOR | ARGUMENT | TRUTH
//                       what the operator does and nobody declared
// A line `--- PATH` begins a file, so no file has such a line.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_CASE_FILE_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_CASE_FILE_H_

#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/reduce.h"

namespace opcompat {
namespace simulation {

struct CaseFile {
  std::string comment;  // lines with their `#`
  ReducibleCase the_case;
  // The codes of the reasons for which it must be refused; empty: it must be
  // accepted. nullopt: the file does not say.
  absl::optional<std::set<std::string>> expected;
  std::string known;  // empty: it must not fail
};

// Returns InvalidArgument "LINE: found, expected" for what is no such file.
// Whether the history loads and the module parses is not looked at.
absl::StatusOr<CaseFile> ParseCaseFile(absl::string_view text);

// The text that ParseCaseFile reads as `file`.
std::string CaseFileText(const CaseFile& file);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_CASE_FILE_H_
