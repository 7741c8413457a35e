// Binding the results of one call: they go by position, and a used one must be
// there with a subtype of what the writer declared (docs/compatibility.md,
// "Results").
#ifndef OPCOMPAT_BINDING_BIND_RESULTS_H_
#define OPCOMPAT_BINDING_BIND_RESULTS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "binding/call.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/typing.h"

namespace opcompat {

// The results of a call of `writer` as `reader` has them: those that it lacks
// are gone, those that only it has are there, unused. `variables` are solved
// for the reader's entry. `reader_name` is for messages. Appends reasons to
// `refusals`.
std::vector<CallResult> BindResults(const OperatorEntry& writer,
                                    const OperatorEntry& reader,
                                    const TypeVariables& variables,
                                    const std::vector<CallResult>& results,
                                    const std::string& reader_name,
                                    std::vector<Refusal>* refusals);

// Whether a used result may have `type` now: a subtype of what was `declared`,
// or of what the entry has. Else appends the reason.
void CheckResultType(const OperatorEntry& writer, size_t index,
                     const Type& declared, const Type& type,
                     const std::string& reader_name,
                     std::vector<Refusal>* refusals);

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_BIND_RESULTS_H_
