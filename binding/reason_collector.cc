#include "binding/reason_collector.h"

#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "binding/call.h"
#include "binding/report.h"
#include "schema/operator_entry.h"

namespace opcompat {

ReasonCollector::ReasonCollector(
    std::function<std::string(const OperatorEntry&)> describe, bool in_graph)
    : describe_(std::move(describe)), in_graph_(in_graph) {}

void ReasonCollector::Add(const Refusal& refusal, const OperatorEntry& entry,
                          const std::string& function,
                          const std::function<CallPlace()>& place) {
  const auto [it, is_new] =
      index_.emplace(std::make_tuple(refusal.code, function, entry.name(),
                                     refusal.argument, refusal.value),
                     reasons_.size());
  if (is_new) {
    CallPlace first = place();
    Reason reason;
    reason.code = refusal.code;
    reason.function = function;
    reason.node = std::move(first.node);
    reason.location = std::move(first.location);
    reason.op = entry.name();
    reason.argument = refusal.argument;
    reason.value = refusal.value;
    reason.message = absl::StrCat(describe_(entry), ": ", refusal.text);
    reasons_.push_back(std::move(reason));
  }
  ++reasons_[it->second].calls;
}

std::vector<Reason> ReasonCollector::Take() && {
  for (Reason& reason : reasons_) {
    if (in_graph_) {
      absl::StrAppend(&reason.message, ", at ", reason.function, ":",
                      reason.node);
      continue;
    }
    absl::StrAppend(&reason.message, "; ", reason.calls,
                    reason.calls == 1 ? " call, at " : " calls, first at ",
                    reason.function, ":", reason.node,
                    reason.location.empty()
                        ? ""
                        : absl::StrCat(" (", reason.location, ")"));
  }
  return std::move(reasons_);
}

}  // namespace opcompat
