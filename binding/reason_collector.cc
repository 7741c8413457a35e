#include "binding/reason_collector.h"

#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/concat.h"
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
  auto key = std::make_tuple(refusal.code, function, entry.name(),
                             refusal.argument, refusal.value);
  auto it = index_.find(key);
  if (it == index_.end()) {
    if (reasons_.size() >= kMaxReasons || bytes_ >= kMaxBytes) {
      if (num_omitted_ == 0) omitted_code_ = refusal.code;
      ++num_omitted_;
      return;
    }
    bytes_ += 2 * (function.size() + entry.name().size()) +
              refusal.argument.size() + refusal.value.size() +
              refusal.text.size();
    it = index_.emplace(std::move(key), reasons_.size()).first;
    CallPlace first = place();
    Reason reason;
    reason.code = refusal.code;
    reason.function = function;
    reason.node = std::move(first.node);
    reason.location = std::move(first.location);
    reason.op = entry.name();
    reason.argument = refusal.argument;
    reason.value = refusal.value;
    reason.message = Concat(describe_(entry), ": ", refusal.text);
    reasons_.push_back(std::move(reason));
  }
  ++reasons_[it->second].calls;
}

std::vector<Reason> ReasonCollector::Take() && {
  for (Reason& reason : reasons_) {
    if (in_graph_) {
      ConcatTo(&reason.message, ", at ", reason.function, ":", reason.node);
      continue;
    }
    ConcatTo(&reason.message, "; ", reason.calls,
             reason.calls == 1 ? " call, at " : " calls, first at ",
             reason.function, ":", reason.node,
             reason.location.empty() ? "" : Concat(" (", reason.location, ")"));
  }
  if (num_omitted_ > 0) {
    Reason rest;
    rest.code = omitted_code_;
    rest.message = Concat("and more: ", num_omitted_, " calls are refused for ",
                          "reasons beyond the first ", reasons_.size());
    rest.calls = num_omitted_;
    reasons_.push_back(std::move(rest));
  }
  return std::move(reasons_);
}

}  // namespace opcompat
