// An input of the evolution targets, ready to be judged: the history loaded,
// the module parsed. Histories are kept, because most inputs differ from others
// in their modules or versions only, and loading a history costs more than all
// else together; so is the last module, because every third input differs from
// the one before in who reads, or in nothing.
#ifndef OPCOMPAT_FUZZ_EVOLUTION_PREPARED_CASE_H_
#define OPCOMPAT_FUZZ_EVOLUTION_PREPARED_CASE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "check/finding.h"
#include "compat_matrix/simulation/laws.h"
#include "compat_matrix/simulation/reduce.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "compat_matrix/simulation/truth.h"
#include "fuzz/evolution/case.pb.h"
#include "ir/module.h"
#include "schema/history.h"

namespace opcompat {
namespace fuzz {

// What all inputs with one history share.
struct PreparedHistory {
  uint64_t number = 0;  // of no other one
  simulation::SimulatedHistory made;
  simulation::Truth truth;
  simulation::LawTally tally;
  std::unique_ptr<simulation::Laws> laws;  // look at the above
  // What the rules find, for who asks them (rules_fuzz.cc): by writer and
  // reader, and of the whole history.
  std::map<std::pair<size_t, size_t>, std::set<std::string>> broken_operators;
  absl::optional<std::vector<Finding>> findings;

  const OpsetHistory& history() const { return *made.history(); }
};

struct PreparedCase {
  PreparedHistory* history = nullptr;  // kept by the cache, until its next Get
  size_t writer = 0;                   // by place
  size_t reader = 0;
  bool for_target = false;
  std::string text;
  std::shared_ptr<const Module> parsed;
  // Whether an earlier input of the cache said the same, so that there is
  // nothing to judge anew. Not known of each.
  bool is_repeated = false;

  const Module& module() const { return *parsed; }
  // As a file of fuzz/crashers (case_file.h), with `problem` as its comment.
  std::string ToString(absl::string_view problem) const;
  simulation::ReducibleCase ToReducible() const;
};

// For one thread.
class CaseCache {
 public:
  // Bytes that are no message are taken as far as they can be parsed. Ends the
  // process, and tells why, if it is no history or no module: a bug of the
  // simulation, of the loader or of the parser.
  PreparedCase Get(const uint8_t* data, size_t size);

 private:
  PreparedHistory* Prepare(const History& edits);
  std::shared_ptr<const Module> Parse(const PreparedCase& prepared);
  bool IsRepeated(const PreparedCase& prepared);

  // By the message's bytes: those used since there were too many, and those
  // before.
  using Histories =
      absl::flat_hash_map<std::string, std::unique_ptr<PreparedHistory>>;
  Histories young_;
  Histories old_;
  uint64_t num_histories_ = 0;
  // What was parsed last.
  uint64_t last_history_ = 0;  // PreparedHistory::number
  size_t last_writer_ = 0;
  std::string last_text_;
  std::shared_ptr<const Module> last_module_;
  absl::flat_hash_set<size_t> seen_;  // hashes of inputs
};

// Tells of a failing input, and ends the process so that the fuzzer keeps it.
[[noreturn]] void FailWith(const PreparedCase& failing,
                           absl::string_view problem);

}  // namespace fuzz
}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_EVOLUTION_PREPARED_CASE_H_
