// What an input of the evolution targets says: histories and modules from
// case.proto. Any message gives some; which steps and calls there are is the
// business of compat_matrix/simulation.
#ifndef OPCOMPAT_FUZZ_EVOLUTION_CASE_MAKER_H_
#define OPCOMPAT_FUZZ_EVOLUTION_CASE_MAKER_H_

#include <cstddef>
#include <string>

#include "compat_matrix/simulation/simulated_history.h"
#include "fuzz/evolution/case.pb.h"
#include "schema/history.h"

namespace opcompat {
namespace fuzz {

// What is beyond is left out.
inline constexpr int kMaxOperators = 3;  // of the first version, beside `mix`
inline constexpr int kMaxVersions = 4;
inline constexpr size_t kMaxOperatorsAtAll = 5;
inline constexpr size_t kMaxSteps = 6;  // of a version
inline constexpr int kMaxNodes = 6;
inline constexpr int kMaxDepth = 3;

// The history, not loaded yet.
simulation::SimulatedHistory HistoryOf(const History& edits);

// The text of the module, written at `version` by place.
std::string ModuleTextOf(const Case& input, const OpsetHistory& history,
                         size_t version);

}  // namespace fuzz
}  // namespace opcompat

#endif  // OPCOMPAT_FUZZ_EVOLUTION_CASE_MAKER_H_
