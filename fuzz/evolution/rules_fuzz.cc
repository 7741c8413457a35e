// The rules of `opcompat check` against what happens: where they find nothing
// of the operators that a module calls, the module is read, and not misread.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "check/check.h"
#include "check/finding.h"
#include "compat_matrix/simulation/laws.h"
#include "fuzz/evolution/case_target.h"
#include "fuzz/evolution/prepared_case.h"
#include "ir/module.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {
namespace fuzz {
namespace {

// The operators that have a finding in the direction of the input's reading, by
// their names in the newer version (in the older one, if they are gone).
const std::set<std::string>& BrokenOperators(const PreparedCase& input) {
  const bool backward = input.writer < input.reader;
  auto& broken = input.history->broken_operators;
  const auto [found, is_new] =
      broken.try_emplace(std::make_pair(input.writer, input.reader));
  if (!is_new) return found->second;
  const std::vector<Opset>& versions = input.history->history().versions();
  for (const Finding& finding :
       CheckPair(versions[backward ? input.writer : input.reader],
                 versions[backward ? input.reader : input.writer])) {
    if (finding.category ==
        (backward ? FindingCategory::kBackward : FindingCategory::kForward)) {
      found->second.insert(finding.op);
    }
  }
  return found->second;
}

// The name of an operator of the writer's as findings have it.
std::string NameInFindings(const PreparedCase& input,
                           const OperatorEntry& entry) {
  if (input.writer > input.reader) return entry.name();
  const OperatorInfo* info =
      input.history->history().versions()[input.reader].FindByAnyName(
          entry.name());
  return info == nullptr ? entry.name() : info->current()->name();
}

}  // namespace

void JudgeCase(PreparedCase input, absl::string_view /*bytes*/) {
  input.for_target = false;
  simulation::Laws& laws = *input.history->laws;
  if (input.writer == input.reader) return;  // `evolution` has that
  const std::set<std::string>& broken = BrokenOperators(input);
  for (const ModuleOperator& op : input.module().operators) {
    if (op.entry != nullptr &&
        broken.count(NameInFindings(input, *op.entry)) > 0) {
      return;
    }
  }
  const std::set<std::string> reasons =
      laws.ReasonCodes(input.module(), input.writer, input.reader, false);
  if (!reasons.empty()) {
    FailWith(input,
             absl::StrCat("the rules find nothing of what it calls, and it is "
                          "refused: ",
                          absl::StrJoin(reasons, ", ")));
  }
  for (const simulation::LawFailure& failure :
       laws.CheckReading(input.module(), input.writer, input.reader, false)) {
    FailWith(input, failure.ToString());
  }
}

}  // namespace fuzz
}  // namespace opcompat
