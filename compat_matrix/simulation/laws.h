// The laws of the matrix: what holds of every module of every history, whatever
// it says. What comes out of the library is compared with what else the library
// gives, with the oracle, and with what simulated kernels compute.
//
// Finds failures and says what they are; knows nothing of tests, nor of how a
// history was made.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_LAWS_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_LAWS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "compat_matrix/simulation/simulated_history.h"
#include "compat_matrix/simulation/truth.h"
#include "compat_matrix/testees/testee.h"
#include "ir/module.h"
#include "schema/history.h"
#include "schema/opset.h"

namespace opcompat {
namespace simulation {

enum class Law : uint8_t {
  kAnswers,         // every file is written; who accepts gives a valid module
  kNoMisread,       // by the oracle
  kSameNumbers,     // by the kernels: what is accepted computes the same
  kPrediction,      // predicted is what happens, reasons included
  kPromise,         // a legal step is never refused where it promises not to be
  kOwnVersion,      // reading at the writer's version is the identity, and
                    // writes equal bytes again
  kElision,         // burnt in or left out: read alike
  kThrough,         // through a third version is directly, where both accept
  kUpInTwoSteps,    // v1 -> v2 -> v3 is v1 -> v3, where graphs are involved
  kDownInTwoSteps,  // the same for targets
  kDownAndUp,       // for a target, and read again: the identity
  kLinear,          // five times the module: five times the nodes, and no more
                    // to think about
};
inline constexpr size_t kNumLaws = static_cast<size_t>(Law::kLinear) + 1;

// `no-misread`.
absl::string_view LawName(Law law);
// nullopt: there is none of that name.
absl::optional<Law> LawOfName(absl::string_view name);

struct LawFailure {
  Law law = Law::kAnswers;
  // Versions by place.
  size_t writer = 0;
  size_t reader = 0;
  bool for_target = false;
  // What differs from what, with the modules.
  std::string what;

  // `no-misread, written at 2, read at 3: ...`
  std::string ToString() const;
};

// How often each law was really put to the test: one that never was shows
// nothing.
struct LawTally {
  std::array<uint64_t, kNumLaws> tested = {};
  uint64_t accepted = 0;
  uint64_t refused = 0;
  uint64_t stepped = 0;  // accepted, and some call took a step

  void Add(const LawTally& other);
  std::string ToString() const;
};

struct LawOptions {
  // Null: nothing is executed.
  const Truth* truth = nullptr;
  // Null: nothing is promised.
  const std::vector<SimulatedStep>* steps = nullptr;
  // Every way through the versions that leads back undoes itself
  // (SimulationOptions::invertible), so that more must be equal.
  bool undoes_itself = false;
  // Every way through a third version; else one of them for each reader.
  bool every_way = true;
  // Reads in place of the deserializer of this build; null: that.
  Testee* testee = nullptr;
};

class Laws {
 public:
  Laws(const OpsetHistory& history, const LawOptions& options, LawTally* tally);

  size_t num_versions() const { return runtimes_.size(); }
  const Runtime& runtime(size_t version) const { return runtimes_[version]; }

  // All laws with `module`, written at version `w` by place.
  // Precondition: it verifies, with that version's entries.
  std::vector<LawFailure> Check(const Module& module, size_t w);

  // What one reading (or target) alone can break: kAnswers, kNoMisread,
  // kSameNumbers, kPrediction. Costs a small part of the above.
  std::vector<LawFailure> CheckReading(const Module& module, size_t w, size_t r,
                                       bool for_target);

  // The codes of the reasons for which the reading (or the target) refuses the
  // module. Empty: it is accepted.
  std::set<std::string> ReasonCodes(const Module& module, size_t w, size_t r,
                                    bool for_target);

 private:
  Testee* TesteeOr(Testee* in_process) const {
    return options_.testee != nullptr ? options_.testee : in_process;
  }

  const LawOptions options_;
  LawTally& tally_;
  std::vector<Runtime> runtimes_;
};

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_LAWS_H_
