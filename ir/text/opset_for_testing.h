// Opsets from the text of a .ops file alone, for tests of text: every operator
// is at revision 1 and older than the history.
#ifndef OPCOMPAT_IR_TEXT_OPSET_FOR_TESTING_H_
#define OPCOMPAT_IR_TEXT_OPSET_FOR_TESTING_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "schema/opset.h"

namespace opcompat {

// An opset of what `operators`, the text of a .ops file with a header, has.
absl::StatusOr<Opset> OpsetForTesting(absl::string_view operators,
                                      std::vector<std::string> aliases = {});

// A runtime of one opset for each text.
absl::StatusOr<Runtime> RuntimeForTesting(
    const std::vector<std::string>& operators);

}  // namespace opcompat

#endif  // OPCOMPAT_IR_TEXT_OPSET_FOR_TESTING_H_
