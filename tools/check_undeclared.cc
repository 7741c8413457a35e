#include "tools/check_undeclared.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "check/call_text.h"
#include "check/declarations.h"
#include "schema/history_builder.h"
#include "schema/opset.h"
#include "schema/text/literal_parser.h"
#include "schema/text/type_parser.h"

namespace opcompat {
namespace {

HistoryResult Build(const DeclaredHistory& declared) {
  return BuildHistory(declared, ParseLiteralAt, ParseType, nullptr);
}

// The finding that the fault is, if it is about an operator of the newer
// version; its `op` is empty otherwise.
Finding FindingOf(const HistoryFault& fault, const DeclaredHistory& declared) {
  Finding finding;
  const DeclaredVersion& newer = declared.versions.back();
  absl::string_view message = fault.message;
  const bool is_newer = absl::ConsumePrefix(
      &message,
      absl::StrCat(fault.op, " (", declared.name, " ", newer.id, "): "));
  if (is_newer && std::any_of(newer.schemas.begin(), newer.schemas.end(),
                              [&](const OperatorSchema& schema) {
                                return schema.full_name() == fault.op;
                              })) {
    finding.op = fault.op;
  }
  finding.history = declared.name;
  finding.older = declared.versions.front().id;
  finding.newer = newer.id;
  finding.message = std::string(message);
  finding.place = fault.place;
  finding.rule = "needs-declaration";
  absl::string_view rest = message;
  if (absl::ConsumePrefix(&rest, "argument `")) {
    const size_t end = rest.find('`');
    finding.argument = std::string(rest.substr(0, end));
    // "argument `n`: values of type ..."
    if (end != absl::string_view::npos &&
        absl::StartsWith(rest.substr(end), "`: ")) {
      finding.rule = "argument-type-changed";
    }
  }
  finding.remedy =
      DeclareChange(finding.op,
                    "semantic_change { revision: 2 one_way_up: true "
                    "one_way_down: true }");
  return finding;
}

DeclaredChange OneWay(const Finding& finding) {
  DeclaredChange change;
  change.place = finding.place;
  change.op = finding.op;
  DeclaredSemanticChange semantic_change;
  semantic_change.revision = 2;
  semantic_change.one_way_up = true;
  semantic_change.one_way_down = true;
  change.what = std::move(semantic_change);
  return change;
}

// The history without these operators.
void LeaveOut(const std::set<std::string>& operators,
              DeclaredHistory* declared) {
  for (DeclaredVersion& version : declared->versions) {
    std::vector<OperatorSchema> schemas;
    std::vector<int> lines;
    for (size_t i = 0; i < version.schemas.size(); ++i) {
      if (operators.count(version.schemas[i].full_name()) > 0) continue;
      schemas.push_back(std::move(version.schemas[i]));
      lines.push_back(version.schema_lines[i]);
    }
    version.schemas = std::move(schemas);
    version.schema_lines = std::move(lines);
    std::vector<DeclaredChange>& changes = version.changes;
    changes.erase(std::remove_if(changes.begin(), changes.end(),
                                 [&](const DeclaredChange& change) {
                                   return operators.count(change.op) > 0;
                                 }),
                  changes.end());
  }
}

// Findings of operators that were left out: nothing that CheckHistory says of
// them has a call, and no declaration helps.
void SetOpen(const std::set<std::string>& operators,
             const DeclaredHistory& declared, std::vector<Finding>* findings) {
  DeclaredHistory older = declared;
  older.versions.erase(older.versions.begin() + 1, older.versions.end());
  const HistoryResult built = Build(older);
  for (Finding& finding : *findings) {
    if (operators.count(finding.op) == 0) continue;
    finding.remedy = "keep such arguments at their places";
    if (built.history == nullptr) continue;
    const OperatorInfo* info = built.history->newest().Find(finding.op);
    if (info == nullptr) continue;
    finding.counterexample = StatementText(PlainCall(info->current()));
  }
}

bool SaysThatItIsOneWay(const Finding& finding) {
  return finding.rule == "revision-one-way-up" ||
         finding.rule == "revision-added";
}

}  // namespace

UndeclaredHistory BuildUndeclared(DeclaredHistory* declared) {
  UndeclaredHistory result;
  HistoryResult built = Build(*declared);
  if (built.faults.empty()) {
    result.history = std::move(built.history);
    return result;
  }
  DeclaredHistory settled = *declared;
  std::vector<DeclaredChange>& changes = settled.versions.back().changes;
  for (const HistoryFault& fault : built.faults) {
    Finding finding = FindingOf(fault, *declared);
    if (finding.op.empty()) {
      result.faults = std::move(built.faults);
      result.findings.clear();
      return result;
    }
    const bool is_first = std::none_of(
        result.findings.begin(), result.findings.end(),
        [&](const Finding& other) { return other.op == finding.op; });
    if (is_first) changes.push_back(OneWay(finding));
    result.findings.push_back(std::move(finding));
  }
  HistoryResult again = Build(settled);
  if (!again.faults.empty()) {
    // A new revision does not settle it either.
    std::set<std::string> open;
    for (const HistoryFault& fault : again.faults) {
      open.insert(FindingOf(fault, *declared).op);
    }
    LeaveOut(open, &settled);
    SetOpen(open, *declared, &result.findings);
    again = Build(settled);
  }
  if (!again.faults.empty()) {
    result.faults = std::move(built.faults);
    result.findings.clear();
    return result;
  }
  *declared = std::move(settled);
  result.history = std::move(again.history);
  return result;
}

std::vector<Finding> WithUndeclared(std::vector<Finding> undeclared,
                                    std::vector<Finding> findings) {
  if (undeclared.empty()) return findings;
  std::vector<Finding> all;
  for (Finding& finding : undeclared) {
    for (const Finding& other : findings) {
      if (other.op == finding.op && other.rule == "revision-one-way-up") {
        finding.counterexample = other.counterexample;
      }
    }
  }
  for (Finding& finding : findings) {
    const bool is_said = SaysThatItIsOneWay(finding) &&
                         std::any_of(undeclared.begin(), undeclared.end(),
                                     [&](const Finding& other) {
                                       return other.op == finding.op;
                                     });
    if (!is_said) all.push_back(std::move(finding));
  }
  for (Finding& finding : undeclared) all.push_back(std::move(finding));
  std::stable_sort(all.begin(), all.end(),
                   [](const Finding& a, const Finding& b) {
                     return std::tie(a.op, a.category, a.rule, a.argument) <
                            std::tie(b.op, b.category, b.rule, b.argument);
                   });
  return all;
}

}  // namespace opcompat
