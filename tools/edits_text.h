// Advice on a refused module, for people and for programs.
#ifndef OPCOMPAT_TOOLS_EDITS_TEXT_H_
#define OPCOMPAT_TOOLS_EDITS_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"
#include "tools/reader_edits.h"

namespace opcompat {

// Lines of at most 80 columns (words are not broken), each indented by four
// spaces at least and with a newline at its end; empty if there is no advice.
// `target` names the version as --target takes it.
std::string AdviceText(const ReaderAdvice& advice, absl::string_view target);

// Adds to what is said of a version:
//   "edits": [{"kind", "operator", "argument", "value", "new_value", "calls",
//              "function", "node", "location", "checked", "message"}, ...],
//   "edits_suffice": bool, and "target": TARGET if it can be written for it.
// Fields that do not apply are left out.
void AddAdviceToJson(const ReaderAdvice& advice, absl::string_view target,
                     nlohmann::ordered_json* json);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_EDITS_TEXT_H_
