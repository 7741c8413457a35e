// Which operator, argument or revision of the reader is the one that the file
// means: known by any of its names (or its number), and by its origin.
#ifndef OPCOMPAT_BINDING_IDENTITY_H_
#define OPCOMPAT_BINDING_IDENTITY_H_

#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {

// Whether two origins can be one: base matches any; versions and intervals
// match iff they overlap in the reader's order. An id that the reader does not
// know matches nothing.
bool OriginsMatch(const Origin& a, const Origin& b, const Opset& reader);

// For messages: " (added in 1.2)", " (added between 1.2 and 2.0)", or nothing
// for base.
std::string OriginText(const Origin& origin);

// For messages: " (removed in 1.2)", " (removed between 1.2 and 2.0)", or
// nothing if the operator is there.
std::string RemovalText(const OperatorInfo& info);

// Whether the two lists have a name in common.
bool ShareName(const std::vector<std::string>& a,
               const std::vector<std::string>& b);

// An argument that at least one side knows.
struct ArgumentLink {
  // Indices into the entries' arguments; nullopt: that side does not know it.
  absl::optional<size_t> writer;
  absl::optional<size_t> reader;
};

struct ArgumentLinks {
  // The reader's exposed arguments in schema order first, then all others.
  std::vector<ArgumentLink> links;
  // Writer's arguments that share a name with one of the reader's that is not
  // the same: of another origin, or a second one.
  std::vector<size_t> other_origin;
};

ArgumentLinks LinkArguments(const OperatorEntry& writer,
                            const OperatorEntry& reader_entry,
                            const Opset& reader);

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_IDENTITY_H_
