// What `opcompat check` found as the pages of a continuous integration show it
// beside the lines of a change: GitHub's workflow commands, and SARIF, which
// many services take.
#ifndef OPCOMPAT_TOOLS_CHECK_ANNOTATIONS_H_
#define OPCOMPAT_TOOLS_CHECK_ANNOTATIONS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"
#include "tools/check_report.h"

namespace opcompat {

// A rule, as the list of rules and SARIF show it.
struct CheckRuleText {
  std::string id;
  std::string categories;  // joined by ", "
  std::string summary;     // one line
};

// One line each: `::error file=..,line=..,title=RULE::message` for what fails
// (faults too), and with `show_known` `::notice` for what is known. Paths below
// the current directory are made relative to it.
std::string CheckToGithub(const CheckReport& report, bool show_known);

// A SARIF 2.1.0 log with one run. Its rules are those of `rules` and any other
// that a finding is of. With `show_known` known findings are in it, as
// suppressed ones.
nlohmann::ordered_json CheckToSarif(const CheckReport& report,
                                    const std::vector<CheckRuleText>& rules,
                                    bool show_known);

// As a workflow command has the text after `::`.
std::string EscapeGithubMessage(absl::string_view text);
// As it has the value of a property: `,` and `:` too.
std::string EscapeGithubProperty(absl::string_view text);

// `path` as a URI reference: relative to `directory` where it is below it.
std::string PathToUri(absl::string_view path, absl::string_view directory);

}  // namespace opcompat

#endif  // OPCOMPAT_TOOLS_CHECK_ANNOTATIONS_H_
