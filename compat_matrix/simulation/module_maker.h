// Modules for a history: every argument of every operator, given in every way,
// or a few calls that older and newer versions may well read. Text, as a person
// would write it.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_MODULE_MAKER_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_MODULE_MAKER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compat_matrix/simulation/argument_ways.h"
#include "compat_matrix/simulation/random.h"
#include "schema/history.h"

namespace opcompat {
namespace simulation {

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

// A node that somebody else decides on, a fuzzer for one.
struct WantedNode {
  enum class Kind : uint8_t { kCall, kIf, kLoop };
  Kind kind = Kind::kCall;
  // Of a call: the operator, by its place in the version, and how it gives its
  // arguments, by their places in WaysOf; both modulo what there is. Where
  // `ways` is short, the dice decide.
  size_t op = 0;
  std::vector<uint32_t> ways = {};
  // Operands, values, how arguments are written.
  Random random = Random({}, 0);
  // What is in the blocks; a loop has one.
  std::vector<WantedNode> first_block = {};
  std::vector<WantedNode> second_block = {};
};

// A module of these nodes, one after the other.
std::string WantedModule(const OpsetHistory& history, size_t version,
                         const std::vector<WantedNode>& nodes);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_MODULE_MAKER_H_
