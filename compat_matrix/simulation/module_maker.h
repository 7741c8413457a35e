// Modules for a history: every argument of every operator, given in every way,
// or a few calls that older and newer versions may well read. Text, as a person
// would write it.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_MODULE_MAKER_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_MODULE_MAKER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "schema/history.h"

namespace opcompat {
namespace simulation {

// How a call gives an argument.
enum class Way : uint8_t {
  kLeftOut,
  kDefault,  // written as it is
  kNeutral,
  kNotable,  // what a retired value, a condition, an equal value, or another
             // version's default is
  kOther,    // another value
  kGraphValue,
};

// What one call of a module does with one argument.
struct GivenWay {
  std::string op;
  std::string argument;
  Way way;
};

// The ways in which calls of version `version` can give the argument: its type
// has literals, it has a default, ...
std::vector<Way> WaysOf(const OpsetHistory& history, size_t version,
                        const std::string& op, const std::string& argument);

// A module of version `version` (by place), with its `opset` line, that calls
// every operator with every argument in all its ways; some calls stand in
// blocks of prim::If and prim::Loop. `given`, if not null, gets what it does.
std::string PopulatedModule(const OpsetHistory& history, size_t version,
                            uint64_t seed,
                            std::vector<GivenWay>* given = nullptr);

// A few calls (0: one to three), mostly of what versions agree on.
std::string SmallModule(const OpsetHistory& history, size_t version,
                        uint64_t seed, size_t num_calls = 0);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_MODULE_MAKER_H_
