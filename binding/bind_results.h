// Binding the results of one call: they go by position, and a used one must be
// there with a subtype of what the writer declared (docs/compatibility.md,
// "Results").
#ifndef OPCOMPAT_BINDING_BIND_RESULTS_H_
#define OPCOMPAT_BINDING_BIND_RESULTS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "binding/call.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/typing.h"

namespace opcompat {

// A result of the call as its writer had it.
struct GivenResult {
  const Type* declared;  // by the node
  bool used;
};

// A result of the call as the reader has it.
struct BoundResult {
  bool kept = true;  // false: the reader lacks it, and nothing uses it
  // Nullopt: as the node declares it.
  absl::optional<Type> type;
};

// The results of a call of `writer`, then those that only the reader has.
// `variables` are solved for the reader's entry. `reader_name` is for messages.
// Appends reasons to `refusals`.
std::vector<BoundResult> BindResults(const OperatorEntry& writer,
                                     const OperatorEntry& reader,
                                     const TypeVariables& variables,
                                     const std::vector<GivenResult>& given,
                                     const std::string& reader_name,
                                     std::vector<Refusal>* refusals);

// Whether a used result may have `type` now: a subtype of what the node
// declared, or of what its entry has. Else appends the reason.
void CheckResultType(const OperatorEntry& writer, size_t index,
                     const Type& declared, const Type& type,
                     const std::string& reader_name,
                     std::vector<Refusal>* refusals);

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_BIND_RESULTS_H_
