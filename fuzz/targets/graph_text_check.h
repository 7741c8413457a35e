// What holds for module text, whatever it is. For the targets of graph text.
#ifndef OPCOMPAT_FUZZ_TARGETS_GRAPH_TEXT_CHECK_H_
#define OPCOMPAT_FUZZ_TARGETS_GRAPH_TEXT_CHECK_H_

#include "absl/strings/string_view.h"
#include "schema/opset.h"

namespace opcompat {

// Parses `text` with `runtime`: an error with a place, or a module that
// verifies, and whose text is that module. Ends the process otherwise.
void CheckGraphText(absl::string_view text, const Runtime& runtime);

}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_TARGETS_GRAPH_TEXT_CHECK_H_
