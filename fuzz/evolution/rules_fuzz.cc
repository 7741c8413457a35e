// The rules of `opcompat check` against what happens: where they find nothing
// of the operators that a module calls, the module is read, and not misread.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "check/check.h"
#include "check/finding.h"
#include "compat_matrix/simulation/laws.h"
#include "fuzz/check.h"
#include "fuzz/evolution/case_target.h"
#include "fuzz/evolution/prepared_case.h"
#include "ir/module.h"
#include "schema/history.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {
namespace fuzz {
namespace {

// Of inputs whose pair of versions has a finding: checking a history takes a
// hundred times what all else does.
constexpr uint64_t kShareOfHistories = 32;

// What the operator that is called `name` at version `from` is called last, up
// to version `to`.
std::string NameAt(const std::vector<Opset>& versions, size_t from, size_t to,
                   std::string name) {
  for (size_t v = from; v <= to; ++v) {
    const OperatorInfo* info = versions[v].FindByAnyName(name);
    if (info != nullptr) name = info->current()->name();
  }
  return name;
}

// Of the findings in the direction of the input's reading, of pairs of versions
// between the two: the operators, by their last names.
std::set<std::string> Broken(const PreparedCase& input,
                             const std::vector<Finding>& findings) {
  const std::vector<Opset>& versions = input.history->history().versions();
  const FindingCategory category = input.writer < input.reader
                                       ? FindingCategory::kBackward
                                       : FindingCategory::kForward;
  const size_t first = std::min(input.writer, input.reader);
  const size_t last = std::max(input.writer, input.reader);
  std::set<std::string> broken;
  for (const Finding& finding : findings) {
    if (finding.category != category) continue;
    size_t older = 0;
    while (versions[older].version() != finding.older) ++older;
    size_t newer = older;
    while (versions[newer].version() != finding.newer) ++newer;
    if (first <= older && newer <= last) {
      broken.insert(NameAt(versions, older, last, finding.op));
    }
  }
  return broken;
}

const std::set<std::string>& BrokenByPair(const PreparedCase& input) {
  const auto [found, is_new] = input.history->broken_operators.try_emplace(
      std::make_pair(input.writer, input.reader));
  if (is_new) {
    const std::vector<Opset>& versions = input.history->history().versions();
    found->second = Broken(
        input, CheckPair(versions[std::min(input.writer, input.reader)],
                         versions[std::max(input.writer, input.reader)]));
  }
  return found->second;
}

// As `opcompat check` tells them: a break not again of each pair around it.
std::set<std::string> BrokenByHistory(const PreparedCase& input) {
  absl::optional<std::vector<Finding>>& findings = input.history->findings;
  if (!findings.has_value()) {
    findings = CheckHistory(input.history->history(), nullptr);
  }
  return Broken(input, *findings);
}

bool CallsOneOf(const PreparedCase& input, const std::set<std::string>& names) {
  const std::vector<Opset>& versions = input.history->history().versions();
  const size_t last = std::max(input.writer, input.reader);
  for (const ModuleOperator& op : input.module().operators) {
    if (op.entry != nullptr && names.count(NameAt(versions, input.writer, last,
                                                  op.entry->name())) > 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

void JudgeCase(PreparedCase input, absl::string_view bytes) {
  input.for_target = false;
  simulation::Laws& laws = *input.history->laws;
  if (input.writer == input.reader) return;  // `evolution` has that
  if (CallsOneOf(input, BrokenByPair(input)) &&
      (ChoiceOf(bytes) % kShareOfHistories != 0 ||
       CallsOneOf(input, BrokenByHistory(input)))) {
    return;
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
