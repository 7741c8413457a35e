// The reasons against a module, gathered call by call: one per (code, function,
// operator, argument, value), with its first call and the number of calls.
#ifndef OPCOMPAT_BINDING_REASON_COLLECTOR_H_
#define OPCOMPAT_BINDING_REASON_COLLECTOR_H_

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "binding/call.h"
#include "binding/report.h"
#include "schema/operator_entry.h"

namespace opcompat {

// Where a call stands.
struct CallPlace {
  std::string node;      // `%12`, `#3`
  std::string location;  // may be empty
};

// One thread at a time.
class ReasonCollector {
 public:
  // `describe` names an operator in messages: `aten::gelu (torch 2.6.0)`.
  // `in_graph`: the calls are those of a step graph, and the messages become
  // parts of others, which count.
  ReasonCollector(std::function<std::string(const OperatorEntry&)> describe,
                  bool in_graph);

  // How many reasons are told apart, and how many bytes their messages may
  // have: a reader of a file with more has long understood.
  static constexpr size_t kMaxReasons = 10000;
  static constexpr size_t kMaxBytes = size_t{1} << 24;

  // Counts one call, of `entry` in `function`, that `refusal` is against.
  // `place` is asked for the first one only.
  void Add(const Refusal& refusal, const OperatorEntry& entry,
           const std::string& function,
           const std::function<CallPlace()>& place);

  // In the order in which they were met; where there were too many, the last
  // says so.
  std::vector<Reason> Take() &&;

 private:
  std::function<std::string(const OperatorEntry&)> describe_;
  const bool in_graph_;
  std::map<std::tuple<ReasonCode, std::string, std::string, std::string,
                      std::string>,
           size_t>
      index_;
  std::vector<Reason> reasons_;
  size_t bytes_ = 0;  // of what reasons_ and index_ hold
  // Of the calls that are told apart no more.
  ReasonCode omitted_code_ = ReasonCode::kLimit;
  size_t num_omitted_ = 0;
};

}  // namespace opcompat

#endif  // OPCOMPAT_BINDING_REASON_COLLECTOR_H_
