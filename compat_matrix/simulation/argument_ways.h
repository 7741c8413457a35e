// In which ways a call can give an argument, and which values of it matter to
// other versions.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_ARGUMENT_WAYS_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_ARGUMENT_WAYS_H_

#include <cstdint>
#include <vector>

#include "schema/history.h"
#include "schema/operator_entry.h"
#include "schema/value.h"

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

// What other versions, and steps, have to do with an argument of `entry`.
std::vector<Value> NotableValues(const OpsetHistory& history,
                                 const OperatorEntry& entry,
                                 const EntryArgument& argument);

// The ways there are; at least one. `notable`: its notable values.
std::vector<Way> WaysOf(const EntryArgument& argument,
                        const std::vector<Value>& notable);

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_ARGUMENT_WAYS_H_
