#include "binding/call_counts.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "schema/operator_entry.h"

namespace opcompat {

void CallCounts::Count(OperatorId op, const CallNotes& notes) {
  OperatorReport& report = reports_[op.index];
  ++report.calls;
  report.filled += notes.filled;
  report.materialized += notes.materialized;
  report.dropped += notes.dropped;
  report.retired += notes.retired;
  report.renamed += notes.renamed;
  report.upgraded += notes.stepped;
}

void CallCounts::Fill(const Module& module, LoadReport* report) const {
  std::map<std::string, OperatorReport> by_name;
  for (size_t i = 0; i < reports_.size(); ++i) {
    const OperatorReport& from = reports_[i];
    const OperatorEntryPtr& entry = module.operators[i].entry;
    if (entry == nullptr || from.calls == 0) continue;
    OperatorReport& to = by_name[entry->name()];
    to.op = entry->name();
    to.calls += from.calls;
    to.identical += from.identical;
    to.filled += from.filled;
    to.materialized += from.materialized;
    to.dropped += from.dropped;
    to.retired += from.retired;
    to.renamed += from.renamed;
    to.upgraded += from.upgraded;
  }
  for (auto& [name, entry] : by_name) {
    report->operators.push_back(std::move(entry));
  }
}

}  // namespace opcompat
