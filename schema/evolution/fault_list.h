// Where the rules of evolution put what they find wrong.
#ifndef OPCOMPAT_SCHEMA_EVOLUTION_FAULT_LIST_H_
#define OPCOMPAT_SCHEMA_EVOLUTION_FAULT_LIST_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "schema/declared_history.h"

namespace opcompat {

// Collects faults about one operator at one version: each message begins with
// who and when, "t::f (t 2.0.0): ". Not thread-safe.
class FaultList {
 public:
  // `faults` must outlive this object.
  FaultList(std::string op, const std::string& history,
            const std::string& version, std::vector<HistoryFault>* faults)
      : op_(std::move(op)),
        prefix_(absl::StrCat(op_, " (", history, " ", version, "): ")),
        faults_(faults) {}

  void Add(const SourcePlace& place, const std::string& message) {
    faults_->push_back({place, prefix_ + message, op_});
  }

 private:
  std::string op_;
  std::string prefix_;
  std::vector<HistoryFault>* faults_;
};

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_EVOLUTION_FAULT_LIST_H_
