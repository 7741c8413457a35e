// Who is who in two entries of one operator, and whether the two may be bound
// at all: identity by names and origin, alias and write marks
// (docs/compatibility.md).
#ifndef OPCOMPAT_COMPAT_MATRIX_ORACLE_IDENTITY_H_
#define OPCOMPAT_COMPAT_MATRIX_ORACLE_IDENTITY_H_

#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {
namespace oracle {

// A reason to refuse; `code` as users see it.
struct Problem {
  std::string code;
  std::string argument;  // empty: not about one

  friend bool operator==(const Problem& a, const Problem& b) {
    return a.code == b.code && a.argument == b.argument;
  }
};

// Whether two origins are the same one, or may be: base matches any, intervals
// match if they overlap in the order of the reader, and an id that the reader
// does not know does not match.
bool OriginsMatch(const Origin& a, const Origin& b, const Opset& reader);

// How the arguments of two entries of one operator correspond.
struct Pairing {
  // By argument (exposed and retired ones): that of the other side.
  std::vector<absl::optional<size_t>> reader_of;
  std::vector<absl::optional<size_t>> writer_of;
  // False: not two entries of one operator, and nothing can be said of the
  // arguments.
  bool is_paired = true;
  // Why nothing can be bound: other_history, alias_changed.
  std::vector<Problem> problems;
};
Pairing Pair(const OperatorEntry& writer, const OperatorEntry& reader,
             const Opset& order);

}  // namespace oracle
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_ORACLE_IDENTITY_H_
