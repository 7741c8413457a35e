// The rules of `opcompat check` against what happens: where they find nothing
// of the operators that a module calls, the module is read, and not misread.

#include <algorithm>
#include <array>
#include <cstddef>
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
#include "schema/history.h"
#include "schema/operator_entry.h"
#include "schema/opset.h"

namespace opcompat {
namespace fuzz {
namespace {

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

// The operators that have a finding in the direction of the input's reading, by
// their last names: of the pair of versions, or, where CheckHistory tells them
// of nearer pairs, of any pair between.
struct Broken {
  std::set<std::string> by_pair;
  std::set<std::string> by_history;
};

Broken FindBroken(const PreparedCase& input) {
  const bool backward = input.writer < input.reader;
  const size_t first = std::min(input.writer, input.reader);
  const size_t last = std::max(input.writer, input.reader);
  const OpsetHistory& history = input.history->history();
  const std::vector<Opset>& versions = history.versions();
  const FindingCategory category =
      backward ? FindingCategory::kBackward : FindingCategory::kForward;
  Broken broken;
  for (const Finding& finding : CheckPair(versions[first], versions[last])) {
    if (finding.category != category) continue;
    broken.by_pair.insert(NameAt(versions, first, last, finding.op));
  }
  for (const Finding& finding : CheckHistory(history, nullptr)) {
    if (finding.category != category) continue;
    size_t older = 0;
    while (versions[older].version() != finding.older) ++older;
    size_t newer = older;
    while (versions[newer].version() != finding.newer) ++newer;
    if (first <= older && newer <= last) {
      broken.by_history.insert(NameAt(versions, older, last, finding.op));
    }
  }
  return broken;
}

const std::set<std::string>& BrokenOperators(const PreparedCase& input,
                                             bool by_history) {
  auto& known = input.history->broken_operators;
  const std::pair<size_t, size_t> pair(input.writer, input.reader);
  const auto found = known.find(pair);
  if (found != known.end()) return found->second[by_history ? 1 : 0];
  Broken broken = FindBroken(input);
  return known
      .emplace(pair,
               std::array<std::set<std::string>, 2>{
                   std::move(broken.by_pair), std::move(broken.by_history)})
      .first->second[by_history ? 1 : 0];
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

void JudgeCase(PreparedCase input, absl::string_view /*bytes*/) {
  input.for_target = false;
  simulation::Laws& laws = *input.history->laws;
  if (input.writer == input.reader) return;  // `evolution` has that
  if (CallsOneOf(input, BrokenOperators(input, /*by_history=*/false)) &&
      CallsOneOf(input, BrokenOperators(input, /*by_history=*/true))) {
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
