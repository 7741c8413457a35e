#include "binding/call_counts.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "schema/operator_entry.h"

namespace opcompat {

void CallCounts::Count(OperatorId op, const CallNotes& notes,
                       uint64_t calls) {
  OperatorReport& report = reports_[op.index];
  report.calls += calls;
  if (notes.filled) report.filled += calls;
  if (notes.materialized) report.materialized += calls;
  if (notes.dropped) report.dropped += calls;
  if (notes.retired) report.retired += calls;
  if (notes.renamed) report.renamed += calls;
  if (notes.stepped) report.upgraded += calls;
}

void CallCounts::Fill(absl::Span<const ModuleOperator> operators,
                      LoadReport* report) const {
  std::map<std::string, OperatorReport> by_name;
  for (size_t i = 0; i < reports_.size(); ++i) {
    const OperatorReport& from = reports_[i];
    const OperatorEntryPtr& entry = operators[i].entry;
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
