#include "check/finding.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace opcompat {

const char* FindingCategoryName(FindingCategory category) {
  switch (category) {
    case FindingCategory::kBackward:
      return "backward";
    case FindingCategory::kForward:
      return "forward";
    case FindingCategory::kSource:
      return "source";
  }
  return "";
}

std::string FindingText(const Finding& finding) {
  return absl::StrCat(finding.op, " ", finding.older, "->", finding.newer, " ",
                      FindingCategoryName(finding.category), " ", finding.rule,
                      ": ", finding.message);
}

}  // namespace opcompat
