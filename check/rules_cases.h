// Histories that break each rule, and what is said of them.
#ifndef OPCOMPAT_CHECK_RULES_CASES_H_
#define OPCOMPAT_CHECK_RULES_CASES_H_

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "check/testing.h"

namespace opcompat {

struct RuleCase {
  std::string rule;
  std::string category;
  std::vector<TextVersion> versions;
  std::map<std::string, std::string> graphs;
  // FindingText of the first finding of the rule and category.
  std::string text;
  std::string counterexample;
  std::string remedy;
};

inline void PrintTo(const RuleCase& c, std::ostream* out) {
  *out << c.rule << " " << c.category;
}

std::vector<RuleCase> RuleCases();
// Parts of it.
std::vector<RuleCase> FileRuleCases();
std::vector<RuleCase> SourceRuleCases();
std::vector<RuleCase> RevisionRuleCases();

}  // namespace opcompat

#endif  // OPCOMPAT_CHECK_RULES_CASES_H_
