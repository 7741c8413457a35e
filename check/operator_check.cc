#include "check/operator_check.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "check/call_text.h"
#include "check/declarations.h"
#include "check/entry_rules.h"
#include "check/source_rules.h"
#include "schema/proto_string.h"

namespace opcompat {
namespace {

Breach OfWholeOperator(std::string rule, std::string message,
                       std::string remedy, const OperatorInfo& writer) {
  Breach breach;
  breach.rule = std::move(rule);
  breach.message = std::move(message);
  breach.remedy = std::move(remedy);
  breach.counterexample = StatementText(PlainCall(writer.current()));
  return breach;
}

// All of a schema but its operator's name.
std::string WithoutName(const OperatorEntry& entry) {
  return entry.ToString().substr(entry.name().size());
}

// `new_name`: what it may be called now; empty: nothing known.
Breach Missing(const OperatorInfo& writer, const Reading& reading,
               const std::string& new_name) {
  const std::string& there = reading.reader->version();
  if (!reading.backward) {
    return OfWholeOperator(
        "operator-added", absl::StrCat("the operator is not there in ", there),
        "write for the older version as a target, with an `added` step (a "
        "downgrader)",
        writer);
  }
  const std::string& op = writer.current()->name();
  return OfWholeOperator(
      "operator-removed", absl::StrCat("the operator is not there in ", there),
      new_name.empty()
          ? DeclareChange(op, "removed { steps { graph: \"FILE.graph\" } }")
          : DeclareChange(new_name,
                          absl::StrCat("renamed_from: ", ProtoString(op))),
      writer);
}

}  // namespace

VersionPair::VersionPair(const Opset& older, const Opset& newer)
    : older_(older),
      newer_(newer),
      backward_{&older_, &newer_, true},
      forward_{&newer_, &older_, false},
      backward_runtimes_(backward_),
      forward_runtimes_(forward_) {}

std::string VersionPair::LikelyNewName(const OperatorEntry& removed) {
  if (!added_.has_value()) {
    added_.emplace();
    for (const OperatorInfoPtr& info : newer_.operators()) {
      const OperatorEntry& entry = *info->current();
      if (older_.FindByAnyName(entry.name()) != nullptr) continue;
      const auto inserted = added_->emplace(WithoutName(entry), entry.name());
      // Two may be meant.
      if (!inserted.second) inserted.first->second.clear();
    }
  }
  const auto found = added_->find(WithoutName(removed));
  return found == added_->end() ? std::string() : found->second;
}

std::vector<Breach> VersionPair::Read(const OperatorInfo* writer,
                                      const OperatorInfo* reader,
                                      const Reading& reading,
                                      ReadingRuntimes* runtimes) {
  // Calls of an operator that is unusable, or not there, cannot be written.
  if (writer == nullptr || !writer->fault.empty()) return {};
  if (reader == nullptr) {
    const OperatorInfo* removed =
        reading.reader->FindRemoved(writer->current()->name());
    // Without `removed`, too, a graph on the way to the operator's last
    // revision may take its calls.
    if (removed == nullptr || (removed->removed == nullptr &&
                               !removed->HasUpgraderFrom(std::min(
                                   writer->revision(), removed->revision())))) {
      return {Missing(*writer, reading,
                      reading.backward ? LikelyNewName(*writer->current())
                                       : std::string())};
    }
    return CheckSteps(*writer, nullptr, reading, {}, runtimes);
  }
  if (!reader->fault.empty()) {
    return {OfWholeOperator(
        "operator-unusable",
        absl::StrCat("calls are refused by ", reading.reader->version(), ": ",
                     reader->fault),
        "correct the schema", *writer)};
  }
  if (writer->current() == reader->current()) return {};
  for (const std::string& name : writer->current()->names) {
    const OperatorInfo* found = reading.reader->FindByAnyName(name);
    if (found == nullptr || found == reader) continue;
    return {OfWholeOperator(
        "other-history",
        absl::StrCat("its names lead to two operators of ",
                     reading.reader->version(), ": ", reader->current()->name(),
                     " and ", found->current()->name()),
        kOneHistory, *writer)};
  }
  if (reading.reader->ContradictsVersion(reading.writer->version(),
                                         *writer->current())) {
    return {OfWholeOperator(
        "other-history",
        absl::StrCat(reading.reader->version(), " knows version ",
                     reading.writer->version(),
                     " with another entry of the operator"),
        kOneHistory, *writer)};
  }
  const uint32_t low = std::min(writer->revision(), reader->revision());
  const OperatorEntryPtr& from = writer->revisions[low - 1].last;
  const OperatorEntryPtr& to = reader->revisions[low - 1].last;
  const std::vector<Breach> direct = CheckEntries(from, to, reading);
  std::vector<Breach> breaches;
  if (low == writer->revision()) breaches = direct;
  const bool is_equal =
      writer->revision() == reader->revision() && *from == *to;
  if (!is_equal && MayTakeSteps(*writer, reader)) {
    for (Breach& breach :
         CheckSteps(*writer, reader, reading, direct, runtimes)) {
      breaches.push_back(std::move(breach));
    }
  }
  return breaches;
}

Finding VersionPair::MakeFinding(const std::string& op,
                                 FindingCategory category,
                                 Breach breach) const {
  Finding finding;
  finding.rule = std::move(breach.rule);
  finding.category = category;
  finding.history = newer_.name();
  finding.older = older_.version();
  finding.newer = newer_.version();
  finding.op = op;
  finding.argument = std::move(breach.argument);
  finding.message = std::move(breach.message);
  finding.counterexample = std::move(breach.counterexample);
  finding.remedy = std::move(breach.remedy);
  // As the history names it; see FindingPlaces.
  finding.place.file = std::move(breach.graph);
  return finding;
}

std::vector<Finding> VersionPair::Check(const OperatorInfo* older,
                                        const OperatorInfo* newer) {
  const std::string& op = (newer != nullptr ? newer : older)->current()->name();
  std::vector<Finding> findings;
  for (Breach& breach : Read(older, newer, backward_, &backward_runtimes_)) {
    findings.push_back(
        MakeFinding(op, FindingCategory::kBackward, std::move(breach)));
  }
  for (Breach& breach : Read(newer, older, forward_, &forward_runtimes_)) {
    findings.push_back(
        MakeFinding(op, FindingCategory::kForward, std::move(breach)));
  }
  if (older != nullptr && newer != nullptr && older->fault.empty() &&
      newer->fault.empty()) {
    for (Breach& breach : CheckSource(*older, *newer, backward_)) {
      findings.push_back(
          MakeFinding(op, FindingCategory::kSource, std::move(breach)));
    }
  }
  return findings;
}

}  // namespace opcompat
