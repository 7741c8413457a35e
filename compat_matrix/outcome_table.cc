#include "compat_matrix/outcome_table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "binding/report.h"

namespace opcompat {
namespace {

// All that an outcome says, so that two are equal if and only if these are.
std::string KeyOf(const CellOutcome& outcome) {
  std::string key;
  const auto add = [&key](const std::string& text) {
    absl::StrAppend(&key, text.size(), ":", text);
  };
  const auto add_number = [&key](uint64_t number) {
    absl::StrAppend(&key, number, ";");
  };
  add_number(outcome.reasons.size());
  for (const Reason& reason : outcome.reasons) {
    add_number(static_cast<uint64_t>(reason.code));
    for (const std::string* text :
         {&reason.function, &reason.node, &reason.location, &reason.op,
          &reason.argument, &reason.value, &reason.message}) {
      add(*text);
    }
    add_number(reason.calls);
  }
  add_number(outcome.predicted_reasons.size());
  for (const std::string& reason : outcome.predicted_reasons) add(reason);
  add_number(outcome.report.operators.size());
  for (const OperatorReport& op : outcome.report.operators) {
    add(op.op);
    for (const uint64_t number :
         {op.calls, op.identical, op.filled, op.materialized, op.dropped,
          op.retired, op.renamed, op.upgraded}) {
      add_number(number);
    }
  }
  add_number(outcome.report.warnings.size());
  for (const std::string& warning : outcome.report.warnings) add(warning);
  add(outcome.detail);
  return key;
}

}  // namespace

uint32_t OutcomeTable::Add(CellOutcome outcome) {
  const auto [place, is_new] = places_.try_emplace(
      KeyOf(outcome), static_cast<uint32_t>(outcomes_.size()));
  if (is_new) outcomes_.push_back(std::move(outcome));
  return place->second;
}

std::vector<CellOutcome> OutcomeTable::Take() {
  std::vector<CellOutcome> outcomes = std::move(outcomes_);
  outcomes_.clear();
  places_.clear();
  return outcomes;
}

}  // namespace opcompat
