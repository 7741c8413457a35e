// The rules that `opcompat check` knows, as data: for documents, help texts and
// reports. What each of them looks at is in the file that its findings come
// from.
#ifndef OPCOMPAT_CHECK_RULES_TABLE_H_
#define OPCOMPAT_CHECK_RULES_TABLE_H_

#include <vector>

#include "absl/strings/string_view.h"

namespace opcompat {

struct Rule {
  // As Finding::rule has it. Stable.
  absl::string_view id;
  // Whom it can break, as FindingCategoryName has it, joined by ", ".
  absl::string_view categories;
  // One line.
  absl::string_view summary;
};

// By id.
const std::vector<Rule>& Rules();

// The rule of that id, or null.
const Rule* FindRule(absl::string_view id);

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_RULES_TABLE_H_
