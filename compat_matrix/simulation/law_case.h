// A broken law as a case of text, for the reducer.
#ifndef OPCOMPAT_COMPAT_MATRIX_SIMULATION_LAW_CASE_H_
#define OPCOMPAT_COMPAT_MATRIX_SIMULATION_LAW_CASE_H_

#include "compat_matrix/simulation/laws.h"
#include "compat_matrix/simulation/reduce.h"

namespace opcompat {
namespace simulation {

// Whether `broken`, loaded and parsed anew, breaks `law` between its versions.
// Kernels do what the case's own history declares, and its secrets. kPromise is
// never broken here: a text does not say what its steps promise. `options`:
// undoes_itself, testee, and every_way: without it only what one reading alone
// breaks, which takes much less time. The rest is not used.
bool BreaksLaw(const ReducibleCase& broken, Law law,
               const LawOptions& options = {});

}  // namespace simulation
}  // namespace opcompat

#endif  // OPCOMPAT_COMPAT_MATRIX_SIMULATION_LAW_CASE_H_
