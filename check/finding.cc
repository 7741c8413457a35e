#include "check/finding.h"

#include <string>

#include "absl/strings/match.h"
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

std::string Advice(const Finding& finding) {
  const std::string& remedy = finding.remedy;
  const bool is_declaration = absl::StartsWith(remedy, "changes {") ||
                              absl::StartsWith(remedy, "gap {");
  if (!is_declaration) return remedy;
  return absl::StrCat(absl::StrContains(remedy, "ignorable_argument")
                          ? "if it never changes a result, declare "
                          : "if it is true, declare ",
                      remedy);
}

}  // namespace opcompat
